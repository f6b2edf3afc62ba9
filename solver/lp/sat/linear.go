package sat

import (
	"cmp"
	"slices"
)

// Linear is a sum of variables, each times a coefficient. The zero value is 0.
type Linear struct {
	variables    []Int
	coefficients []int64
	offset       int64
}

// Sum is the sum of the literals: how many of them hold.
func Sum(literals ...Bool) *Linear {
	l := &Linear{}
	for _, b := range literals {
		l.AddBool(1, b)
	}
	return l
}

// Add adds a variable times a coefficient.
func (l *Linear) Add(coefficient int64, v Int) *Linear {
	l.variables = append(l.variables, v)
	l.coefficients = append(l.coefficients, coefficient)
	return l
}

// AddBool adds the coefficient where the literal holds.
func (l *Linear) AddBool(coefficient int64, b Bool) *Linear {
	if b >= 0 {
		return l.Add(coefficient, Int(b))
	}
	l.offset += coefficient
	return l.Add(-coefficient, Int(b.Not()))
}

// AddConstant adds a number.
func (l *Linear) AddConstant(x int64) *Linear {
	l.offset += x
	return l
}

// AddAll adds another sum.
func (l *Linear) AddAll(other *Linear) *Linear { return l.AddTimes(1, other) }

// AddTimes adds another sum, multiplied.
func (l *Linear) AddTimes(times int64, other *Linear) *Linear {
	l.offset += times * other.offset
	for i, v := range other.variables {
		l.Add(times*other.coefficients[i], v)
	}
	return l
}

// merged names each variable once, in order.
func (l *Linear) merged() Linear {
	order := make([]int, len(l.variables))
	for i := range order {
		order[i] = i
	}
	slices.SortStableFunc(order, func(a, b int) int { return cmp.Compare(l.variables[a], l.variables[b]) })
	out := Linear{offset: l.offset}
	for _, i := range order {
		last := len(out.variables) - 1
		if last < 0 || out.variables[last] != l.variables[i] {
			out.Add(l.coefficients[i], l.variables[i])
		} else {
			out.coefficients[last] += l.coefficients[i]
		}
	}
	keep := Linear{offset: out.offset}
	for i, c := range out.coefficients {
		if c != 0 {
			keep.Add(c, out.variables[i])
		}
	}
	return keep
}
