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

func TestSteps(t *testing.T) {
	big := "default:big/on-demand/z1"
	tests := []struct {
		name  string
		build func(b *built)
		want  []v1alpha1.Step
	}{
		{"nothing to do has no step", func(*built) {}, []v1alpha1.Step{}},
		{"an empty node goes at once", func(b *built) {
			b.node("n1", "default", 0.2)
			b.removes(model.Empty, "n1")
		}, []v1alpha1.Step{{Step: 1, Remove: []string{"n1"}}}},
		{"a node waits for the launch its pods go to, another does not", func(b *built) {
			b.node("n1", "default", 0.2)
			b.node("n2", "default", 0.2)
			b.shape(big, 16, 0.3)
			b.group("web", 1000, "w@n1")
			b.launches(big, "web 1")
			b.removes(model.Underutilized, "n1")
			b.removes(model.Empty, "n2")
		}, []v1alpha1.Step{{Step: 1, Launch: []string{"launch-1"}}, {Step: 2, Remove: []string{"n2"}}, {Step: 3, After: []int{1}, Remove: []string{"n1"}}}},
		{"nodes whose pods share a budget of one go in turn", func(b *built) {
			for i := range 3 {
				b.node(fmt.Sprintf("n%d", i), "default", 0.2)
			}
			b.node("room", "default", 0.2)
			b.group("db", 100, "d0@n0", "d1@n1", "d2@n2")
			b.protects("db", 1)
			b.receives("room", "db 3")
			b.removes(model.Underutilized, "n0", "n1", "n2")
		}, []v1alpha1.Step{{Step: 1, Remove: []string{"n0"}}, {Step: 2, After: []int{1}, Remove: []string{"n1"}}, {Step: 3, After: []int{2}, Remove: []string{"n2"}}}},
		{"a budget of two takes them in pairs, and others go along", func(b *built) {
			for i := range 4 {
				b.node(fmt.Sprintf("n%d", i), "default", 0.2)
			}
			b.node("room", "default", 0.2)
			b.group("db", 100, "d0@n0", "d1@n1", "d2@n2")
			b.protects("db", 2)
			b.receives("room", "db 3")
			b.removes(model.Underutilized, "n0", "n1", "n2")
			b.removes(model.Empty, "n3")
		}, []v1alpha1.Step{{Step: 1, Remove: []string{"n0", "n1", "n3"}}, {Step: 2, After: []int{1}, Remove: []string{"n2"}}}},
		{"a node that alone exceeds a budget goes alone", func(b *built) {
			b.node("n0", "default", 0.2)
			b.node("n1", "default", 0.2)
			b.node("room", "default", 0.2)
			b.group("db", 100, "d0@n0", "d1@n0", "d2@n0", "d3@n1")
			b.protects("db", 2)
			b.receives("room", "db 4")
			b.removes(model.Underutilized, "n0", "n1")
		}, []v1alpha1.Step{{Step: 1, Remove: []string{"n0"}}, {Step: 2, After: []int{1}, Remove: []string{"n1"}}}},
		{"a shared budget also orders nodes that wait for a launch behind those that do not", func(b *built) {
			b.node("n0", "default", 0.2)
			b.node("n1", "default", 0.2)
			b.node("room", "default", 0.2)
			b.shape(big, 16, 0.3)
			b.group("db", 100, "d0@n0", "d1@n1")
			b.protects("db", 1)
			b.receives("room", "db 1")
			b.launches(big, "db 1")
			b.removes(model.Underutilized, "n0", "n1")
		}, []v1alpha1.Step{{Step: 1, Launch: []string{"launch-1"}}, {Step: 2, Remove: []string{"n0"}}, {Step: 3, After: []int{1, 2}, Remove: []string{"n1"}}}},
	}
	for _, test := range tests {
		t.Run(test.name, func(t *testing.T) {
			b := newBuilt("default")
			test.build(b)
			p := b.plan()
			require.Equal(t, test.want, p.Steps)
			for _, r := range p.Removals {
				require.Contains(t, p.Steps[r.Step-1].Remove, r.Node)
			}
		})
	}
}

// TestStepsKeepEveryBudget holds random plans against the definition: at no
// time do unordered steps evict more pods of a budget, over different nodes,
// than it allows.
func TestStepsKeepEveryBudget(t *testing.T) {
	for seed := range uint64(200) {
		r := rand.New(rand.NewPCG(seed, 2))
		b := newBuilt("default")
		b.shape("default:big/on-demand/z1", 64, 1)
		nodes := 2 + r.IntN(6)
		for i := range nodes {
			b.node(fmt.Sprintf("n%d", i), "default", 0.2)
		}
		b.node("room", "default", 0.2)
		on := map[string]map[string]int{}
		for g := range 3 {
			group := fmt.Sprintf("g%d", g)
			on[group] = map[string]int{}
			var pods []string
			for i := range 1 + r.IntN(6) {
				node := fmt.Sprintf("n%d", r.IntN(nodes))
				on[group][node]++
				pods = append(pods, fmt.Sprintf("%s-%d@%s", group, i, node))
			}
			b.group(group, 10, pods...)
			b.protects(group, int32(1+r.IntN(3)))
			if k := r.IntN(len(pods)); k > 0 {
				b.launches("default:big/on-demand/z1", fmt.Sprintf("%s %d", group, k))
				b.solution.Nodes[nodes].Pods = append(b.solution.Nodes[nodes].Pods, model.Count{Group: model.GroupIndex(g), N: len(pods) - k})
			} else {
				b.solution.Nodes[nodes].Pods = append(b.solution.Nodes[nodes].Pods, model.Count{Group: model.GroupIndex(g), N: len(pods)})
			}
		}
		for i := range nodes {
			b.removes(model.Underutilized, fmt.Sprintf("n%d", i))
		}
		p := b.plan()

		before := map[int]map[int]bool{} // transitively
		for _, s := range p.Steps {
			before[s.Step] = map[int]bool{}
			for _, a := range s.After {
				require.Less(t, a, s.Step)
				before[s.Step][a] = true
				for x := range before[a] {
					before[s.Step][x] = true
				}
			}
		}
		for _, rm := range p.Removals {
			if slices.ContainsFunc(rm.Moves, func(m v1alpha1.Destination) bool { return m.Launch != "" }) {
				require.True(t, before[rm.Step][1], "seed %d: %s does not wait for its launch", seed, rm.Node)
			}
		}
		for _, budget := range b.pdbs["default"] {
			for _, x := range p.Removals {
				together, company := 0, 0
				for _, y := range p.Removals {
					n := on[budget.object.Name][y.Node]
					if n > 0 && !before[x.Step][y.Step] && !before[y.Step][x.Step] {
						together += n
						company++
					}
				}
				if on[budget.object.Name][x.Node] > 0 && company > 1 {
					require.LessOrEqual(t, together, int(budget.object.Status.DisruptionsAllowed), "seed %d: %s with others", seed, x.Node)
				}
			}
		}
	}
}
