package snapshot

import (
	"reflect"
	"strconv"
	"strings"
	"time"

	batchv1 "k8s.io/api/batch/v1"
	corev1 "k8s.io/api/core/v1"
	"k8s.io/apimachinery/pkg/api/resource"
	metav1 "k8s.io/apimachinery/pkg/apis/meta/v1"
	"k8s.io/apimachinery/pkg/util/intstr"
	karpv1 "sigs.k8s.io/karpenter/pkg/apis/v1"
	karpv1alpha1 "sigs.k8s.io/karpenter/pkg/apis/v1alpha1"

	"github.com/mortise-io/mortise/api/v1alpha1"
)

// verbatim are the fields whose texts are no names, and those that special
// looks after, by the struct that has them.
var verbatim = map[reflect.Type][]string{
	reflect.TypeFor[v1alpha1.Policy]():              {"PoolOrder", "QuietScope", "Drift", "Limits"},
	reflect.TypeFor[v1alpha1.Window]():              {"NodePools", "Reasons"},
	reflect.TypeFor[v1alpha1.Allow]():               {"Schedule", "TimeZone"},
	reflect.TypeFor[v1alpha1.Balance]():             {"NodePools", "Shares"},
	reflect.TypeFor[v1alpha1.Manage]():              {"NodePool"},
	reflect.TypeFor[v1alpha1.InstanceType]():        {"Name"},
	reflect.TypeFor[v1alpha1.Offering]():            {"Zone", "CapacityType"},
	reflect.TypeFor[metav1.ObjectMeta]():            {"Annotations"},
	reflect.TypeFor[karpv1.NodePool]():              {"ObjectMeta"},
	reflect.TypeFor[karpv1.Budget]():                {"Nodes", "Schedule"},
	reflect.TypeFor[karpv1.NodeClassReference]():    {"Group", "Kind"},
	reflect.TypeFor[karpv1alpha1.NodeOverlaySpec](): {"Price", "PriceAdjustment"},
	reflect.TypeFor[batchv1.JobStatus]():            {"CompletedIndexes", "FailedIndexes"},
}

// special looks after what has a rule of its own, and says whether nothing more
// is to be done below it.
func (a *anonymizer) special(at any) bool {
	switch v := at.(type) {
	case *metav1.TypeMeta, *metav1.Time, *metav1.MicroTime, *metav1.Duration, *karpv1.NillableDuration, *resource.Quantity:
		return true
	case *intstr.IntOrString:
		if !strings.HasSuffix(v.StrVal, "%") {
			v.StrVal = a.name(v.StrVal)
		}
		return true
	case *metav1.ObjectMeta:
		stripMeta(v)
		for key, value := range v.Annotations {
			v.Annotations[key] = a.annotation(value)
		}
	case *karpv1.NodePool:
		name := a.pool(v.Name)
		a.walk(reflect.ValueOf(&v.ObjectMeta).Elem())
		v.Name = name
	case *v1alpha1.Window:
		a.pools(v.NodePools)
	case *v1alpha1.Manage:
		v.NodePool = a.pool(v.NodePool)
	case *v1alpha1.Balance:
		a.pools(v.NodePools)
		shares := map[string]float64{}
		for value, share := range v.Shares {
			shares[a.value(v.TopologyKey, value)] = share
		}
		v.Shares = shares
	case *karpv1.NodeClassReference:
		a.public[nodeClassLabel(v)] = true
	default:
		return a.pair(at)
	}
	return false
}

// pair looks after a key with its values.
func (a *anonymizer) pair(at any) bool {
	switch v := at.(type) {
	case *corev1.Taint:
		v.Key, v.Value = a.name(v.Key), a.value(v.Key, v.Value)
	case *corev1.Toleration:
		v.Key, v.Value = a.name(v.Key), a.value(v.Key, v.Value)
	case *metav1.LabelSelectorRequirement:
		a.requirement(&v.Key, string(v.Operator), v.Values)
	case *corev1.NodeSelectorRequirement:
		a.requirement(&v.Key, string(v.Operator), v.Values)
	case *karpv1.NodeSelectorRequirementWithMinValues:
		a.requirement(&v.Key, string(v.Operator), v.Values)
	case *karpv1alpha1.NodeSelectorRequirement:
		a.requirement(&v.Key, string(v.Operator), v.Values)
	case *corev1.TopologySelectorLabelRequirement:
		a.requirement(&v.Key, string(corev1.NodeSelectorOpIn), v.Values)
	default:
		return false
	}
	return true
}

func (a *anonymizer) requirement(key *string, operator string, values []string) {
	switch corev1.NodeSelectorOperator(operator) {
	case corev1.NodeSelectorOpGt, corev1.NodeSelectorOpLt, karpv1.NodeSelectorOpGte, karpv1.NodeSelectorOpLte:
		a.compared[*key] = true
	}
	for i := range values {
		values[i] = a.value(*key, values[i])
	}
	*key = a.name(*key)
}

// annotation is the value of an annotation that a rule reads: a switch, a
// number or a time; anything else counts as a name.
func (a *anonymizer) annotation(s string) string {
	_, notBool := strconv.ParseBool(s)
	_, notDuration := time.ParseDuration(s)
	_, notTime := time.Parse(time.RFC3339, s)
	if isNumber(s) || notBool == nil || notDuration == nil || notTime == nil {
		return s
	}
	return a.name(s)
}

func isNumber(s string) bool {
	_, err := strconv.ParseFloat(s, 64)
	return err == nil
}
