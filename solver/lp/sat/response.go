package sat

import (
	"fmt"
	"math"

	"google.golang.org/protobuf/encoding/protowire"
)

// Status is how a solve ended.
type Status int

const (
	Unknown    Status = 0 // a limit came before any solution
	invalid    Status = 1
	Feasible   Status = 2 // a solution, not proved to be the best
	Infeasible Status = 3
	Optimal    Status = 4
)

func (s Status) String() string {
	names := [...]string{"unknown", "invalid model", "feasible", "infeasible", "optimal"}
	if s < 0 || int(s) >= len(names) {
		return fmt.Sprintf("status %d", int(s))
	}
	return names[s]
}

// Response is what a solve found.
type Response struct {
	Status Status
	// Objective is the value of the solution, and Bound what none is below.
	Objective, Bound int64
	// DeterministicTime is the work that was done, about seconds.
	DeterministicTime float64

	values  []int64
	info    string
	bounded bool // the bound was said
}

// Solved says whether there is a solution.
func (r *Response) Solved() bool { return r.Status == Feasible || r.Status == Optimal }

// Value is that of a variable in the solution.
func (r *Response) Value(v Int) int64 { return r.values[v] }

// Holds says whether a literal is true in the solution.
func (r *Response) Holds(b Bool) bool {
	return (r.values[b.variable()] != 0) == (b >= 0)
}

// Of is the value of a sum in the solution.
func (r *Response) Of(l *Linear) int64 {
	sum := l.offset
	for i, v := range l.variables {
		sum += l.coefficients[i] * r.values[v]
	}
	return sum
}

// Fields of a CpSolverResponse.
const (
	responseStatus            = 1
	responseSolution          = 2
	responseDeterministicTime = 17
	responseInfo              = 20
	responseBound             = 29
)

// decode reads a CpSolverResponse.
func decode(b []byte) (Response, error) {
	var r Response
	for len(b) > 0 {
		field, kind, n := protowire.ConsumeTag(b)
		if n < 0 {
			return r, fmt.Errorf("response: %w", protowire.ParseError(n))
		}
		b = b[n:]
		size, err := r.field(field, kind, b)
		if err != nil {
			return r, fmt.Errorf("response: field %d: %w", field, err)
		}
		b = b[size:]
	}
	return r, nil
}

// field reads one field, and returns its size.
func (r *Response) field(field protowire.Number, kind protowire.Type, b []byte) (int, error) {
	n := protowire.ConsumeFieldValue(field, kind, b)
	if n < 0 {
		return 0, protowire.ParseError(n)
	}
	switch kind {
	case protowire.VarintType:
		x, _ := protowire.ConsumeVarint(b)
		switch field {
		case responseStatus:
			r.Status = Status(x)
		case responseBound:
			r.Bound, r.bounded = int64(x), true
		case responseSolution:
			r.values = append(r.values, int64(x))
		}
	case protowire.Fixed64Type:
		if x, _ := protowire.ConsumeFixed64(b); field == responseDeterministicTime {
			r.DeterministicTime = math.Float64frombits(x)
		}
	case protowire.BytesType:
		x, _ := protowire.ConsumeBytes(b)
		switch field {
		case responseInfo:
			r.info = string(x)
		case responseSolution:
			return n, r.unpack(x)
		}
	}
	return n, nil
}

func (r *Response) unpack(b []byte) error {
	for len(b) > 0 {
		x, n := protowire.ConsumeVarint(b)
		if n < 0 {
			return protowire.ParseError(n)
		}
		r.values = append(r.values, int64(x))
		b = b[n:]
	}
	return nil
}

// complete holds the response against the model, and computes exactly what
// CP-SAT has in floating point.
func (r *Response) complete(m *Model, p Params) error {
	if r.Status == invalid {
		return fmt.Errorf("CP-SAT: invalid model: %s", r.info)
	}
	if r.Status < Unknown || r.Status > Optimal {
		return fmt.Errorf("CP-SAT: %s", r.Status)
	}
	if r.Solved() && len(r.values) != len(m.variables) {
		return fmt.Errorf("CP-SAT: %d values for %d variables", len(r.values), len(m.variables))
	}
	if m.objective == nil {
		r.Bound = 0
		return nil
	}
	r.Bound += m.objective.offset
	if !r.bounded { // it may be zero, or not known
		r.Bound = min(r.Bound, m.lowest(m.objective))
	}
	if !r.Solved() {
		return nil
	}
	r.Objective = r.Of(m.objective)
	if r.Status == Optimal && p.Gap == 0 {
		r.Bound = r.Objective
	}
	if r.Bound > r.Objective {
		return fmt.Errorf("CP-SAT: the bound %d is above the solution %d", r.Bound, r.Objective)
	}
	return nil
}
