package snapshot

import "strings"

// census is a list of nodes, real or planned, by their labels. A rule is
// evaluated once for all that do not differ in what it looks at.
type census struct {
	names  []string
	labels []map[string]string
	splits map[string]*split
	known  map[*labelRule][]bool
}

// split puts the nodes of a census into classes that agree on some labels.
type split struct {
	class    []int32 // by node
	examples []int32 // by class: one node of it
}

func newCensus(names []string, labels []map[string]string) *census {
	return &census{names: names, labels: labels, splits: map[string]*split{}, known: map[*labelRule][]bool{}}
}

// admitted says which nodes the rule asks for. It is shared: not to be changed.
func (c *census) admitted(r *labelRule) []bool {
	if out, ok := c.known[r]; ok {
		return out
	}
	s := c.split(r.keys, r.named)
	verdict := make([]bool, len(s.examples))
	for k, i := range s.examples {
		verdict[k] = r.admits(c.names[i], c.labels[i])
	}
	out := make([]bool, len(c.labels))
	for i, k := range s.class {
		out[i] = verdict[k]
	}
	c.known[r] = out
	return out
}

func (c *census) split(keys []string, named bool) *split {
	id := strings.Join(keys, "\x00")
	if named {
		id += "\x00\x00"
	}
	if s, ok := c.splits[id]; ok {
		return s
	}
	s := &split{class: make([]int32, len(c.labels))}
	classes := map[string]int32{}
	var text []byte
	for i, l := range c.labels {
		text = text[:0]
		for _, key := range keys {
			if value, ok := l[key]; ok {
				text = append(append(text, 1), value...)
			}
			text = append(text, 0)
		}
		if named {
			text = append(text, c.names[i]...)
		}
		k, ok := classes[string(text)]
		if !ok {
			k = int32(len(s.examples))
			classes[string(text)] = k
			s.examples = append(s.examples, int32(i))
		}
		s.class[i] = k
	}
	c.splits[id] = s
	return s
}

func censusOfShapes(shapes []shape) *census {
	names, labels := make([]string, len(shapes)), make([]map[string]string, len(shapes))
	for i := range shapes {
		names[i], labels[i] = newHostname, shapes[i].labels
	}
	return newCensus(names, labels)
}

func censusOfMachines(machines []*machine) *census {
	names, labels := make([]string, len(machines)), make([]map[string]string, len(machines))
	for i, m := range machines {
		names[i], labels[i] = m.name, m.labels
	}
	return newCensus(names, labels)
}
