package snapshot

import (
	"fmt"
	"math/rand/v2"
	"slices"
	"testing"

	"github.com/stretchr/testify/require"

	"github.com/mortise-io/mortise/api/v1alpha1"
	"github.com/mortise-io/mortise/model"
)

func TestWhoIsLeftWaitingHadNoNodeOrLosesItAnyway(t *testing.T) {
	b := newBuilt("default")
	b.node("dead", "default", 0.2).goes = v1alpha1.RemovalDeleted
	b.node("idle", "default", 0.2)
	b.node("stays", "default", 0.2)
	b.group("web", 1000, "a-pending", "b-pending", "c@dead", "d@idle", "e@stays")
	b.removes(model.Forced, "dead")
	b.removes(model.Underutilized, "idle")

	places := func(n int) (moved, placed, waiting []string) {
		b.solution.Nodes[2].Pods = []model.Count{{Group: 0, N: n}}
		p := b.plan()
		for _, r := range p.Removals {
			for _, m := range r.Moves {
				moved = append(moved, m.Pod)
			}
		}
		for _, d := range p.Placements {
			placed = append(placed, d.Pod)
		}
		for _, u := range p.Unplaced {
			waiting = append(waiting, u.Pods...)
		}
		return moved, placed, waiting
	}

	moved, placed, waiting := places(1)
	require.Equal(t, []string{"default/d"}, moved)
	require.Empty(t, placed)
	require.Equal(t, []string{"default/a-pending", "default/b-pending", "default/c"}, waiting)

	moved, placed, waiting = places(3)
	require.Equal(t, []string{"default/c", "default/d"}, moved)
	require.Equal(t, []string{"default/a-pending"}, placed, "the last by name waits")
	require.Equal(t, []string{"default/b-pending"}, waiting)
}

func TestPodsAreDealtToNodesThenToLaunches(t *testing.T) {
	b := newBuilt("default")
	b.node("n2", "default", 0.2)
	b.node("n1", "default", 0.2)
	b.shape("default:t4/on-demand/z1", 4, 0.2)
	b.group("web", 1000, "p3", "p1", "p4", "p2")
	b.receives("n1", "web 1")
	b.receives("n2", "web 1")
	b.launches("default:t4/on-demand/z1", "web 2")

	require.Equal(t, []v1alpha1.Destination{
		{Pod: "default/p1", Node: "n1"},
		{Pod: "default/p2", Node: "n2"},
		{Pod: "default/p3", Launch: "launch-1"},
		{Pod: "default/p4", Launch: "launch-1"},
	}, b.plan().Placements)
}

func TestAPlaceOnAClaimWithoutANodeNamesTheClaim(t *testing.T) {
	b := newBuilt("default")
	coming := b.node("i-123", "default", 0.2)
	coming.node, coming.initialized = nil, false
	b.group("web", 1000, "p")
	b.receives("i-123", "web 1")
	require.Equal(t, []v1alpha1.Destination{{Pod: "default/p", NodeClaim: "default-i-123"}}, b.plan().Placements)
}

func TestANominatedPodIsPlacedOnItsNode(t *testing.T) {
	b := newBuilt("default")
	on := b.node("n1", "default", 0.2)
	b.group("web", 1000, "promised")
	b.nominated = []nomination{{pod: b.groups[0].pods[0].pod, on: on}}
	b.groups[0].pods = nil
	require.Equal(t, []v1alpha1.Destination{{Pod: "default/promised", Node: "n1"}}, b.plan().Placements)
}

func TestEqualSolutionsHaveEqualPlans(t *testing.T) {
	assemble := func(shuffle func([]model.Machine), shufflePods func([]*groupPod)) *v1alpha1.Plan {
		b := newBuilt("default", "other")
		for i := range 4 {
			b.node(fmt.Sprintf("n%d", i), "default", 0.2)
		}
		b.shape("default:t4/on-demand/z1", 4, 0.2)
		b.shape("default:t4/on-demand/z2", 4, 0.2)
		b.shape("other:t4/spot/z1", 4, 0.1)
		b.group("web", 500, "w1", "w2", "w3", "w4", "w5@n0", "w6@n0", "w7@n1")
		b.group("db", 1000, "d1", "d2", "d3@n1", "d4@n2")
		b.removes(model.Underutilized, "n0", "n1")
		b.launches("default:t4/on-demand/z1", "web 2")
		b.launches("default:t4/on-demand/z2", "web 1, db 1")
		b.launches("default:t4/on-demand/z1", "web 2")
		b.launches("other:t4/spot/z1", "db 1")
		b.launches("default:t4/on-demand/z2", "web 2, db 1")
		shuffle(b.solution.Launches)
		for _, g := range b.groups {
			shufflePods(g.pods)
		}
		return b.plan()
	}
	want := assemble(func([]model.Machine) {}, func([]*groupPod) {})
	require.Len(t, want.Launches, 5)
	for seed := range uint64(50) {
		r := rand.New(rand.NewPCG(seed, 0))
		got := assemble(
			func(m []model.Machine) { r.Shuffle(len(m), func(i, j int) { m[i], m[j] = m[j], m[i] }) },
			func(p []*groupPod) { r.Shuffle(len(p), func(i, j int) { p[i], p[j] = p[j], p[i] }) },
		)
		require.Equal(t, want, got, "seed %d", seed)
	}
}

func TestEveryDemandedPodIsNamedOnce(t *testing.T) {
	for seed := range uint64(100) {
		r := rand.New(rand.NewPCG(seed, 1))
		b := newBuilt("default")
		b.shape("default:t4/on-demand/z1", 40, 0.2)
		var pods []string
		for i := range 3 {
			b.node(fmt.Sprintf("n%d", i), "default", 0.2)
		}
		demand := 0
		for i := range r.IntN(20) {
			name := fmt.Sprintf("p%02d", i)
			if on := r.IntN(4); on < 3 {
				name += fmt.Sprintf("@n%d", on)
				demand += asCount(on == 0)
			} else {
				demand++
			}
			pods = append(pods, name)
		}
		b.group("web", 10, pods...)
		b.removes(model.Drifted, "n0")
		if k := r.IntN(demand + 1); k > 0 {
			b.launches("default:t4/on-demand/z1", fmt.Sprintf("web %d", k))
		}

		p := b.plan()
		var named []string
		for _, rm := range p.Removals {
			for _, m := range rm.Moves {
				named = append(named, m.Pod)
			}
		}
		for _, d := range p.Placements {
			named = append(named, d.Pod)
		}
		for _, u := range p.Unplaced {
			named = append(named, u.Pods...)
		}
		require.Len(t, named, demand, "seed %d", seed)
		slices.Sort(named)
		require.Equal(t, slices.Compact(slices.Clone(named)), named, "seed %d", seed)
	}
}
