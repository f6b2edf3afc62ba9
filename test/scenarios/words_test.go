package scenarios_test

import (
	"encoding/json"
	"fmt"
	"maps"
	"math"
	"regexp"
	"slices"
	"strconv"
	"strings"

	corev1 "k8s.io/api/core/v1"
	"k8s.io/apimachinery/pkg/api/resource"
	karpv1 "sigs.k8s.io/karpenter/pkg/apis/v1"
)

// keys are the short names of labels.
var keys = map[string]string{
	"zone":     corev1.LabelTopologyZone,
	"host":     corev1.LabelHostname,
	"arch":     corev1.LabelArchStable,
	"os":       corev1.LabelOSStable,
	"type":     corev1.LabelInstanceTypeStable,
	"capacity": karpv1.CapacityTypeLabelKey,
	"pool":     karpv1.NodePoolLabelKey,
}

func key(short string) string {
	if long, ok := keys[short]; ok {
		return long
	}
	return short
}

func longKeys(labels map[string]string) map[string]string {
	out := map[string]string{}
	for k, v := range labels {
		out[key(k)] = v
	}
	return out
}

var amountPart = regexp.MustCompile(`^([0-9.]+)(c|G|gpu|pods|disk)$`)

// UnmarshalJSON reads "0.5c/3.5G/1gpu/17pods/100disk": cores, GiB of memory,
// pieces, pod slots, GiB of ephemeral storage.
func (a *amount) UnmarshalJSON(b []byte) error {
	var text string
	if err := json.Unmarshal(b, &text); err != nil {
		return err
	}
	*a = amount{}
	for part := range strings.SplitSeq(text, "/") {
		m := amountPart.FindStringSubmatch(part)
		if m == nil {
			return fmt.Errorf("amount %q: cannot read %q", text, part)
		}
		n, err := strconv.ParseFloat(m[1], 64)
		if err != nil {
			return err
		}
		switch m[2] {
		case "c":
			(*a)[corev1.ResourceCPU] = *resource.NewMilliQuantity(int64(math.Round(n*1000)), resource.DecimalSI)
		case "G":
			(*a)[corev1.ResourceMemory] = gibibytes(n)
		case "disk":
			(*a)[corev1.ResourceEphemeralStorage] = gibibytes(n)
		case "gpu":
			(*a)["nvidia.com/gpu"] = *resource.NewQuantity(int64(n), resource.DecimalSI)
		case "pods":
			(*a)[corev1.ResourcePods] = *resource.NewQuantity(int64(n), resource.DecimalSI)
		}
	}
	return nil
}

func gibibytes(n float64) resource.Quantity {
	return *resource.NewQuantity(int64(math.Round(n*(1<<30))), resource.BinarySI)
}

// withSlots is a as a node's allocatable.
func (a amount) withSlots() corev1.ResourceList {
	out := corev1.ResourceList(maps.Clone(a))
	if _, ok := out[corev1.ResourcePods]; !ok {
		out[corev1.ResourcePods] = *resource.NewQuantity(defaultPodSlots, resource.DecimalSI)
	}
	return out
}

// UnmarshalJSON reads "zone In z1,z2", "example.com/gen Gt 4" or "example.com/disk Exists".
func (r *requirement) UnmarshalJSON(b []byte) error {
	var text string
	if err := json.Unmarshal(b, &text); err != nil {
		return err
	}
	words := strings.SplitN(text, " ", 3)
	if len(words) < 2 {
		return fmt.Errorf("requirement %q: want \"key operator values\"", text)
	}
	r.Key, r.Operator = key(words[0]), corev1.NodeSelectorOperator(words[1])
	if len(words) == 3 {
		r.Values = strings.Split(words[2], ",")
	}
	return nil
}

func plainRequirements(rs []requirement) []corev1.NodeSelectorRequirement {
	var out []corev1.NodeSelectorRequirement
	for _, r := range rs {
		out = append(out, corev1.NodeSelectorRequirement(r))
	}
	return out
}

// UnmarshalJSON reads "key=value:Effect" or "key:Effect".
func (t *taint) UnmarshalJSON(b []byte) error {
	var text string
	if err := json.Unmarshal(b, &text); err != nil {
		return err
	}
	rest, effect, ok := strings.Cut(text, ":")
	if !ok {
		return fmt.Errorf("taint %q: want \"key=value:Effect\"", text)
	}
	t.Key, t.Value, _ = strings.Cut(rest, "=")
	t.Effect = corev1.TaintEffect(effect)
	return nil
}

func plainTaints(ts []taint) []corev1.Taint {
	var out []corev1.Taint
	for _, t := range ts {
		out = append(out, corev1.Taint(t))
	}
	return out
}

// UnmarshalJSON reads "*" for every taint, "key" or "key:Effect".
func (t *toleration) UnmarshalJSON(b []byte) error {
	var text string
	if err := json.Unmarshal(b, &text); err != nil {
		return err
	}
	t.Operator = corev1.TolerationOpExists
	if text != "*" {
		k, effect, _ := strings.Cut(text, ":")
		t.Key, t.Effect = k, corev1.TaintEffect(effect)
	}
	return nil
}

var number = regexp.MustCompile(`-\d+$`)

// numbered is name, or name-1 to name-count.
func numbered(name string, count int) []string {
	if count == 0 {
		return []string{name}
	}
	var out []string
	for i := range count {
		out = append(out, fmt.Sprintf("%s-%d", name, i+1))
	}
	return out
}

// anyWord says whether got is one of want's words, "A|B".
func anyWord(want, got string) bool {
	return slices.Contains(strings.Split(want, "|"), got)
}
