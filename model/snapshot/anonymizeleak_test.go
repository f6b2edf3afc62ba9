package snapshot

import (
	"encoding/json"
	"reflect"
	"slices"
	"strings"
	"testing"

	"github.com/stretchr/testify/require"
	batchv1 "k8s.io/api/batch/v1"
	metav1 "k8s.io/apimachinery/pkg/apis/meta/v1"
	"k8s.io/apimachinery/pkg/runtime"
	"k8s.io/apimachinery/pkg/types"
	"k8s.io/apimachinery/pkg/util/intstr"
	karpv1 "sigs.k8s.io/karpenter/pkg/apis/v1"
	karpv1alpha1 "sigs.k8s.io/karpenter/pkg/apis/v1alpha1"

	"github.com/mortise-io/mortise/api/v1alpha1"
)

// secret is what a user may have written anywhere.
const secret = "acme-7hush.corp/Zebra"

// TestAnonymizeLeaksNothing writes the secret into every text of every kind,
// the API's own words apart, and looks for parts of it.
func TestAnonymizeLeaksNothing(t *testing.T) {
	t.Parallel()
	s := &v1alpha1.Snapshot{TypeMeta: metav1.TypeMeta{APIVersion: v1alpha1.APIVersion, Kind: v1alpha1.KindSnapshot}}
	fill(reflect.ValueOf(&s.Policy).Elem())
	fill(reflect.ValueOf(&s.InstanceTypes).Elem())
	for _, kind := range Kinds() {
		o := kinds[kind.GroupKind()].empty()
		fill(reflect.ValueOf(o).Elem())
		o.GetObjectKind().SetGroupVersionKind(kind.GroupVersionKind)
		s.Objects = append(s.Objects, runtime.RawExtension{Object: o})
	}
	before := text(t, s)
	for _, path := range []string{"env", "image", "command", "nodeSelector", "selector", "annotations", "requirements", "tolerations"} {
		require.Contains(t, before, `"`+path+`":`)
	}
	require.Greater(t, strings.Count(before, secret), 5000)

	after := text(t, Anonymize(s))
	for _, part := range []string{"acme", "hush", "corp", "Zebra"} {
		if i := strings.Index(after, part); i >= 0 {
			t.Errorf("%q is left: …%s…", part, after[max(0, i-200):min(len(after), i+100)])
		}
	}
	require.Equal(t, before, text(t, s), "the snapshot itself is left alone")
}

// apiWords are texts that the API server lets nobody choose, or that are no
// names: patterns, quantities, schedules. Instance types, zones and node classes
// keep theirs.
var apiWords = map[reflect.Type][]string{
	reflect.TypeFor[v1alpha1.Policy]():              {"PoolOrder", "QuietScope", "Drift", "Limits"},
	reflect.TypeFor[v1alpha1.Window]():              {"Reasons"},
	reflect.TypeFor[v1alpha1.Allow]():               {"Schedule", "TimeZone"},
	reflect.TypeFor[v1alpha1.InstanceType]():        {"Name"},
	reflect.TypeFor[v1alpha1.Offering]():            {"Zone", "CapacityType"},
	reflect.TypeFor[karpv1.Budget]():                {"Nodes", "Schedule"},
	reflect.TypeFor[karpv1.NodeClassReference]():    {"Group", "Kind"},
	reflect.TypeFor[karpv1alpha1.NodeOverlaySpec](): {"Price", "PriceAdjustment"},
	reflect.TypeFor[batchv1.JobStatus]():            {"CompletedIndexes", "FailedIndexes"},
}

// fill writes the secret into every text below the value, with one element in
// every list and map.
func fill(v reflect.Value) {
	switch v.Addr().Interface().(type) {
	case *metav1.TypeMeta, *metav1.Time, *metav1.MicroTime, *metav1.Duration, *karpv1.NillableDuration, *metav1.FieldsV1:
		return
	case *runtime.RawExtension:
		v.Set(reflect.ValueOf(runtime.RawExtension{Raw: []byte(`{"text":"` + secret + `"}`)}))
		return
	case *intstr.IntOrString:
		v.Set(reflect.ValueOf(intstr.FromString(secret)))
		return
	}
	switch v.Kind() {
	case reflect.Pointer:
		v.Set(reflect.New(v.Type().Elem()))
		fill(v.Elem())
	case reflect.Slice:
		v.Set(reflect.MakeSlice(v.Type(), 1, 1))
		fill(v.Index(0))
	case reflect.Map:
		key, value := reflect.New(v.Type().Key()).Elem(), reflect.New(v.Type().Elem()).Elem()
		fill(key)
		fill(value)
		v.Set(reflect.MakeMap(v.Type()))
		v.SetMapIndex(key, value)
	case reflect.Struct:
		for i := range v.NumField() {
			if field := v.Type().Field(i); field.IsExported() && !slices.Contains(apiWords[v.Type()], field.Name) {
				fill(v.Field(i))
			}
		}
	case reflect.String:
		if t := v.Type(); t == reflect.TypeFor[string]() || t == reflect.TypeFor[types.UID]() {
			v.SetString(secret)
		}
	}
}

func text(t *testing.T, v any) string {
	t.Helper()
	data, err := json.Marshal(v)
	require.NoError(t, err)
	return string(data)
}
