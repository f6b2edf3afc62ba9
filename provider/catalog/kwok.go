package catalog

import (
	"bytes"
	"cmp"
	"encoding/json"
	"fmt"
	"maps"
	"regexp"
	"slices"
	"strings"

	corev1 "k8s.io/api/core/v1"
	"k8s.io/apimachinery/pkg/api/resource"

	"github.com/mortise-io/mortise/api/v1alpha1"
)

// kwokType is an instance type as Karpenter's kwok provider reads it. Names of
// fields match in any case there; here they are made lower first.
type kwokType struct {
	Name             string              `json:"name"`
	Offerings        []kwokOffering      `json:"offerings"`
	Architecture     string              `json:"architecture"`
	OperatingSystems []string            `json:"operatingsystems"`
	Resources        corev1.ResourceList `json:"resources"`
}

type kwokOffering struct {
	Requirements []corev1.NodeSelectorRequirement `json:"requirements"`
	Price        float64                          `json:"price"`
	// Available is not looked at: to kwok, every offering is available.
	Available           bool             `json:"available"`
	ReservationCapacity int32            `json:"reservationcapacity"`
	CapacityOverride    *json.RawMessage `json:"capacityoverride"`
	OverheadOverride    *json.RawMessage `json:"overheadoverride"`
}

// Labels of an offering in kwok's format, and of the nodes of its instance types.
const (
	labelCapacityType = "karpenter.sh/capacity-type"

	kwokGroup       = "karpenter.kwok.sh"
	kwokDefaultPods = "110"
)

// kwokOverhead is what the kwok provider takes off every instance type.
func kwokOverhead() corev1.ResourceList {
	return corev1.ResourceList{
		corev1.ResourceCPU:    resource.MustParse("100m"),
		corev1.ResourceMemory: resource.MustParse("10Mi"),
	}
}

// isKwok recognizes a list in kwok's format by fields that an instance type of ours does not have.
func isKwok(list []byte) bool {
	var elements []map[string]json.RawMessage
	if json.Unmarshal(list, &elements) != nil || len(elements) == 0 {
		return false
	}
	for key := range elements[0] {
		if slices.Contains([]string{"architecture", "operatingsystems", "resources"}, strings.ToLower(key)) {
			return true
		}
	}
	return false
}

func parseKwok(list []byte) ([]v1alpha1.InstanceType, error) {
	var value any
	numbers := json.NewDecoder(bytes.NewReader(list))
	numbers.UseNumber()
	if err := numbers.Decode(&value); err != nil {
		return nil, fmt.Errorf("$: %w", err)
	}
	lower, err := json.Marshal(lowered(value))
	if err != nil {
		return nil, fmt.Errorf("$: %w", err)
	}
	var types []kwokType
	if err := decode(lower, &types); err != nil {
		return nil, err
	}
	out := make([]v1alpha1.InstanceType, len(types))
	for i := range types {
		if out[i], err = types[i].instanceType(fmt.Sprintf("$[%d]", i)); err != nil {
			return nil, err
		}
	}
	return out, nil
}

// lowered is the value with the keys of its objects in lower case, but for the names of resources.
func lowered(value any) any {
	switch value := value.(type) {
	case map[string]any:
		out := make(map[string]any, len(value))
		for _, key := range slices.Sorted(maps.Keys(value)) {
			inner := value[key]
			if key = strings.ToLower(key); key != "resources" {
				inner = lowered(inner)
			}
			out[key] = inner
		}
		return out
	case []any:
		for i := range value {
			value[i] = lowered(value[i])
		}
	}
	return value
}

func (k *kwokType) instanceType(at string) (v1alpha1.InstanceType, error) {
	t := v1alpha1.InstanceType{
		Name:         k.Name,
		Requirements: k.requirements(),
		Capacity:     corev1.ResourceList{corev1.ResourcePods: resource.MustParse(kwokDefaultPods)},
		Overhead:     kwokOverhead(),
	}
	for name, q := range k.Resources {
		t.Capacity[name] = q
	}
	for i := range k.Offerings {
		offering, err := k.Offerings[i].offering(fmt.Sprintf("%s.offerings[%d]", at, i))
		if err != nil {
			return t, err
		}
		t.Offerings = append(t.Offerings, offering)
	}
	return t, nil
}

func (k *kwokType) requirements() []corev1.NodeSelectorRequirement {
	cpu, memory := k.Resources[corev1.ResourceCPU], k.Resources[corev1.ResourceMemory]
	in := func(key string, values ...string) corev1.NodeSelectorRequirement {
		return corev1.NodeSelectorRequirement{Key: key, Operator: corev1.NodeSelectorOpIn, Values: values}
	}
	out := []corev1.NodeSelectorRequirement{
		in(kwokGroup+"/instance-cpu", cpu.String()),
		in(kwokGroup+"/instance-family", kwokFamily(k.Name)),
		in(kwokGroup+"/instance-memory", memory.String()),
		in(kwokGroup+"/instance-size", kwokSize(k.Name, cpu.String())),
		in(corev1.LabelArchStable, k.Architecture),
		in(corev1.LabelOSStable, k.OperatingSystems...),
		in(corev1.LabelInstanceTypeStable, k.Name),
	}
	slices.SortFunc(out, func(a, b corev1.NodeSelectorRequirement) int { return cmp.Compare(a.Key, b.Key) })
	return out
}

var (
	awsSize         = regexp.MustCompile(`^\w+\.(nano|micro|small|medium|large|\d*xlarge|metal)$`)
	familyDelimiter = regexp.MustCompile(`[.-]`)
)

// kwokSize is the part after the dot of a name like AWS's, else the number of CPUs.
func kwokSize(name, cpu string) string {
	if match := awsSize.FindStringSubmatch(name); match != nil {
		return match[1]
	}
	return cpu
}

// kwokFamily is the name up to its first dot or dash, else its first letter.
func kwokFamily(name string) string {
	if parts := familyDelimiter.Split(name, 2); len(parts) == 2 {
		return parts[0]
	}
	return name[:min(1, len(name))]
}

// offering takes zone and capacity type out of the requirements, where kwok has them.
func (k *kwokOffering) offering(at string) (v1alpha1.Offering, error) {
	out := v1alpha1.Offering{Price: k.Price}
	if k.CapacityOverride != nil || k.OverheadOverride != nil {
		return out, fmt.Errorf("%s: capacity and overhead of a single offering are not supported", at)
	}
	for i, r := range k.Requirements {
		var target *string
		switch r.Key {
		case corev1.LabelTopologyZone:
			target = &out.Zone
		case labelCapacityType:
			target = &out.CapacityType
		default:
			out.Requirements = append(out.Requirements, r)
			continue
		}
		if r.Operator != corev1.NodeSelectorOpIn || len(r.Values) != 1 {
			return out, fmt.Errorf("%s.requirements[%d]: %s of an offering must be In with one value", at, i, r.Key)
		}
		*target = r.Values[0]
	}
	return out, nil
}
