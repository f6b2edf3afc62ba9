package snapshot

import (
	"math"
	"math/big"
	"strconv"

	corev1 "k8s.io/api/core/v1"
	metav1 "k8s.io/apimachinery/pkg/apis/meta/v1"
	podutils "sigs.k8s.io/karpenter/pkg/utils/pod"

	"github.com/mortise-io/mortise/model"
)

// movable lists the machine's pods that need another place when it goes: all
// but those of DaemonSets, static pods, and pods on their way out. A pod of a
// StatefulSet comes back even while it is being deleted.
//
// A pod that no controller would bring back counts too: it keeps its node from
// being called empty, and whoever creates it again finds room.
func (c *Compiled) movable(m *machine) []*corev1.Pod {
	var out []*corev1.Pod
	for _, p := range m.pods {
		if podutils.IsReschedulable(p) && !mirror(p) {
			out = append(out, p)
		}
	}
	return out
}

// mirror says whether the pod is the API server's image of a static pod of its kubelet.
func mirror(p *corev1.Pod) bool {
	return p.Annotations[corev1.MirrorPodAnnotationKey] != "" || podutils.IsOwnedByNode(p)
}

// bare says whether no controller would bring the pod back.
func bare(p *corev1.Pod) bool { return metav1.GetControllerOf(p) == nil }

// evictionUnit is the weight of an ordinary pod. A unit of pod-deletion-cost
// is 1/2²⁷ of it, one of priority 1/2²⁵.
const evictionUnit = 1 << 27

// evictionWeight is Karpenter's cost of evicting the pod, between none and ten
// ordinary pods, in parts of evictionUnit.
func (c *Compiled) evictionWeight(p *corev1.Pod) int64 {
	cost, _ := deletionCost(p)
	return min(max(0, evictionUnit+cost+4*int64(c.priority(p))), 10*evictionUnit)
}

// deletionCost is the pod's own word on what its eviction costs; false if it cannot be read.
func deletionCost(p *corev1.Pod) (int64, bool) {
	text, given := p.Annotations[corev1.PodDeletionCost]
	if !given {
		return 0, true
	}
	cost, err := strconv.ParseInt(text, 10, 32)
	if err != nil {
		return 0, false
	}
	return cost, true
}

// evictCost is the one-off cost of evicting the machine's movable pods, spread
// over the horizon. Pods that are being deleted already cost nothing.
func (c *Compiled) evictCost(m *machine) model.Money {
	var weight int64
	for _, p := range c.movable(m) {
		if podutils.IsActive(p) {
			weight += c.evictionWeight(p)
		}
	}
	if weight == 0 || c.policy.Horizon.Duration <= 0 {
		return 0
	}
	cost := decimal(*c.policy.EvictionCost)
	cost.Mul(cost, big.NewRat(weight, evictionUnit))
	// The cost is in dollars over the horizon, a duration in nanoseconds; money is per hour.
	cost.Mul(cost, big.NewRat(3600*1e9, int64(c.policy.Horizon.Duration)))
	return rounded(cost.Mul(cost, big.NewRat(int64(model.Dollar), 1)))
}

// hurdle is what the policy asks a voluntary removal of the machine to save first.
func (c *Compiled) hurdle(m *machine) model.Money {
	if !m.priced {
		return 0
	}
	share := decimal(c.policy.Savings.Percent)
	return rounded(share.Mul(share, big.NewRat(int64(m.price), 100)))
}

// disruption is 1 plus the eviction weights of the machine's movable pods, in millionths.
func (c *Compiled) disruption(m *machine) int64 {
	var weight int64
	for _, p := range c.movable(m) {
		weight += c.evictionWeight(p)
	}
	millionths := big.NewRat(weight, evictionUnit)
	return 1_000_000 + int64(rounded(millionths.Mul(millionths, big.NewRat(1_000_000, 1))))
}

// decimal is the number as it is written in a file: 0.1 is a tenth.
func decimal(x float64) *big.Rat {
	r, ok := new(big.Rat).SetString(strconv.FormatFloat(x, 'g', -1, 64))
	if !ok {
		return new(big.Rat) // infinite, or not a number
	}
	return r
}

// rounded is the nearest whole number, halves up; the largest there is if it is beyond that.
func rounded(x *big.Rat) model.Money {
	twice := new(big.Int).Lsh(x.Num(), 1)
	twice.Add(twice, x.Denom())
	whole := twice.Div(twice, new(big.Int).Lsh(x.Denom(), 1))
	if !whole.IsInt64() {
		return math.MaxInt64
	}
	return model.Money(whole.Int64())
}

// warnOfDeletionCosts names the pods whose deletion cost cannot be read.
func (c *Compiled) warnOfDeletionCosts() {
	bad := map[string][]string{}
	for _, m := range c.nodes {
		for _, p := range c.movable(m) {
			if _, ok := deletionCost(p); !ok {
				text := p.Annotations[corev1.PodDeletionCost]
				bad[text] = append(bad[text], podKey(p))
			}
		}
	}
	for _, text := range sortedKeys(bad) {
		c.warn("annotation %s %q is no whole number, and is ignored on %s", corev1.PodDeletionCost, text, some("pod", bad[text]))
	}
}
