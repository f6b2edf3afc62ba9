package snapshot

import (
	"cmp"
	"fmt"
	"maps"
	"regexp"
	"slices"
	"strings"

	"github.com/mortise-io/mortise/api/fields"
)

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
	fields.Fault
	// outcome is what becomes of the object; empty if it is read as if nothing were the matter.
	outcome string
}

func (f *findings) add(r *rawObject, o *outcome) {
	if o.ignored {
		f.ignored[o.kind.Kind]++
	}
	object := o.name
	if object == "" {
		object = strings.TrimSpace(o.kind.Kind + " " + strings.TrimPrefix(r.path, fields.Root+"."))
	}
	if o.bad != nil {
		f.all = append(f.all, finding{place: r.place, object: object, Fault: *o.bad, outcome: o.leftOut()})
	}
	for _, u := range o.unknown {
		f.all = append(f.all, finding{place: r.place, object: object, Fault: *u})
	}
}

// warnings tells all findings, by file, object and field.
func (f *findings) warnings() []string {
	slices.SortFunc(f.all, compareFindings)
	type group struct{ source, kind, path, problem string }
	first := map[group]*finding{}
	objects := map[group]map[string]bool{}
	var groups []group
	for i := range f.all {
		it := &f.all[i]
		kind, _, _ := strings.Cut(it.object, " ")
		g := group{source: sourceOf(it.place), kind: kind, path: withoutIndices(it.Path), problem: it.Problem}
		if first[g] == nil {
			first[g], objects[g] = it, map[string]bool{}
			groups = append(groups, g)
		}
		objects[g][it.place+it.object] = true
	}
	var all []string
	for _, g := range groups {
		all = append(all, first[g].text(len(objects[g])))
	}
	if text := f.ignoredText(); text != "" {
		all = append(all, oneLine(text))
	}
	return all
}

func compareFindings(a, b finding) int {
	return cmp.Or(
		cmp.Compare(sourceOf(a.place), sourceOf(b.place)),
		cmp.Compare(a.object, b.object),
		cmp.Compare(a.Path, b.Path),
		cmp.Compare(a.Problem, b.Problem),
		cmp.Compare(a.place, b.place),
	)
}

func (f *finding) text(objects int) string {
	text := fieldError(&f.Fault, f.place, f.object).Error()
	if f.outcome != "" {
		text += "; " + f.outcome
	}
	if objects > 1 {
		text += fmt.Sprintf(" (and %d more like it)", objects-1)
	}
	return text
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
