package snapshot

import (
	"fmt"
	"maps"
	"regexp"
	"slices"
	"strconv"
)

// pseudonyms replaces names word by word. A word is what stands between dashes,
// dots and slashes, which stay. Equal words get equal pseudonyms, and pseudonyms
// sort as the words do. From that follows all that a plan takes from names:
//
//   - names that are equal remain equal, wherever they stand: in a label, a selector, a reference;
//   - names that are put together from others remain so: a ReplicaSet's pods,
//     the claims of a StatefulSet's pods, the machine in a provider ID;
//   - names sort as before, because dashes, dots and slashes sort before all that words are made of.
//
// The numbers by which workloads count their pods stay.
type pseudonyms struct {
	words map[string]string
	// counts are the numbers that stay, and all that these begin with; sorted as text.
	counts []string
}

// wordPattern finds words. An IP address in a name is one: its numbers count nothing.
var wordPattern = regexp.MustCompile(`\bip(?:-\d{1,3}){4}\b|\b\d{1,3}(?:\.\d{1,3}){3}\b|[^-./]+`)

// newPseudonyms gives each word a pseudonym. Numbers below most stay.
func newPseudonyms(words map[string]bool, most int) *pseudonyms {
	p := &pseudonyms{words: make(map[string]string, len(words))}
	for n := range most {
		// Numbers from 0 on hold all that they begin with.
		p.counts = append(p.counts, strconv.Itoa(n))
	}
	slices.Sort(p.counts)
	sorted := slices.Sorted(maps.Keys(words))
	digits := len(strconv.Itoa(len(sorted)))
	for i, word := range sorted {
		p.words[word] = p.pseudonym(word, fmt.Sprintf("%0*d", digits, i))
	}
	return p
}

// pseudonym of a word that has the rank among all.
//
// A word that begins with a digit must keep its place among the numbers that
// stay. It hangs on the last of them that sorts before it, with a zero in
// between. If a longer number that stays begins like that one, the digit that
// follows there is higher than zero, or the word would hang on the longer one.
func (p *pseudonyms) pseudonym(word, rank string) string {
	if word[0] < '0' || word[0] > '9' {
		return "n" + rank
	}
	i, stays := slices.BinarySearch(p.counts, word)
	switch {
	case stays:
		return word
	case i == 0:
		return "0" + rank
	}
	return p.counts[i-1] + "0" + rank
}

// of is the pseudonym of a name.
func (p *pseudonyms) of(name string) string {
	return wordPattern.ReplaceAllStringFunc(name, func(word string) string { return p.words[word] })
}

// wordsOf are the words of a name.
func wordsOf(name string) []string {
	return wordPattern.FindAllString(name, -1)
}
