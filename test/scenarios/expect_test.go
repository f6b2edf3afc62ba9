package scenarios_test

import (
	"cmp"
	"encoding/json"
	"fmt"
	"math"
	"regexp"
	"slices"
	"strconv"
	"strings"

	"github.com/mortise-io/mortise/api/v1alpha1"
)

// expectation is what a plan must be. What is absent is not looked at; pods
// that Unplaced does not name must be placed. Words may be "A|B".
type expectation struct {
	Cost      *float64            `json:"cost,omitempty"`     // USD per hour after the plan
	Noop      bool                `json:"noop,omitempty"`     // no launch, no removal
	Launched  *[]string           `json:"launched,omitempty"` // "type", "type/spot/z1", "pool:type", "3*type"
	Launches  *int                `json:"launches,omitempty"`
	Removed   *removed            `json:"removed,omitempty"`
	Reasons   map[string]string   `json:"reasons,omitempty"` // of removals, by node
	Moves     *int                `json:"moves,omitempty"`
	Unplaced  map[string]unplaced `json:"unplaced,omitempty"` // by pod, or "app-*"
	Lines     *int                `json:"lines,omitempty"`    // of unplaced pods, at most
	Kept      map[string]string   `json:"kept,omitempty"`     // by node, or "name-*"
	On        map[string]string   `json:"on,omitempty"`       // pod to node, type:…, new
	InTurn    []string            `json:"inTurn,omitempty"`   // nodes that must not go at once
	Says      string              `json:"says,omitempty"`     // in warnings or reasons
	Premiums  map[string]float64  `json:"premiums,omitempty"`
	Potential *v1alpha1.Potential `json:"potential,omitempty"`
	AnyOf     []expectation       `json:"anyOf,omitempty"`
}

// removed names the nodes that go, or counts them.
type removed struct {
	Count int      `json:"count"`
	Of    []string `json:"of,omitempty"`
}

func (r *removed) UnmarshalJSON(b []byte) error {
	if json.Unmarshal(b, &r.Of) == nil {
		r.Count = len(r.Of)
		return nil
	}
	type plain removed
	return json.Unmarshal(b, (*plain)(r))
}

// unplaced is a reason, for one pod unless it counts.
type unplaced struct {
	Count  int    `json:"count"`
	Reason string `json:"reason"`
}

func (u *unplaced) UnmarshalJSON(b []byte) error {
	if json.Unmarshal(b, &u.Reason) == nil {
		u.Count = 1
		return nil
	}
	type plain unplaced
	return json.Unmarshal(b, (*plain)(u))
}

// faults says how the plan of the cluster differs from what is expected.
func (e *expectation) faults(c *cluster, plan *v1alpha1.Plan) []string {
	if len(e.AnyOf) > 0 {
		var all []string
		for i := range e.AnyOf {
			faults := e.AnyOf[i].faults(c, plan)
			if len(faults) == 0 {
				return nil
			}
			all = append(all, fmt.Sprintf("not %d: %s", i+1, strings.Join(faults, ", ")))
		}
		return all
	}
	return slices.Concat(e.cost(plan), e.launches(plan), e.removals(plan), e.waiting(plan), e.keeps(plan), e.places(c, plan), e.turns(plan), e.says(plan))
}

const cent = 1e-6 // money is compared to a millionth of a dollar

func (e *expectation) cost(plan *v1alpha1.Plan) []string {
	var out []string
	if e.Cost != nil && math.Abs(plan.Cost.AfterPerHour-*e.Cost) > cent {
		out = append(out, fmt.Sprintf("costs %g, want %g", plan.Cost.AfterPerHour, *e.Cost))
	}
	for cause, want := range e.Premiums {
		if !slices.ContainsFunc(plan.Cost.Premiums, func(p v1alpha1.Premium) bool { return p.Cause == cause && math.Abs(p.PerHour-want) <= cent }) {
			out = append(out, fmt.Sprintf("premiums %v, want %s %g", plan.Cost.Premiums, cause, want))
		}
	}
	if want := e.Potential; want != nil {
		got := cmp.Or(plan.Potential, &v1alpha1.Potential{})
		if math.Abs(got.AfterPerHour-want.AfterPerHour) > cent {
			out = append(out, fmt.Sprintf("potential %g, want %g", got.AfterPerHour, want.AfterPerHour))
		}
		for rule, held := range want.HeldBackBy {
			if math.Abs(got.HeldBackBy[rule]-held) > cent {
				out = append(out, fmt.Sprintf("held back by %s: %g, want %g", rule, got.HeldBackBy[rule], held))
			}
		}
	}
	return out
}

func (e *expectation) launches(plan *v1alpha1.Plan) []string {
	var got []string
	for _, l := range plan.Launches {
		got = append(got, fmt.Sprintf("%s:%s/%s/%s", l.NodePool, l.InstanceType, l.CapacityType, l.Zone))
	}
	if e.Noop && len(plan.Launches)+len(plan.Removals) > 0 {
		return []string{fmt.Sprintf("launches %v and removes %d, want nothing done", got, len(plan.Removals))}
	}
	if e.Launches != nil && len(got) != *e.Launches {
		return []string{fmt.Sprintf("launches %v, want %d", got, *e.Launches)}
	}
	if e.Launched != nil && !matchLaunches(*e.Launched, got) {
		return []string{fmt.Sprintf("launches %v, want %v", got, *e.Launched)}
	}
	return nil
}

var times = regexp.MustCompile(`^(\d+)\*(.+)$`)

// matchLaunches pairs each wanted launch with one that it describes, the most exact first.
func matchLaunches(wants, got []string) bool {
	var exact []string
	for _, w := range wants {
		n := 1
		if m := times.FindStringSubmatch(w); m != nil {
			n, _ = strconv.Atoi(m[1])
			w = m[2]
		}
		exact = append(exact, slices.Repeat([]string{w}, n)...)
	}
	slices.SortStableFunc(exact, func(a, b string) int { return cmp.Compare(len(launchWords(b)), len(launchWords(a))) })
	left := slices.Clone(got)
	for _, w := range exact {
		i := slices.IndexFunc(left, func(l string) bool { return describes(w, l) })
		if i < 0 {
			return false
		}
		left = slices.Delete(left, i, i+1)
	}
	return len(left) == 0
}

func launchWords(w string) []string {
	return strings.FieldsFunc(w, func(r rune) bool { return r == ':' || r == '/' })
}

func describes(want, launch string) bool {
	if !strings.Contains(want, ":") {
		_, launch, _ = strings.Cut(launch, ":")
	}
	return launch == want || strings.HasPrefix(launch, want+"/")
}

func (e *expectation) removals(plan *v1alpha1.Plan) []string {
	var out, got []string
	moves, reasons := 0, map[string]string{}
	for _, r := range plan.Removals {
		got = append(got, r.Node)
		moves += len(r.Moves)
		reasons[r.Node] = r.Reason
	}
	slices.Sort(got)
	if want := e.Removed; want != nil {
		outside := slices.ContainsFunc(got, func(n string) bool { return want.Of != nil && !slices.Contains(want.Of, n) })
		if len(got) != want.Count || outside {
			out = append(out, fmt.Sprintf("removes %v, want %d of %v", got, want.Count, want.Of))
		}
	}
	if e.Moves != nil && moves != *e.Moves {
		out = append(out, fmt.Sprintf("moves %d pods, want %d", moves, *e.Moves))
	}
	for n, want := range e.Reasons {
		if !anyWord(want, reasons[n]) {
			out = append(out, fmt.Sprintf("removes %s for %q, want %s", n, reasons[n], want))
		}
	}
	return out
}

func (e *expectation) waiting(plan *v1alpha1.Plan) []string {
	var out []string
	left := map[string]string{}
	for _, u := range plan.Unplaced {
		for _, p := range u.Pods {
			left[strings.TrimPrefix(p, "default/")] = u.Reason
		}
	}
	for name, want := range e.Unplaced {
		n := 0
		for p, reason := range left {
			if matches(name, p) && anyWord(want.Reason, reason) {
				n++
				delete(left, p)
			}
		}
		if n != want.Count {
			out = append(out, fmt.Sprintf("%d of %s are unplaced for %s, want %d", n, name, want.Reason, want.Count))
		}
	}
	if len(left) > 0 {
		out = append(out, fmt.Sprintf("%d more are unplaced: %.200s", len(left), fmt.Sprint(left)))
	}
	if e.Lines != nil && len(plan.Unplaced) > *e.Lines {
		out = append(out, fmt.Sprintf("%d lines of unplaced pods, want %d", len(plan.Unplaced), *e.Lines))
	}
	return out
}

// matches says whether name is pattern, or begins as "app-*" does.
func matches(pattern, name string) bool {
	prefix, star := strings.CutSuffix(pattern, "*")
	return name == pattern || star && strings.HasPrefix(name, prefix)
}

func (e *expectation) keeps(plan *v1alpha1.Plan) []string {
	var out []string
	for pattern, want := range e.Kept {
		found := false
		for _, k := range plan.Kept {
			if matches(pattern, k.Node) {
				found = true
				if !anyWord(want, k.Reason) {
					out = append(out, fmt.Sprintf("%s is kept for %s (%s), want %s", k.Node, k.Reason, k.Message, want))
				}
			}
		}
		if !found {
			out = append(out, fmt.Sprintf("%s is not kept, want %s", pattern, want))
		}
	}
	return out
}

func (e *expectation) places(c *cluster, plan *v1alpha1.Plan) []string {
	if len(e.On) == 0 {
		return nil
	}
	after := cluster{Nodes: slices.Clone(c.Nodes), Pending: c.Pending}
	after.apply(plan, 0)
	var out []string
	for name, want := range e.On {
		var got []string
		for i := range after.Nodes {
			n := &after.Nodes[i]
			if !slices.ContainsFunc(n.Pods, func(p pod) bool { return matches(name, strings.TrimPrefix(p.key(), "default/")) }) {
				continue
			}
			got = append(got, n.Name, "type:"+n.Type, "zone:"+n.Zone, "pool:"+n.Pool)
			if strings.HasPrefix(n.Name, launchedName("", 0)) {
				got = append(got, "new")
			}
		}
		if !slices.ContainsFunc(got, func(word string) bool { return anyWord(want, word) }) {
			out = append(out, fmt.Sprintf("%s is on %v, want %s", name, got, want))
		}
	}
	return out
}

// turns asks that of two nodes one's step comes after the other's, however far.
func (e *expectation) turns(plan *v1alpha1.Plan) []string {
	steps, after := map[string]int{}, map[int][]int{}
	for _, s := range plan.Steps {
		after[s.Step] = s.After
		for _, n := range s.Remove {
			steps[n] = s.Step
		}
	}
	var waitsFor func(a, b int) bool
	waitsFor = func(a, b int) bool {
		return slices.ContainsFunc(after[a], func(s int) bool { return s == b || waitsFor(s, b) })
	}
	var out []string
	for i, a := range e.InTurn {
		for _, b := range e.InTurn[i+1:] {
			if !waitsFor(steps[a], steps[b]) && !waitsFor(steps[b], steps[a]) {
				out = append(out, fmt.Sprintf("%s and %s go at once, in steps %d and %d", a, b, steps[a], steps[b]))
			}
		}
	}
	return out
}

func (e *expectation) says(plan *v1alpha1.Plan) []string {
	text, err := json.Marshal([]any{plan.Warnings, plan.Unplaced, plan.Kept})
	if err != nil {
		return []string{err.Error()}
	}
	said := slices.ContainsFunc(strings.Split(e.Says, "|"), func(word string) bool {
		return strings.Contains(strings.ToLower(string(text)), strings.ToLower(word))
	})
	if !said {
		return []string{fmt.Sprintf("neither warnings nor reasons say %q", e.Says)}
	}
	return nil
}
