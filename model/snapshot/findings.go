package snapshot

import (
	"cmp"
	"fmt"
	"maps"
	"regexp"
	"slices"
	"strings"
)

const unknownField = "unknown field"

// findings collects what is to be told about the objects of a snapshot. What
// is the matter with many objects is told once, by the first of them.
type findings struct {
	all []finding
	// ignored counts the objects that do not matter, by kind.
	ignored map[string]int
}

// finding is one problem of one object.
type finding struct {
	place, object string
	fault
	// outcome is what becomes of the object; empty if it is read as if nothing were the matter.
	outcome string
}

func (f *findings) add(r *rawObject, o *outcome) {
	if o.ignored {
		f.ignored[o.kind.Kind]++
	}
	object := o.name
	if object == "" {
		object = strings.TrimPrefix(r.path, rootPath)
	}
	if o.bad != nil {
		f.all = append(f.all, finding{place: r.place, object: object, fault: *o.bad, outcome: o.leftOut()})
	}
	for _, u := range o.unknown {
		f.all = append(f.all, finding{place: r.place, object: object, fault: *u})
	}
}

// warnings tells all findings, sorted.
func (f *findings) warnings() []string {
	type group struct{ place, kind, path, problem string }
	byGroup := map[group][]*finding{}
	for i := range f.all {
		it := &f.all[i]
		kind, _, _ := strings.Cut(it.object, " ")
		g := group{place: sourceOf(it.place), kind: kind, path: withoutIndices(it.path), problem: it.problem}
		byGroup[g] = append(byGroup[g], it)
	}
	var all []string
	for _, members := range byGroup {
		slices.SortFunc(members, func(a, b *finding) int {
			return cmp.Or(cmp.Compare(a.object, b.object), cmp.Compare(a.path, b.path), cmp.Compare(a.place, b.place))
		})
		all = append(all, members[0].text(objectCount(members)))
	}
	if text := f.ignoredText(); text != "" {
		all = append(all, text)
	}
	slices.Sort(all)
	return all
}

func (f *finding) text(objects int) string {
	text := f.in(f.place, f.object).Error()
	if f.outcome != "" {
		text += "; " + f.outcome
	}
	switch {
	case objects == 2:
		text += " (and 1 more like it)"
	case objects > 2:
		text += fmt.Sprintf(" (and %d more like it)", objects-1)
	}
	return text
}

// objectCount counts the objects of findings that are sorted by object.
func objectCount(sorted []*finding) int {
	n := 0
	for i := range sorted {
		if i == 0 || sorted[i].object != sorted[i-1].object {
			n++
		}
	}
	return n
}

func (f *findings) ignoredText() string {
	total := 0
	var counts []string
	for _, kind := range slices.Sorted(maps.Keys(f.ignored)) {
		total += f.ignored[kind]
		counts = append(counts, fmt.Sprintf("%d %s", f.ignored[kind], kind))
	}
	switch total {
	case 0:
		return ""
	case 1:
		return "ignored 1 object of a kind that does not matter to a plan: " + counts[0]
	}
	return fmt.Sprintf("ignored %d objects of kinds that do not matter to a plan: %s", total, strings.Join(counts, ", "))
}

var documentNumber = regexp.MustCompile(`: document \d+$`)

// sourceOf is a place without its document.
func sourceOf(place string) string { return documentNumber.ReplaceAllString(place, "") }

var listIndex = regexp.MustCompile(`\[\d+\]`)

func withoutIndices(path string) string { return listIndex.ReplaceAllString(path, "[]") }
