package text

import (
	"fmt"
	"io"
	"strings"

	corev1 "k8s.io/api/core/v1"
	"k8s.io/apimachinery/pkg/api/resource"
	karpv1 "sigs.k8s.io/karpenter/pkg/apis/v1"

	"github.com/mortise-io/mortise/api/v1alpha1"
	"github.com/mortise-io/mortise/provider/catalog"
)

// Catalogs prints what is known of some catalogs.
func Catalogs(w io.Writer, infos []catalog.Info, o Options) error {
	p := newPage(o)
	g := newGrid(column{title: "NAME"}, column{title: "TYPES", right: true}, column{title: "OFFERINGS", right: true, minor: true},
		column{title: "SPOT"}, column{title: "PRICES AS OF"}, column{title: "ZONES"})
	for i := range infos {
		c := &infos[i]
		g.row(c.Name, fmt.Sprint(c.InstanceTypes), fmt.Sprint(c.Offerings), spotOf(c), dateOf(c), strings.Join(c.Zones, ", "))
	}
	g.print(p)
	p.notes(infos)
	return p.writeTo(w)
}

// notes prints each note once, with the catalogs that it is about.
func (p *page) notes(infos []catalog.Info) {
	about := map[string][]string{}
	var order []string
	for i := range infos {
		for _, note := range infos[i].Notes {
			if about[note] == nil {
				order = append(order, note)
			}
			about[note] = append(about[note], infos[i].Name)
		}
	}
	if len(order) == 0 {
		return
	}
	p.section("Notes", "")
	for _, note := range order {
		p.labeled("- ", strings.Join(about[note], ", ")+": "+note)
	}
}

// CatalogDates prints the names of catalogs and the dates of their prices.
func CatalogDates(w io.Writer, infos []catalog.Info, o Options) error {
	p := newPage(o)
	g := newGrid(column{title: "CATALOG"}, column{title: "PRICES AS OF"})
	for i := range infos {
		g.row(infos[i].Name, dateOf(&infos[i]))
	}
	g.print(p)
	return p.writeTo(w)
}

// Catalog prints the instance types of one catalog; prices are those of the cheapest zone.
func Catalog(w io.Writer, c *v1alpha1.Catalog, o Options) error {
	p := newPage(o)
	info := catalog.Describe(c)
	p.titled(c.Name, fmt.Sprintf("%s, prices as of %s, %s", plural(info.InstanceTypes, "instance type"), dateOf(&info), strings.Join(info.Zones, ", ")))
	g := newGrid(column{title: "TYPE"}, column{title: "ARCH"}, column{title: "CPU", right: true}, column{title: "MEMORY", right: true},
		column{title: "ALLOCATABLE", right: true, minor: true}, column{title: "PODS", right: true, minor: true},
		column{title: "ON-DEMAND", right: true}, column{title: "SPOT", right: true}, column{title: "ALSO"})
	for i := range c.InstanceTypes {
		t := &c.InstanceTypes[i]
		free := allocatable(t)
		g.row(t.Name, catalog.Architecture(t), t.Capacity.Cpu().String(), gibibytes(t.Capacity.Memory()),
			fmt.Sprintf("%s cpu, %s", free.Cpu(), gibibytes(free.Memory())), t.Capacity.Pods().String(),
			cheapest(t, karpv1.CapacityTypeOnDemand), cheapest(t, karpv1.CapacityTypeSpot), extended(t.Capacity))
	}
	g.print(p)
	p.notes([]catalog.Info{info})
	return p.writeTo(w)
}

func spotOf(c *catalog.Info) string {
	switch {
	case c.Spot && c.Estimated:
		return "estimated"
	case c.Spot:
		return "yes"
	default:
		return "no"
	}
}

func dateOf(c *catalog.Info) string {
	switch {
	case c.Synthetic:
		return "made up"
	case c.PricesAsOf.IsZero():
		return "unknown"
	default:
		return c.PricesAsOf.UTC().Format("2006-01-02")
	}
}

func allocatable(t *v1alpha1.InstanceType) corev1.ResourceList {
	out := t.Capacity.DeepCopy()
	for name, taken := range t.Overhead {
		if q, ok := out[name]; ok {
			q.Sub(taken)
			out[name] = q
		}
	}
	return out
}

// cheapest is the least price of a capacity type, with a tilde if it is an estimate.
func cheapest(t *v1alpha1.InstanceType, capacityType string) string {
	var best *v1alpha1.Offering
	for i := range t.Offerings {
		o := &t.Offerings[i]
		if o.CapacityType == capacityType && (best == nil || o.Price < best.Price) {
			best = o
		}
	}
	switch {
	case best == nil:
		return "-"
	case best.Estimated:
		return "~" + hourly(best.Price)
	default:
		return hourly(best.Price)
	}
}

func gibibytes(q *resource.Quantity) string {
	return fmt.Sprintf("%.1f GiB", q.AsApproximateFloat64()/(1<<30))
}

// extended lists GPUs and other resources that are not of every node.
func extended(r corev1.ResourceList) string {
	c := counts{}
	for name, q := range r {
		if strings.Contains(string(name), "/") && !q.IsZero() {
			c[string(name)] = int(q.Value())
		}
	}
	return c.list(len(c))
}
