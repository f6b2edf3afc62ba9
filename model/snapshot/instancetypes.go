package snapshot

import (
	"cmp"
	"fmt"
	"maps"
	"slices"
	"time"

	corev1 "k8s.io/api/core/v1"
	"k8s.io/apimachinery/pkg/api/resource"
	karpv1 "sigs.k8s.io/karpenter/pkg/apis/v1"
	"sigs.k8s.io/karpenter/pkg/scheduling"

	"github.com/mortise-io/mortise/api/fields"
	"github.com/mortise-io/mortise/api/v1alpha1"
)

// reservationLabel names the reservation that a node draws on.
const reservationLabel = "karpenter.sh/reservation-id"

// reservationLabels are the keys under which providers name it, ours first.
var reservationLabels = []string{
	reservationLabel,
	"karpenter.k8s.aws/capacity-reservation-id",
	"eks.amazonaws.com/capacity-reservation-id",
}

// platform is what a node is where neither its type nor its pool say.
var platform = map[string]string{
	corev1.LabelOSStable:   string(corev1.Linux),
	corev1.LabelArchStable: karpv1.ArchitectureAmd64,
}

// instanceType is a v1alpha1.InstanceType with its requirements in Karpenter's algebra.
type instanceType struct {
	*v1alpha1.InstanceType
	// requirements on the labels that do not depend on the offering. A label
	// that other types carry and this one does not is one that does not exist.
	requirements scheduling.Requirements
	allocatable  corev1.ResourceList
	offerings    []offering
}

// offering is a v1alpha1.Offering with its requirements in Karpenter's algebra.
type offering struct {
	*v1alpha1.Offering
	requirements scheduling.Requirements
}

// reservation is the id of the reservation that the offering draws on, or empty.
func (o *offering) reservation() string { return reservationOf(o.Offering) }

// agrees says whether the labels of a node contradict none of the offering's own.
func (o *offering) agrees(labels map[string]string) bool {
	for key, r := range o.requirements {
		if value, ok := labels[key]; ok && !r.Has(value) {
			return false
		}
	}
	return true
}

// forSale says whether the offering can be launched at the time.
func forSale(o *v1alpha1.Offering, now time.Time) bool {
	if o.Reservation != nil && o.Reservation.Count <= 0 {
		return false
	}
	if o.Available == nil || *o.Available {
		return true
	}
	return o.UnavailableUntil != nil && !o.UnavailableUntil.After(now)
}

// gatherTypes reads the instance types, by name, and their offerings, by zone,
// capacity type and reservation. A type that cannot be read is left out.
func (c *Compiled) gatherTypes() {
	for i := range c.snapshot.InstanceTypes {
		t := &c.snapshot.InstanceTypes[i]
		if f := requirementFault(t); f != nil {
			c.warn("instance type %s is left out: %v", t.Name, f)
			continue
		}
		c.types = append(c.types, newInstanceType(t))
	}
	slices.SortStableFunc(c.types, func(a, b *instanceType) int { return cmp.Compare(a.Name, b.Name) })
	c.types = lastOfEach(c.types)
	denyMissingLabels(c.types)
	c.typeByName = make(map[string]*instanceType, len(c.types))
	for _, t := range c.types {
		c.typeByName[t.Name] = t
	}
}

// lastOfEach keeps the last of several types with the same name, as later files replace earlier ones.
func lastOfEach(types []*instanceType) []*instanceType {
	var out []*instanceType
	for i, t := range types {
		if i+1 == len(types) || types[i+1].Name != t.Name {
			out = append(out, t)
		}
	}
	return out
}

// requirementFault is what is wrong with the labels that the type's nodes are to have.
func requirementFault(t *v1alpha1.InstanceType) *fields.Fault {
	if f := fields.Requirements("requirements", t.Requirements); f != nil {
		return f
	}
	for i := range t.Offerings {
		if f := fields.Requirements(fields.Index("offerings", i)+".requirements", t.Offerings[i].Requirements); f != nil {
			return f
		}
	}
	return nil
}

func newInstanceType(t *v1alpha1.InstanceType) *instanceType {
	out := &instanceType{InstanceType: t, allocatable: allocatableOf(t), requirements: scheduling.NewNodeSelectorRequirements(t.Requirements...)}
	out.requirements.Add(scheduling.NewRequirement(corev1.LabelInstanceTypeStable, corev1.NodeSelectorOpIn, t.Name))
	for key, value := range platform {
		if !out.requirements.Has(key) {
			out.requirements.Add(scheduling.NewRequirement(key, corev1.NodeSelectorOpIn, value))
		}
	}
	for i := range t.Offerings {
		o := &t.Offerings[i]
		r := scheduling.NewRequirements(
			scheduling.NewRequirement(corev1.LabelTopologyZone, corev1.NodeSelectorOpIn, o.Zone),
			scheduling.NewRequirement(karpv1.CapacityTypeLabelKey, corev1.NodeSelectorOpIn, o.CapacityType),
			reservationRequirement(o),
		)
		r.Add(scheduling.NewNodeSelectorRequirements(o.Requirements...).Values()...)
		out.offerings = append(out.offerings, offering{o, r})
	}
	slices.SortStableFunc(out.offerings, compareForSale)
	return out
}

func compareForSale(a, b offering) int {
	order := cmp.Or(
		cmp.Compare(a.Zone, b.Zone), cmp.Compare(a.CapacityType, b.CapacityType),
		cmp.Compare(a.reservation(), b.reservation()), cmp.Compare(a.Price, b.Price),
	)
	if order == 0 { // rare, and dear to tell
		order = cmp.Compare(fmt.Sprint(a.Requirements), fmt.Sprint(b.Requirements))
	}
	return order
}

func reservationRequirement(o *v1alpha1.Offering) *scheduling.Requirement {
	if o.Reservation == nil {
		return scheduling.NewRequirement(reservationLabel, corev1.NodeSelectorOpDoesNotExist)
	}
	return scheduling.NewRequirement(reservationLabel, corev1.NodeSelectorOpIn, o.Reservation.ID)
}

// denyMissingLabels says of each type and offering that the labels which only
// others carry do not exist on its nodes: a pool that asks for a GPU does not get a type without one.
func denyMissingLabels(types []*instanceType) {
	ofTypes, ofOfferings := map[string]bool{}, map[string]bool{}
	for _, t := range types {
		for key := range t.requirements {
			ofTypes[key] = true
		}
		for _, o := range t.offerings {
			for key := range o.requirements {
				ofOfferings[key] = true
			}
		}
	}
	for _, t := range types {
		for key := range ofTypes {
			if !t.requirements.Has(key) && !ofOfferings[key] {
				t.requirements.Add(scheduling.NewRequirement(key, corev1.NodeSelectorOpDoesNotExist))
			}
		}
		for _, o := range t.offerings {
			for key := range ofOfferings {
				if !t.requirements.Has(key) && !o.requirements.Has(key) {
					o.requirements.Add(scheduling.NewRequirement(key, corev1.NodeSelectorOpDoesNotExist))
				}
			}
		}
	}
}

// allocatableOf is the type's capacity without its overhead. Huge pages are taken off its memory.
func allocatableOf(t *v1alpha1.InstanceType) corev1.ResourceList {
	out := less(t.Capacity, t.Overhead)
	pages := resource.Quantity{}
	for name, q := range t.Capacity {
		if isHugePages(name) {
			pages.Add(q)
		}
	}
	if memory, ok := out[corev1.ResourceMemory]; ok && !pages.IsZero() {
		maps.Copy(out, less(corev1.ResourceList{corev1.ResourceMemory: memory}, corev1.ResourceList{corev1.ResourceMemory: pages}))
	}
	return out
}

func isHugePages(name corev1.ResourceName) bool {
	return len(name) > len(corev1.ResourceHugePagesPrefix) && name[:len(corev1.ResourceHugePagesPrefix)] == corev1.ResourceHugePagesPrefix
}
