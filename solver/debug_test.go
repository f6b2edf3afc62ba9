package solver

import (
	"encoding/json"
	"os"
	"strconv"
	"testing"

	"github.com/mortise-io/mortise/model/modeltest"
)

func TestDebug(t *testing.T) {
	for _, a := range []string{os.Getenv("SEED")} {
		if a == "" {
			t.Skip()
		}
		seed, _ := strconv.ParseUint(a, 10, 64)
		p := modeltest.Random(seed)
		b, _ := json.Marshal(p.Shapes)
		t.Logf("shapes %s", b)
		b, _ = json.Marshal(p.Nodes)
		t.Logf("nodes %s", b)
		for i := range p.Groups {
			g := &p.Groups[i]
			var ss []int
			for s := range g.Shapes.All() {
				ss = append(ss, int(s))
			}
			var ns []int
			for s := range g.Nodes.All() {
				ns = append(ns, int(s))
			}
			t.Logf("group %s req %v demand %d prio %d max %d conf %v origin %+v shapes %v nodes %v", g.Name, g.Request, g.Demand, g.Priority, g.MaxPerMachine, g.Conflicts, g.Origin, ss, ns)
		}
		t.Logf("rules %+v limits %+v pools %+v", p.Rules, p.Limits, p.Pools)
		s, sc, ok := modeltest.Best(p, 3_000_000)
		b, _ = json.Marshal(s)
		t.Logf("best %v %+v %s", ok, sc, b)
		got, _ := Solve(t.Context(), p, Options{Seed: seed})
		b, _ = json.Marshal(got.Solution)
		t.Logf("got %+v %s", got.Score, b)
	}
}
