package v1alpha1

import (
	corev1 "k8s.io/api/core/v1"
	metav1 "k8s.io/apimachinery/pkg/apis/meta/v1"
	"k8s.io/apimachinery/pkg/runtime"
)

// Snapshot is a cluster at one instant: its objects, what can be bought, and
// the policy to plan by. It is never changed after it is taken.
type Snapshot struct {
	metav1.TypeMeta `json:",inline"`

	// Time is the clock of every rule that depends on time; nothing reads the wall clock.
	Time metav1.Time `json:"time"`
	// Catalog names a catalog built into the binary.
	Catalog string `json:"catalog,omitempty"`
	// InstanceTypes are added to the catalog's; the same name replaces.
	InstanceTypes []InstanceType `json:"instanceTypes,omitempty"`
	// Objects are Kubernetes objects, each with apiVersion and kind. A reader
	// fills Object with the typed value of each kind that matters to a plan.
	Objects []runtime.RawExtension `json:"objects,omitempty"`
	Policy  Policy                 `json:"policy,omitempty"`
}

// InstanceType is a machine shape as a provider sells it.
// Its allocatable is capacity minus overhead.
type InstanceType struct {
	Name string `json:"name"`
	// Requirements are the labels that its nodes carry, or can carry.
	Requirements []corev1.NodeSelectorRequirement `json:"requirements,omitempty"`
	Capacity     corev1.ResourceList              `json:"capacity"`
	// Overhead is the sum of all that is taken off the capacity: kernel, kubelet, eviction threshold.
	Overhead corev1.ResourceList `json:"overhead,omitempty"`
	// NodeClasses names the node classes that offer it; empty means every node class.
	NodeClasses []string `json:"nodeClasses,omitempty"`
	// AttachLimits is how many volumes each CSI driver can attach; absent means learned from live nodes, else unlimited.
	AttachLimits map[string]int32 `json:"attachLimits,omitempty"`
	// Devices are the specs of the ResourceSlices that its nodes will publish.
	Devices   []runtime.RawExtension `json:"devices,omitempty"`
	Offerings []Offering             `json:"offerings"`
}

// Offering is an instance type in one zone at one capacity type.
type Offering struct {
	Zone string `json:"zone"`
	// CapacityType is on-demand, spot or reserved.
	CapacityType string `json:"capacityType"`
	// Price is USD per hour.
	Price float64 `json:"price"`
	// Estimated says that the price is computed, not published.
	Estimated bool `json:"estimated,omitempty"`
	// Available is true if absent.
	Available *bool `json:"available,omitempty"`
	// UnavailableUntil is when an unavailable offering is to be tried again.
	UnavailableUntil *metav1.Time `json:"unavailableUntil,omitempty"`
	Reservation      *Reservation `json:"reservation,omitempty"`
	// Requirements are further labels of the nodes of this offering.
	Requirements []corev1.NodeSelectorRequirement `json:"requirements,omitempty"`
}

// Reservation is a commitment that a reserved offering draws on.
type Reservation struct {
	ID string `json:"id"`
	// Count is how many machines may still be launched from it.
	Count int32 `json:"count"`
}

// Catalog is a priced list of instance types of one provider and region.
type Catalog struct {
	metav1.TypeMeta `json:",inline"`

	Name     string `json:"name"`
	Provider string `json:"provider,omitempty"`
	Region   string `json:"region,omitempty"`
	Currency string `json:"currency,omitempty"`
	// PricesAsOf is the date of the price list.
	PricesAsOf metav1.Time `json:"pricesAsOf,omitzero"`
	// Sources say where the figures are from, with their license.
	Sources []string `json:"sources,omitempty"`
	// Notes are what a plan on this catalog must tell its reader: old
	// prices, estimated prices, zones assumed.
	Notes         []string       `json:"notes,omitempty"`
	InstanceTypes []InstanceType `json:"instanceTypes"`
}
