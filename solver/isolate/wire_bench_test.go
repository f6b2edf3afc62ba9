package isolate

import (
	"bytes"
	"fmt"
	"testing"

	"github.com/stretchr/testify/require"

	"github.com/mortise-io/mortise/model"
)

// largeProblem has 16,000 shapes, 500 groups and 5,000 nodes.
func largeProblem() *model.Problem {
	p := &model.Problem{Pools: []model.Pool{{Name: "default"}}}
	for r := range 8 {
		p.Resources = append(p.Resources, fmt.Sprintf("resource-%d", r))
	}
	room := func(i int) model.Quantities {
		q := make(model.Quantities, 8)
		for r := range q {
			q[r] = int64(1+i%97) << (4 * r)
		}
		return q
	}
	for i := range 16_000 {
		p.Shapes = append(p.Shapes, model.Shape{
			Name: fmt.Sprintf("default/m%d.large/us-east-1a/on-demand", i), Type: model.TypeIndex(i / 20), Zone: model.ZoneIndex(i % 6),
			Allocatable: room(i), Capacity: room(i + 1), Price: model.Money(i) * 12_345_678, Reservation: model.None,
		})
	}
	for i := range 5_000 {
		p.Nodes = append(p.Nodes, model.Node{
			Name: fmt.Sprintf("ip-10-0-%d-%d.ec2.internal", i/256, i%256), Free: room(i), Capacity: room(i + 2), Price: model.Dollar,
			Pods: []model.Count{{Group: model.GroupIndex(i % 500), N: 3}, {Group: model.GroupIndex(499), N: 2}}, Voluntary: model.Underutilized,
		})
	}
	for g := range 500 {
		group := model.PodGroup{Name: fmt.Sprintf("default/web-%d", g), Request: room(g), Demand: g}
		for s := g % 7; s < len(p.Shapes); s += 1 + g%3 {
			group.Shapes.Add(model.ShapeIndex(s))
		}
		for n := range p.Nodes {
			group.Nodes.Add(model.NodeIndex(n))
		}
		p.Groups = append(p.Groups, group)
	}
	return p
}

// BenchmarkWire sends a large problem one way; each way has to stay below 100 ms.
func BenchmarkWire(b *testing.B) {
	p := largeProblem()
	for b.Loop() {
		var wire bytes.Buffer
		require.NoError(b, writeFrame(&wire, encode(request, job{Problem: *p})))
		b.ReportMetric(float64(wire.Len()), "wire-bytes")
		f, err := readFrame(&wire)
		require.NoError(b, err)
		var got job
		require.NoError(b, decode(f, &got))
	}
}
