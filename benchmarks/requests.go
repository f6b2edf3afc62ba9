package benchmarks

import (
	"math"
	"math/rand/v2"

	corev1 "k8s.io/api/core/v1"
	"k8s.io/apimachinery/pkg/api/resource"
)

// random draws the same numbers in every run.
func random(stream uint64) *rand.Rand {
	return rand.New(rand.NewPCG(2026, stream))
}

// request is what people write: round numbers.
type request struct{ milli, mebi int64 }

// distinctRequests are so many, no two alike, so that each makes a pod group of
// its own: small ones more often than large ones, and half a GiB to ten for
// each core.
func distinctRequests(r *rand.Rand, count int) []request {
	cores := []int64{10, 20, 25, 50, 50, 75, 100, 100, 100, 150, 200, 200, 250, 250, 300, 400, 500, 500, 600, 750, 1000, 1000, 1500, 2000, 2000, 3000, 4000}
	taken := map[request]bool{}
	var out []request
	for len(out) < count {
		milli := cores[r.IntN(len(cores))]
		perCore := 512 * math.Pow(20, r.Float64()) // MiB
		q := request{milli, round(milli * int64(perCore) / 1000)}
		if !taken[q] {
			taken[q] = true
			out = append(out, q)
		}
	}
	return out
}

// round is to the sixteen MiB below 256, to the 64 below a GiB, and to the 256 from there on.
func round(mebi int64) int64 {
	step := int64(16)
	switch {
	case mebi >= 1024:
		step = 256
	case mebi >= 256:
		step = 64
	}
	return max(32, (mebi+step/2)/step*step)
}

func (q request) list() corev1.ResourceList {
	return corev1.ResourceList{
		corev1.ResourceCPU:    *resource.NewMilliQuantity(q.milli, resource.DecimalSI),
		corev1.ResourceMemory: *resource.NewQuantity(q.mebi<<20, resource.BinarySI),
	}
}

// shares are in proportion to 1, 1/2, 1/3 and so on, and add up to one: in real
// clusters a few applications are large and many are small.
func shares(count int) []float64 {
	out, sum := make([]float64, count), 0.0
	for i := range out {
		out[i] = 1 / float64(i+1)
		sum += out[i]
	}
	for i := range out {
		out[i] /= sum
	}
	return out
}
