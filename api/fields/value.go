package fields

import (
	"maps"
	"math"
	"slices"
	"strings"

	corev1 "k8s.io/api/core/v1"
	"k8s.io/apimachinery/pkg/api/resource"
)

// Word says if a word is none of those that a field may have.
func Word(path, got string, words ...string) *Fault {
	if slices.Contains(words, got) {
		return nil
	}
	if last := len(words) - 1; last > 0 {
		return Faultf(path, "expected %s or %s, got %q", strings.Join(words[:last], ", "), words[last], got)
	}
	return Faultf(path, "expected %s, got %q", words[0], got)
}

// Range says which numbers a field can have.
type Range struct {
	Holds    func(float64) bool
	Expected string
}

// MostUSD is more than any machine costs an hour.
const MostUSD = 1_000_000

// Ranges that many fields have.
var (
	NotNegative = Range{func(x float64) bool { return x >= 0 && !math.IsInf(x, 0) }, "a number that is not negative"}
	Dollars     = Range{func(x float64) bool { return x >= 0 && x <= MostUSD }, "USD from 0 to 1000000"}
)

// Number says if a number is given, and out of its range.
func Number(path string, x *float64, r Range) *Fault {
	if x == nil || r.Holds(*x) {
		return nil
	}
	return Faultf(path, "expected %s, got %v", r.Expected, *x)
}

// MostUnits is more of any resource than a machine can have, in thousandths of
// a core, bytes or pieces: 8 PiB, nine trillion cores.
const MostUnits = 1 << 53

// Quantities says if there is a resource of which no machine can have so much.
func Quantities(path string, amounts corev1.ResourceList) *Fault {
	for _, name := range slices.Sorted(maps.Keys(amounts)) {
		scale := resource.Scale(0)
		if name == corev1.ResourceCPU {
			scale = resource.Milli
		}
		switch q := amounts[name]; {
		case q.Sign() < 0:
			return Faultf(Key(path, string(name)), "expected a quantity that is not negative, got %s", q.String())
		case q.Cmp(*resource.NewScaledQuantity(MostUnits, scale)) >= 0:
			return Faultf(Key(path, string(name)), "expected a quantity that a machine can have, got %s", q.String())
		}
	}
	return nil
}
