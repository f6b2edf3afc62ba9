package scenarios_test

import (
	"fmt"
	"testing"

	"github.com/stretchr/testify/require"

	"github.com/mortise-io/mortise/api/v1alpha1"
	"github.com/mortise-io/mortise/model/snapshot"
)

// TestAnonymized plans each scenario without its names, which must change nothing else.
func TestAnonymized(t *testing.T) {
	for name, s := range load(t, casesFolder) {
		t.Run(name, func(t *testing.T) {
			t.Parallel()
			plain := reread(t, s.snapshot())
			anonymized := snapshot.Anonymize(plain)
			require.NotEqual(t, snapshot.Hash(plain), snapshot.Hash(anonymized))
			require.Equal(t, nameless(makePlan(t, plain, s.Potential)), nameless(makePlan(t, anonymized, s.Potential)))
		})
	}
}

// nameless is what a plan decides, with each name replaced by the number of
// names that come before it in the plan.
func nameless(p *v1alpha1.Plan) v1alpha1.Plan {
	out := decisions(p)
	numbers := map[string]string{}
	number := func(names ...*string) {
		for _, name := range names {
			if *name == "" {
				continue
			}
			if numbers[*name] == "" {
				numbers[*name] = fmt.Sprint(len(numbers) + 1)
			}
			*name = numbers[*name]
		}
	}
	numberAll := func(names []string) {
		for i := range names {
			number(&names[i])
		}
	}
	destinations := func(all []v1alpha1.Destination) {
		for i := range all {
			number(&all[i].Pod, &all[i].Node, &all[i].NodeClaim)
		}
	}
	for i := range out.Launches {
		l := &out.Launches[i]
		number(&l.NodePool, &l.Reservation)
		numberAll(l.Pods)
		for j := range l.Alternatives {
			number(&l.Alternatives[j].Reservation)
		}
		for j := range l.Taints {
			l.Taints[j].Key, l.Taints[j].Value = "", ""
		}
		l.Labels = map[string]string{"count": fmt.Sprint(len(l.Labels))}
	}
	for i := range out.Removals {
		r := &out.Removals[i]
		number(&r.Node, &r.NodeClaim, &r.NodePool)
		destinations(r.Moves)
	}
	destinations(out.Placements)
	for i := range out.Unplaced {
		numberAll(out.Unplaced[i].Pods)
		out.Unplaced[i].Message = ""
	}
	for i := range out.Kept {
		number(&out.Kept[i].Node, &out.Kept[i].NodeClaim, &out.Kept[i].NodePool)
		out.Kept[i].Message = ""
	}
	for i := range out.Steps {
		numberAll(out.Steps[i].Remove)
	}
	clear(out.Warnings)
	return out
}
