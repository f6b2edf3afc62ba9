package snapshot

import (
	"cmp"
	"fmt"
	"math/rand/v2"
	"slices"
	"testing"

	"github.com/stretchr/testify/require"

	"github.com/mortise-io/mortise/api/v1alpha1"
	"github.com/mortise-io/mortise/model"
)

func TestAlternatives(t *testing.T) {
	types := func(b *built) []string {
		var out []string
		for _, a := range b.plan().Launches[0].Alternatives {
			out = append(out, a.InstanceType+"/"+a.CapacityType+"/"+a.Zone)
		}
		return out
	}
	own := "default:t4/on-demand/z1"
	tests := []struct {
		name  string
		build func(b *built)
		want  []string
	}{
		{"are cheapest first, then by name, and never the launch's own offering", func(b *built) {
			b.shape("default:t9/on-demand/z1", 4, 0.3)
			b.shape("default:t8/on-demand/z1", 4, 0.3)
			b.shape("default:t8/spot/z1", 4, 0.1)
		}, []string{"t8/spot/z1", "t8/on-demand/z1", "t9/on-demand/z1"}},
		{"are of the same pool", func(b *built) { b.shape("other:t8/on-demand/z1", 4, 0.3) }, nil},
		{"are large enough beside their daemons", func(b *built) { b.shape("default:t3/on-demand/z1", 3, 0.1) }, nil},
		{"do not break a limit on cores", func(b *built) {
			b.shape("default:t5/on-demand/z1", 5, 0.3)
			b.shape("default:t6/on-demand/z1", 6, 0.3)
			b.limits("default", 0, 5000)
		}, []string{"t5/on-demand/z1"}},
		{"do not break a limit in money", func(b *built) {
			b.shape("default:t8/on-demand/z1", 8, 0.25)
			b.shape("default:t9/on-demand/z1", 8, 0.26)
			b.limits("", model.Spending, int64(model.Dollars(0.25)))
		}, []string{"t8/on-demand/z1"}},
		{"do not overdraw a reservation", func(b *built) {
			b.shape("default:t8/reserved/z1", 8, 0)
			b.shape("default:t9/reserved/z1", 8, 0)
			b.Problem.Shapes[1].Reservation, b.Problem.Shapes[2].Reservation = 0, 1
			b.Problem.Reservations = []model.Reservation{{Name: "cr-1", Count: 1}, {Name: "cr-2", Count: 0}}
		}, []string{"t8/reserved/z1"}},
		{"cost no more than the policy's premium", func(b *built) {
			premium := 10.0
			b.policy.MaxPremium = &premium
			b.shape("default:t8/on-demand/z1", 8, 0.22)
			b.shape("default:t9/on-demand/z1", 8, 0.23)
		}, []string{"t8/on-demand/z1"}},
		{"are allowed to the pods", func(b *built) { b.shape("default:forbidden/on-demand/z1", 8, 0.22) }, nil},
	}
	for _, test := range tests {
		t.Run(test.name, func(t *testing.T) {
			b := newBuilt("default", "other")
			b.shape(own, 4, 0.2)
			test.build(b)
			b.group("web", 1500, "a", "b")
			if i, ok := b.shapeOf["default:forbidden/on-demand/z1"]; ok {
				b.Problem.Groups[0].Shapes.Remove(i)
			}
			b.launches(own, "web 2")
			require.Equal(t, test.want, types(b))
		})
	}
}

// TestAlternativesAgainstBruteForce tries every shape in place of every launch.
func TestAlternativesAgainstBruteForce(t *testing.T) {
	for seed := range uint64(300) {
		r := rand.New(rand.NewPCG(seed, 3))
		b := randomLaunches(r, 2+r.IntN(40), 1+r.IntN(5))
		p := b.plan()
		for i, l := range p.Launches {
			require.Equal(t, bruteAlternatives(b, p, i), l.Alternatives, "seed %d, %s", seed, l.ID)
		}
	}
}

// bruteAlternatives swaps the launch for each shape and checks the whole solution.
func bruteAlternatives(b *built, p *v1alpha1.Plan, index int) []v1alpha1.Alternative {
	l := &p.Launches[index]
	var own model.ShapeIndex
	var rest []model.ShapeIndex // shapes of the other launches
	for i := range p.Launches {
		at := b.shapeOf[p.Launches[i].NodePool+":"+p.Launches[i].InstanceType+"/"+p.Launches[i].CapacityType+"/"+p.Launches[i].Zone]
		if i == index {
			own = at
		} else {
			rest = append(rest, at)
		}
	}
	out := []v1alpha1.Alternative{}
	for i := range b.Problem.Shapes {
		si := model.ShapeIndex(i)
		if si == own || b.Problem.Shapes[i].Pool != b.Problem.Shapes[own].Pool || !bruteCarries(b, si, l.Pods) || !bruteAllowed(b, append(slices.Clone(rest), si)) {
			continue
		}
		sh := &b.shapes[i]
		out = append(out, v1alpha1.Alternative{
			InstanceType: sh.instanceType.Name, Zone: sh.offering.Zone, CapacityType: sh.offering.CapacityType, PricePerHour: sh.price.USD(),
		})
	}
	slices.SortFunc(out, func(x, y v1alpha1.Alternative) int {
		return cmp.Or(cmp.Compare(x.PricePerHour, y.PricePerHour), cmp.Compare(x.InstanceType, y.InstanceType),
			cmp.Compare(x.Zone, y.Zone), cmp.Compare(x.CapacityType, y.CapacityType))
	})
	return out[:min(len(out), 20)]
}

func bruteCarries(b *built, i model.ShapeIndex, pods []string) bool {
	var cpu int64
	for _, key := range pods {
		for g := range b.groups {
			for _, p := range b.groups[g].pods {
				if p.key() == key {
					cpu += b.Problem.Groups[g].Request[0]
					if !b.Problem.Groups[g].Shapes.Has(i) {
						return false
					}
				}
			}
		}
	}
	return cpu <= b.Problem.Shapes[i].Allocatable[0]
}

func bruteAllowed(b *built, bought []model.ShapeIndex) bool {
	for i := range b.Problem.Limits {
		l := &b.Problem.Limits[i]
		var total int64
		for _, n := range b.Problem.Nodes {
			if l.Covers(n.Pool) {
				total += l.Of(n.Capacity, n.Price)
			}
		}
		for _, k := range bought {
			if sh := &b.Problem.Shapes[k]; l.Covers(sh.Pool) {
				total += l.Of(sh.Capacity, sh.Price)
			}
		}
		if total > l.Max {
			return false
		}
	}
	spot, markets := map[model.PoolIndex]int{}, map[market]int{}
	for _, k := range bought {
		if sh := &b.Problem.Shapes[k]; sh.Spot {
			spot[sh.Pool]++
			markets[marketOf(sh)]++
		}
	}
	for m, n := range markets {
		if share := b.Problem.Rules.SpotDiversity; share > 0 && n > max(1, int(int64(spot[m.pool])*share/1_000_000)) {
			return false
		}
	}
	return true
}

// randomLaunches is a solution with launches of two pools, valid but for limits
// and shares, which are then set so that they hold.
func randomLaunches(r *rand.Rand, shapes, launches int) *built {
	b := newBuilt("a", "b")
	for i := range shapes {
		capacityType := []string{"on-demand", "spot"}[r.IntN(2)]
		b.shape(fmt.Sprintf("%s:t%03d/%s/z%d", []string{"a", "b"}[r.IntN(2)], i, capacityType, r.IntN(3)), 2+r.Int64N(30), float64(1+r.IntN(20))/100)
	}
	b.node("n1", "a", 0.05)
	for g := range 3 {
		var pods []string
		for i := range launches * 2 {
			pods = append(pods, fmt.Sprintf("g%d-%03d", g, i))
		}
		group := b.group(fmt.Sprintf("g%d", g), 100+r.Int64N(3000), pods...)
		for i := range shapes {
			if r.IntN(5) == 0 {
				b.Problem.Groups[group].Shapes.Remove(model.ShapeIndex(i))
			}
		}
	}
	var bought []model.ShapeIndex
	for range launches {
		i := model.ShapeIndex(r.IntN(shapes))
		bought = append(bought, i)
		b.solution.Launches = append(b.solution.Launches, model.Machine{Shape: i, Pods: []model.Count{{Group: 0, N: 1}, {Group: 1, N: 1 + r.IntN(2)}}})
	}
	b.Problem.Rules.SpotDiversity = []int64{0, 300_000, 600_000}[r.IntN(3)]
	if !bruteAllowed(b, bought) {
		b.Problem.Rules.SpotDiversity = 0
	}
	b.Problem.Limits = append(b.Problem.Limits, model.Limit{Pool: 0, Measure: 0}, model.Limit{Pool: model.None, Measure: model.Spending}, model.Limit{Pool: 1, Measure: model.Machines})
	used := usageOf(&b.Problem, b.solution)
	for i := range b.Problem.Limits {
		slack := []int64{5000, int64(model.Dollars(0.05)), 1}[i]
		b.Problem.Limits[i].Max = used.limits[i] + r.Int64N(slack+1)
	}
	return b
}

func BenchmarkAlternatives(b *testing.B) {
	many := randomLaunches(rand.New(rand.NewPCG(1, 4)), 16_000, 1_000)
	d := dealPods(many.Compiled, many.solution)
	for b.Loop() {
		d.planLaunches()
	}
}
