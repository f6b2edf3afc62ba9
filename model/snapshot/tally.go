package snapshot

import (
	"fmt"
	"slices"
	"strings"
)

// tally collects, by what is to be said of them, the objects that one warning is about.
type tally map[string][]string

// add notes that the object is one of those of which the sentence is true. It
// starts with a verb in the plural: "ask for …".
func (t tally) add(sentence, name string) {
	t[sentence] = append(t[sentence], name)
}

// report turns each sentence into a warning that counts its objects and names the first.
func (t tally) report(c *Compiled, kind string) {
	const most = 3
	for _, sentence := range sortedKeys(t) {
		names := t[sentence]
		slices.Sort(names)
		names = slices.Compact(names)
		count := fmt.Sprintf("%d %ss", len(names), kind)
		if len(names) == 1 {
			count, sentence = "1 "+kind, singular(sentence)
		}
		list := strings.Join(names[:min(most, len(names))], ", ")
		if len(names) > most {
			list += ", …"
		}
		c.warn("%s %s (%s)", count, sentence, list)
	}
}

// singular puts the verb that a sentence starts with into the singular.
func singular(sentence string) string {
	verb, rest, _ := strings.Cut(sentence, " ")
	switch verb {
	case "have":
		verb = "has"
	case "are":
		verb = "is"
	default:
		verb += "s"
	}
	return verb + " " + rest
}
