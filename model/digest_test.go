package model_test

import (
	"bytes"
	"encoding/gob"
	"testing"

	"github.com/stretchr/testify/require"

	"github.com/mortise-io/mortise/model"
	"github.com/mortise-io/mortise/model/modeltest"
)

func TestDigestTellsProblemsApart(t *testing.T) {
	seen := map[string]uint64{}
	for seed := range uint64(200) {
		p := modeltest.Random(seed)
		digest := p.Digest()
		require.Equal(t, digest, modeltest.Random(seed).Digest())
		require.NotContains(t, seen, digest)
		seen[digest] = seed

		var sent bytes.Buffer
		var received model.Problem
		require.NoError(t, gob.NewEncoder(&sent).Encode(p))
		require.NoError(t, gob.NewDecoder(&sent).Decode(&received))
		require.Equal(t, digest, received.Digest(), "a copy from another process is the same problem")
	}
}

func TestDigestSeesEveryChange(t *testing.T) {
	base := func() *model.Problem {
		return &model.Problem{
			Resources: []string{"cpu", "memory"},
			Pools:     []model.Pool{{Name: "a"}},
			Groups:    []model.PodGroup{{Name: "web", Request: model.Quantities{1, 2}, Demand: 3}},
			Shapes:    []model.Shape{{Name: "small", Allocatable: model.Quantities{4, 4}, Price: 5}},
		}
	}
	for name, change := range map[string]func(*model.Problem){
		"a resource's name":          func(p *model.Problem) { p.Resources[1] = "disk" },
		"where one name ends":        func(p *model.Problem) { p.Resources = []string{"cpum", "emory"} },
		"a budget":                   func(p *model.Problem) { p.Pools[0].Budget[model.Drifted] = 1 },
		"a set":                      func(p *model.Problem) { p.Groups[0].Shapes.Add(0) },
		"the other set":              func(p *model.Problem) { p.Groups[0].Nodes.Add(0) },
		"where a group's pods are":   func(p *model.Problem) { p.Groups[0].Origin.Spot = true },
		"a price that is a fee":      func(p *model.Problem) { p.Shapes[0].Price, p.Shapes[0].Fee = 0, 5 },
		"a request of zero and none": func(p *model.Problem) { p.Groups[0].Request = model.Quantities{1} },
		"a rule":                     func(p *model.Problem) { p.Rules.PendingApart = true },
		"a reservation":              func(p *model.Problem) { p.Reservations = []model.Reservation{{Name: "cr"}} },
	} {
		p := base()
		require.Equal(t, base().Digest(), p.Digest())
		change(p)
		require.NotEqual(t, base().Digest(), p.Digest(), name)
	}
	p := base()
	p.Nodes = []model.Node{}
	require.Equal(t, base().Digest(), p.Digest(), "an empty list is a missing one")
}
