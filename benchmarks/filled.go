package benchmarks

import (
	"fmt"
	"math/rand/v2"

	corev1 "k8s.io/api/core/v1"
	"k8s.io/apimachinery/pkg/runtime"
	"k8s.io/apimachinery/pkg/util/intstr"
	karpv1 "sigs.k8s.io/karpenter/pkg/apis/v1"

	"github.com/mortise-io/mortise/api/v1alpha1"
	"github.com/mortise-io/mortise/provider/catalog"
)

// filling is a cluster in the making: nodes of common types, and on them pods
// of applications.
type filling struct {
	*rand.Rand
	s     *v1alpha1.Snapshot
	types []*v1alpha1.InstanceType
	apps  []request
	share []float64 // of all pods, by application
}

func newFilling(r *rand.Rand, apps int) (*filling, error) {
	f := &filling{Rand: r, s: &v1alpha1.Snapshot{}, apps: distinctRequests(r, apps), share: shares(apps)}
	c, err := catalog.Load(Catalog)
	if err != nil {
		return nil, err
	}
	for _, name := range commonTypes {
		for i := range c.InstanceTypes {
			if c.InstanceTypes[i].Name == name {
				f.types = append(f.types, &c.InstanceTypes[i])
			}
		}
	}
	return f, nil
}

// commonTypes are what the nodes are, and what their pools sell.
var commonTypes = []string{"m6i.xlarge", "m6i.2xlarge", "m6i.4xlarge", "r6i.xlarge", "r6i.2xlarge", "c6i.2xlarge", "c6i.4xlarge"}

func (f *filling) add(o runtime.Object) {
	f.s.Objects = append(f.s.Objects, runtime.RawExtension{Object: o})
}

// node adds one of a random type.
func (f *filling) node(pool string, serial int) *corev1.Node {
	n := node(fmt.Sprintf("node-%04d", serial), pool, f.types[f.IntN(len(f.types))])
	f.add(n)
	return n
}

// fill draws pods for the node until one would take more than the share of its
// cores or memory, as often as may be in vain. Of each the caller hears the application.
func (f *filling) fill(n *corev1.Node, share float64, vain int, draw func() int, each func(app int)) {
	cpu := int64(share * float64(n.Status.Allocatable.Cpu().MilliValue()))
	mebi := int64(share * float64(n.Status.Allocatable.Memory().Value()>>20))
	pods := n.Status.Allocatable.Pods().Value()
	for vain > 0 && pods > 0 {
		app := draw()
		q := f.apps[app]
		if q.milli > cpu || q.mebi > mebi {
			vain--
			continue
		}
		cpu, mebi, pods = cpu-q.milli, mebi-q.mebi, pods-1
		each(app)
	}
}

// pod adds one of the application's to the node.
func (f *filling) pod(app int, n *corev1.Node) {
	f.add(pod(appName(app), len(f.s.Objects), n.Name, f.apps[app].list()))
}

func appName(app int) string { return fmt.Sprintf("app-%03d", app+1) }

// halfEmpty are nodes of one pool without a budget, each filled with pods of 30
// applications to between a quarter and three quarters of its cores or memory.
func halfEmpty(nodes int) (*v1alpha1.Snapshot, error) {
	f, err := newFilling(random(2), 30)
	if err != nil {
		return nil, err
	}
	f.add(nodePool("default", "100%", commonTypes, karpv1.CapacityTypeOnDemand))
	for i := range nodes {
		n := f.node("default", i+1)
		f.fill(n, 0.25+f.Float64()/2, 1, func() int { return f.IntN(len(f.apps)) }, func(app int) { f.pod(app, n) })
	}
	return settle(f.s), nil
}

// worn are nodes that were full once, and lost 40 % of their pods. They are of
// five pools, which let 10 to 50 % of their nodes go at once. Of each of 50
// applications a tenth of the pods may be away; of the rarest, none.
func worn(nodes int) (*v1alpha1.Snapshot, error) {
	f, err := newFilling(random(3), 50)
	if err != nil {
		return nil, err
	}
	for app := range f.apps {
		away := intstr.FromString("10%")
		if app == len(f.apps)-1 {
			away = intstr.FromInt32(0)
		}
		f.add(podBudget(appName(app), away))
	}
	pools := []string{"a", "b", "c", "d", "e"}
	for i, pool := range pools {
		f.add(nodePool(pool, fmt.Sprintf("%d%%", 10*(i+1)), commonTypes, karpv1.CapacityTypeOnDemand))
	}
	for i := range nodes {
		n := f.node(pools[i%len(pools)], i+1)
		f.fill(n, 1, 20, f.drawByShare, func(app int) {
			if f.Float64() >= 0.4 {
				f.pod(app, n)
			}
		})
	}
	return settle(f.s), nil
}

// drawByShare draws an application as often as its share says.
func (f *filling) drawByShare() int {
	x := f.Float64()
	for app, share := range f.share {
		if x -= share; x < 0 {
			return app
		}
	}
	return len(f.apps) - 1
}
