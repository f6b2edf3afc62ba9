// Package sat builds constraint programs over whole numbers, and solves them
// with CP-SAT of OR-Tools:
//
//	minimize c·x  subject to  linear and logical constraints,  x whole, within bounds
//
// Everything is exact: numbers are int64, and what could overflow is refused. A
// constraint may be enforced by literals: then it holds only where all of them do.
package sat

import (
	"errors"
	"fmt"
	"math"
	"math/bits"
)

// Int is a variable of a model.
type Int int32

// Bool is a literal: a variable that is 0 or 1, or the negation of one.
type Bool int32

// Not is true where b is false.
func (b Bool) Not() Bool { return -b - 1 }

// Int is the literal's variable, 1 where it is true. Only for literals that
// are no negation; AddBool of Linear takes all.
func (b Bool) Int() Int { return Int(b) }

// variable is the literal's variable, also that of a negation.
func (b Bool) variable() int32 { return int32(max(b, b.Not())) }

// Unbounded ends of a linear constraint.
const (
	Lowest  = math.MinInt64
	Highest = math.MaxInt64
)

// Most is how large a bound of a variable, and the sum of a constraint, may
// become, from zero either way.
const Most = math.MaxInt64 / 4

// Model is a constraint program. The zero value is empty. What is wrong with
// the calls that build it is kept, and returned by Solve.
type Model struct {
	variables   []domain
	constraints []constraint
	objective   *Linear
	hints       map[Int]int64
	faults      []error
}

type domain struct{ low, high int64 }

// kind is what a constraint asks of its literals or its sum.
type kind int

const (
	linear kind = iota
	boolOr
	atMostOne
	exactlyOne
)

type constraint struct {
	kind     kind
	literals []Bool
	sum      Linear
	domain   domain // of the sum
	enforced []Bool
}

// NewBool adds a variable that is true or false.
func (m *Model) NewBool() Bool { return Bool(m.NewInt(0, 1)) }

// NewInt adds a variable between two bounds.
func (m *Model) NewInt(low, high int64) Int {
	if low > high || low < -Most || high > Most {
		m.fault("variable %d: bounds %d to %d", len(m.variables), low, high)
	}
	m.variables = append(m.variables, domain{low, high})
	return Int(len(m.variables) - 1)
}

// AddLinear keeps the sum between two bounds, where all of the literals hold.
func (m *Model) AddLinear(sum *Linear, low, high int64, where ...Bool) {
	m.add(constraint{kind: linear, sum: sum.merged(), domain: domain{low, high}, enforced: where})
}

// AddOr asks that one of the literals holds at least.
func (m *Model) AddOr(literals []Bool, where ...Bool) {
	m.add(constraint{kind: boolOr, literals: literals, enforced: where})
}

// AddImplication asks that the second holds where the first does.
func (m *Model) AddImplication(a, b Bool) { m.AddOr([]Bool{b}, a) }

// AddAtMostOne asks that no two of the literals hold.
func (m *Model) AddAtMostOne(literals ...Bool) {
	m.add(constraint{kind: atMostOne, literals: literals})
}

// AddExactlyOne asks that one of the literals holds.
func (m *Model) AddExactlyOne(literals ...Bool) {
	m.add(constraint{kind: exactlyOne, literals: literals})
}

// Minimize sets the objective, in place of an earlier one.
func (m *Model) Minimize(sum *Linear) {
	s := sum.merged()
	if err := m.checkSum(&s); err != nil {
		m.fault("objective: %w", err)
	}
	m.objective = &s
}

// Hint suggests where the variable may be in a good solution.
func (m *Model) Hint(v Int, value int64) {
	if int(v) < 0 || int(v) >= len(m.variables) {
		m.fault("hint: no variable %d", v)
		return
	}
	if m.hints == nil {
		m.hints = map[Int]int64{}
	}
	m.hints[v] = value
}

// HintBool suggests that the literal holds, or does not.
func (m *Model) HintBool(b Bool, holds bool) {
	value := int64(0)
	if holds == (b >= 0) {
		value = 1
	}
	m.Hint(Int(b.variable()), value)
}

// ClearHints forgets what was hinted.
func (m *Model) ClearHints() { m.hints = nil }

func (m *Model) add(c constraint) {
	if err := m.check(&c); err != nil {
		m.fault("constraint %d: %w", len(m.constraints), err)
	}
	m.constraints = append(m.constraints, c)
}

func (m *Model) fault(format string, args ...any) {
	m.faults = append(m.faults, fmt.Errorf(format, args...))
}

// check finds what CP-SAT would refuse, or would end the process for.
func (m *Model) check(c *constraint) error {
	for _, list := range [][]Bool{c.literals, c.enforced} {
		for _, b := range list {
			v := b.variable()
			if int(v) >= len(m.variables) {
				return fmt.Errorf("no variable %d", v)
			}
			if d := m.variables[v]; d.low < 0 || d.high > 1 {
				return fmt.Errorf("variable %d from %d to %d is no literal", v, d.low, d.high)
			}
		}
	}
	if c.kind != linear {
		return nil
	}
	if c.domain.low > c.domain.high {
		return fmt.Errorf("bounds %d to %d", c.domain.low, c.domain.high)
	}
	return m.checkSum(&c.sum)
}

var errOverflow = errors.New("the sum can overflow")

// checkSum adds up the largest that each term can be.
func (m *Model) checkSum(s *Linear) error {
	sum := magnitude(s.offset)
	for i, v := range s.variables {
		if v < 0 || int(v) >= len(m.variables) {
			return fmt.Errorf("no variable %d", v)
		}
		d := m.variables[v]
		over, term := bits.Mul64(magnitude(s.coefficients[i]), max(magnitude(d.low), magnitude(d.high)))
		if sum += term; over != 0 || term > Most || sum > Most {
			return errOverflow
		}
	}
	if sum > Most {
		return errOverflow
	}
	return nil
}

// lowest is what the sum cannot be below, by the bounds of its variables.
func (m *Model) lowest(s *Linear) int64 {
	sum := s.offset
	for i, v := range s.variables {
		d := m.variables[v]
		sum += min(s.coefficients[i]*d.low, s.coefficients[i]*d.high)
	}
	return sum
}

func magnitude(x int64) uint64 {
	if x < 0 {
		return -uint64(x)
	}
	return uint64(x)
}
