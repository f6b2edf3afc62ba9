package model

// CertificateUnits is how many units of a Certificate make a nano-dollar. Then
// what is lost by rounding stays below a micro-dollar with millions of pods.
const CertificateUnits = 1 << 12

// Certificate is why no solution of a problem costs less than Bound: a price
// for each pod and each rule, from which the bound follows by weak duality. It
// names what it speaks of, and stands in a file by itself.
//
// All prices are per hour, in units of which CertificateUnits make a
// nano-dollar. Negative ones count as zero.
type Certificate struct {
	// Problem is the Digest of the problem.
	Problem string `json:"problem"`
	// Bound is what every solution that keeps to Assumed costs at least, in
	// nano-dollars per hour.
	Bound   Money       `json:"bound"`
	Assumed Assumptions `json:"assumed"`
	// Groups says what a pod of a group is worth.
	Groups []GroupPrice `json:"groups"`
	// Budgets says what it is worth to be allowed one more removal.
	Budgets []BudgetPrice `json:"budgets,omitempty"`
	// Limits says what all of a limit is worth.
	Limits []LimitPrice `json:"limits,omitempty"`
	// Weights says what each pod on a launch below the highest pool weight is
	// charged, below the next, and so on.
	Weights []int64 `json:"weights,omitempty"`
	// Shapes and Nodes help to see how little a machine can hold. They decide
	// nothing: without them that only takes longer.
	Shapes []RoomPrice `json:"shapes,omitempty"`
	Nodes  []RoomPrice `json:"nodes,omitempty"`
}

// Assumptions are the goals before cost as a solution meets them. The bound is
// one of the solutions that meet them alike.
type Assumptions struct {
	// Unplaced says how many pods wait; those of groups not named do not.
	Unplaced []GroupCount `json:"unplaced,omitempty"`
	// Drifted names the nodes that go as drifted. Whether others do is open.
	Drifted []string `json:"drifted,omitempty"`
	// Weight is the most pods on launches below the highest pool weight, below
	// the next, and so on; empty if their number is open.
	Weight []int `json:"weight,omitempty"`
}

// GroupCount is so many pods of the group.
type GroupCount struct {
	Group string `json:"group"`
	Pods  int    `json:"pods"`
}

// GroupPrice is what one pod of the group is worth.
type GroupPrice struct {
	Group string `json:"group"`
	Price int64  `json:"price"`
}

// BudgetPrice is what one removal from the pool for any of the reasons is charged.
type BudgetPrice struct {
	Pool    string   `json:"pool"`
	Reasons []string `json:"reasons"`
	Price   int64    `json:"price"`
}

// LimitPrice is what a use of the whole limit is charged, and of a part of it
// in proportion.
type LimitPrice struct {
	Pool    string `json:"pool,omitempty"` // empty: all nodes
	Measure string `json:"measure"`        // see Problem.MeasureName
	Max     int64  `json:"max"`
	Price   int64  `json:"price"`
}

// RoomPrice is what a use of all the room of a machine is charged, by
// ResourceIndex, and of a part of it in proportion. A node speaks for all whose
// room is alike.
type RoomPrice struct {
	Name   string  `json:"name"`
	Prices []int64 `json:"prices"`
}

// MeasureName is the name of the resource, or machines, or spending.
func (p *Problem) MeasureName(m Measure) string {
	switch m {
	case Machines:
		return "machines"
	case Spending:
		return "spending"
	default:
		return p.Resources[m]
	}
}

// PoolName is the name of the pool, and empty for None.
func (p *Problem) PoolName(k PoolIndex) string {
	if k == None {
		return ""
	}
	return p.Pools[k].Name
}
