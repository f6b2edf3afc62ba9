package lp

import "fmt"

// Status is how a solve of HiGHS ended. What is no answer is an error instead.
type Status int32

const (
	Optimal               Status = 7
	Infeasible            Status = 8
	UnboundedOrInfeasible Status = 9
	Unbounded             Status = 10
	TimeLimit             Status = 13
	IterationLimit        Status = 14
	NodeLimit             Status = 16 // HiGHS: solution limit, of which nodes are one

	empty Status = 6 // neither rows nor columns: optimal
)

func (s Status) String() string {
	switch s {
	case Optimal:
		return "optimal"
	case Infeasible:
		return "infeasible"
	case UnboundedOrInfeasible:
		return "unbounded or infeasible"
	case Unbounded:
		return "unbounded"
	case TimeLimit:
		return "time limit"
	case IterationLimit:
		return "iteration limit"
	case NodeLimit:
		return "node limit"
	}
	return fmt.Sprintf("status %d", int32(s))
}

// answer says whether the status is one that a caller can work with.
func (s Status) answer() bool {
	switch s {
	case Optimal, Infeasible, UnboundedOrInfeasible, Unbounded, TimeLimit, IterationLimit, NodeLimit:
		return true
	}
	return false
}

// CallError is returned when HiGHS refuses a call.
type CallError struct {
	Call string
	Code int32
}

func (e *CallError) Error() string { return fmt.Sprintf("HiGHS: %s returns %d", e.Call, e.Code) }

// StatusError is returned when a solve ends without an answer: out of memory,
// numerically lost, a bad model.
type StatusError struct {
	Status Status
}

func (e *StatusError) Error() string { return fmt.Sprintf("HiGHS: solve ends with %s", e.Status) }

// Codes that calls return.
const (
	codeOK      = 0
	codeWarning = 1
)
