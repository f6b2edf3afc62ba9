package fields_test

import (
	"math"
	"reflect"
	"testing"
	"time"

	"github.com/stretchr/testify/require"
	corev1 "k8s.io/api/core/v1"
	"k8s.io/apimachinery/pkg/api/resource"

	"github.com/mortise-io/mortise/api/fields"
)

func TestPaths(t *testing.T) {
	t.Parallel()
	for key, want := range map[string]string{
		"zone": "$.a.zone", "": `$.a[""]`, "nvidia.com/gpu": `$.a["nvidia.com/gpu"]`, "two words": `$.a["two words"]`, `"`: `$.a["\""]`,
	} {
		require.Equal(t, want, fields.Key("$.a", key))
	}
	require.Equal(t, "$.a[2]", fields.Index("$.a", 2))
	require.EqualError(t, fields.Faultf("$.a", "expected %d", 1), "$.a: expected 1")
	require.EqualError(t, fields.Faultf("", "expected one document"), "expected one document")
}

// text is a fault as it is told, or empty.
func text(f *fields.Fault) string {
	if f == nil {
		return ""
	}
	return f.Error()
}

func TestDecode(t *testing.T) {
	t.Parallel()
	type leaf struct {
		N    int32             `json:"n"`
		Q    resource.Quantity `json:"q"`
		When *time.Time        `json:"when"`
	}
	type document struct {
		leaf `json:",inline"`
		List []leaf          `json:"list"`
		Map  map[string]leaf `json:"map"`
	}
	for _, test := range []struct{ name, data, want string }{
		{"what fits", `{"n": 1, "q": "5Gi", "list": [{"n": 2}], "map": {"a": {"when": null}}}`, ""},
		{"an unknown field", `{"list": [{"N": 2}]}`, "$.list[0].N: unknown field"},
		{"a field given twice", `{"n": 1, "n": 2}`, "$.n: given twice"},
		{"a word for a number", `{"n": "one"}`, `$.n: expected a whole number of at most 32 bits, got "one"`},
		{"a number that is too large", `{"n": 3000000000}`, "$.n: expected a whole number of at most 32 bits, got 3000000000"},
		{"a quantity that is none", `{"map": {"x.y": {"q": "5 GB"}}}`, `$.map["x.y"].q: expected a quantity such as 500m or 2Gi, got "5 GB"`},
		{"a time that is none", `{"list": [{}, {"when": "noon"}]}`, `$.list[1].when: expected a time such as 2026-12-01T09:00:00Z, got "noon"`},
		{"a list that is none", `{"list": {"n":  1}}`, `$.list: expected a list, got {"n": 1}`},
		{"the first of two by name", `{"q": "x", "n": "x"}`, `$.n: expected a whole number of at most 32 bits, got "x"`},
		{"a long value, cut", `{"n": "0123456789012345678901234567890123456789"}`, `$.n: expected a whole number of at most 32 bits, got "012345678901234567890123456789012345678…`},
		{"a document of another shape", `[]`, "$: expected an object, got []"},
	} {
		t.Run(test.name, func(t *testing.T) {
			t.Parallel()
			require.Equal(t, test.want, text(fields.DecodeKnown([]byte(test.data), &document{})))
		})
	}
	var d document
	unknown, fault := fields.Decode([]byte(`{"n": 1, "m": 2, "k": 3}`), &d)
	require.Nil(t, fault)
	require.Equal(t, []string{"$.m: unknown field", "$.k: unknown field"}, []string{text(unknown[0]), text(unknown[1])})
	require.EqualValues(t, 1, d.N, "what is known is read")
	require.Nil(t, fields.Type("$", []byte(`{"n": 1}`), reflect.TypeFor[leaf]()))
}

func TestRequirements(t *testing.T) {
	t.Parallel()
	is := func(operator string, values ...string) corev1.NodeSelectorRequirement {
		return corev1.NodeSelectorRequirement{Key: "team", Operator: corev1.NodeSelectorOperator(operator), Values: values}
	}
	type list = []corev1.NodeSelectorRequirement
	const never = "$: no value of team meets all of them"
	for _, test := range []struct {
		name string
		list list
		want string
	}{
		{"none", nil, ""},
		{"one of each operator", list{is("In", "7", "8"), is("NotIn", "9"), is("Exists"), is("Gt", "6"), is("Lt", "9"), is("Gte", "7"), is("Lte", "8")}, ""},
		{"a key that is none", list{{Key: "a b", Operator: "Exists"}}, `$[0].key: expected a label key, got "a b"`},
		{"an operator that is none", list{is("Is", "7")}, `$[0].operator: expected In, NotIn, Exists, DoesNotExist, Gt, Lt, Gte or Lte, got "Is"`},
		{"a value that no label can have", list{is("NotIn", "a", "a b")}, `$[0].values[1]: expected a label value, got "a b"`},
		{"In without a value", list{is("In")}, "$[0].values: operator In needs at least one value"},
		{"Exists with one", list{is("Exists", "7")}, "$[0].values: operator Exists takes no values"},
		{"a bound below zero", list{is("Gt", "-1")}, `$[0].values[0]: expected a label value, got "-1"`},
		{"a bound that is no number", list{is("Lt", "x")}, `$[0].values: operator Lt needs one whole number that is not negative, got ["x"]`},
		{"two bounds in one", list{is("Gte", "1", "2")}, `$[0].values: operator Gte needs one whole number that is not negative, got ["1" "2"]`},
		{"two values of one label", list{is("In", "a"), is("In", "b")}, never},
		{"a value that is excluded", list{is("NotIn", "a"), is("In", "a")}, never},
		{"a label that is not to exist", list{is("Exists"), is("DoesNotExist")}, never},
		{"bounds the wrong way round", list{is("Gt", "5"), is("Lt", "3")}, never},
		{"a label unwanted twice", list{is("NotIn", "a"), is("DoesNotExist")}, ""},
	} {
		t.Run(test.name, func(t *testing.T) {
			t.Parallel()
			require.Equal(t, test.want, text(fields.Requirements("$", test.list)))
		})
	}
}

func TestValues(t *testing.T) {
	t.Parallel()
	require.Nil(t, fields.Word("$.drift", "act", "act", "report"))
	require.EqualError(t, fields.Word("$.drift", "Act", "act", "report"), `$.drift: expected act or report, got "Act"`)
	require.EqualError(t, fields.Word("$.kind", "", "Plan"), `$.kind: expected Plan, got ""`)

	for price, fits := range map[float64]bool{0: true, 0.5: true, fields.MostUSD: true, -0.1: false, 1e7: false, math.Inf(1): false, math.NaN(): false} {
		require.Equal(t, fits, fields.Number("$.price", &price, fields.Dollars) == nil, price)
	}
	require.Nil(t, fields.Number("$.price", nil, fields.Dollars), "what is not given is not wrong")

	for _, test := range []struct{ cpu, want string }{
		{"0", ""},
		{"9000G", ""},
		{"-1m", "$.capacity.cpu: expected a quantity that is not negative, got -1m"},
		{"10P", "$.capacity.cpu: expected a quantity that a machine can have, got 10P"},
	} {
		amounts := corev1.ResourceList{corev1.ResourceCPU: resource.MustParse(test.cpu), corev1.ResourceMemory: resource.MustParse("1Ti")}
		require.Equal(t, test.want, text(fields.Quantities("$.capacity", amounts)))
	}
}
