package model

import "math"

// Indices into the lists of a Problem. None stands for no such thing.
type (
	ResourceIndex    int
	GroupIndex       int
	ShapeIndex       int
	NodeIndex        int
	PoolIndex        int
	TypeIndex        int
	ZoneIndex        int
	ReservationIndex int
)

// None is the index of nothing: the pool of an unmanaged node, the reservation
// of an ordinary shape.
const None = -1

// Unlimited is a budget that never binds.
const Unlimited = math.MaxInt32

// Quantities are amounts by index into Problem.Resources, in base units.
type Quantities []int64

// Problem is what has to be decided: which shapes to launch, which nodes to
// take away, and where every pod goes.
//
// Every demanded pod is put on a machine or left unplaced. A node that goes
// adds its own pods to the demand, and those must be placed. A machine holds
// pods up to its allocatable, none that conflict, and no group beyond its cap.
type Problem struct {
	Resources    []string
	Pools        []Pool
	Groups       []PodGroup
	Shapes       []Shape
	Nodes        []Node
	Limits       []Limit
	Reservations []Reservation
	Rules        Rules
}

// Rules are the settings that hold for the whole problem.
type Rules struct {
	// PoolWeights puts pool weights before cost: fewest pods on new machines
	// below the highest weight, then below the next, and so on.
	PoolWeights bool
	// PendingApart forbids that a solution both launches for pending pods and
	// removes nodes voluntarily. Groups then tell their Origin.
	PendingApart bool
	// SavingsOnce is charged once if any node is removed voluntarily.
	SavingsOnce Money
	// SpotFlexibility is how many instance types must do for a spot launch
	// that carries pods of a removed spot node. Groups tell their Origin where
	// it is above 1.
	SpotFlexibility int
	// SpotDiversity is the largest share, in millionths, of a pool's spot nodes
	// that one instance type in one zone may have; at least one node. Judged
	// for pools, types and zones that a solution launches. Zero means no rule.
	SpotDiversity int64
}

// Pool is a node pool.
type Pool struct {
	Name   string
	Weight int
	// Budget is how many more nodes may go for each reason: see Removal.
	// It is indexed by Empty, Underutilized and Drifted.
	Budget [NumBudgets]int
	// Balanced asks that savings × Disruption ≥ ½ × disruption × Cost over the
	// voluntary removals of nodes that are not empty. Groups then tell their Origin.
	Balanced bool
	// Disruption is the sum over the pool's nodes of Node.Disruption.
	Disruption int64
	// Cost is the sum of the pool's node prices.
	Cost Money
}

// PodGroup is an equivalence class of pods: every shape and node treats them alike.
type PodGroup struct {
	// Name is that of its first pod. It orders groups and names them in messages.
	Name    string
	Request Quantities
	// Demand is how many pods need a place whatever is decided.
	Demand   int
	Priority int32
	// Shapes and Nodes are where a pod of the group may be put, resources apart.
	Shapes Set[ShapeIndex]
	Nodes  Set[NodeIndex]
	// MaxPerMachine caps the group's pods on one machine; zero means no cap.
	MaxPerMachine int
	// Conflicts are the other groups that may not share a machine with this
	// one, ascending. The relation is symmetric.
	Conflicts []GroupIndex
	Origin    Origin
}

// OriginKind says where the pods of a group come from.
type OriginKind uint8

const (
	// AnyOrigin: no rule asks, and pods of all origins may share the group.
	AnyOrigin OriginKind = iota
	// Pending pods have no node.
	Pending
	// Displaced pods are on nodes that go whatever is decided.
	Displaced
	// Resident pods move only if their node is taken away.
	Resident
)

// Origin tells pods apart by where they come from, where a rule asks for it.
type Origin struct {
	Kind OriginKind
	Pool PoolIndex // of the node they are on; None if there is none
	Spot bool      // whether that node is a spot node
}

// Shape is what can be launched: a node pool's offering of an instance type.
type Shape struct {
	// Name orders shapes and names them in messages.
	Name string
	Pool PoolIndex
	Type TypeIndex
	Zone ZoneIndex
	Spot bool
	// Allocatable is what pods can have, daemon overhead taken off.
	Allocatable Quantities
	// Capacity is what limits count.
	Capacity Quantities
	Price    Money
	Fee      Money
	// Penalty is what the policy adds to a node like this.
	Penalty Money
	// Startup is the one-off cost of a launch, spread over the horizon.
	Startup     Money
	Reservation ReservationIndex
}

// Cost is what one launch adds to the objective.
func (s *Shape) Cost() Money {
	return s.Price + s.Fee + s.Penalty + s.Startup
}

// Node is a machine that runs or is on its way.
type Node struct {
	Name string
	Pool PoolIndex
	Type TypeIndex
	Zone ZoneIndex
	Spot bool
	// Free is what is left for further pods while the node is kept.
	Free Quantities
	// Capacity is what limits count.
	Capacity Quantities
	Price    Money // zero if it is not known
	Fee      Money
	Penalty  Money
	// Pods are those that need another place if the node goes. A node that
	// goes in any case has none here: they are in the groups' Demand.
	Pods []Count
	// Evict is the one-off cost of evicting Pods, spread over the horizon.
	Evict Money
	// Hurdle is charged if the node is removed voluntarily.
	Hurdle Money
	// Disruption is 1 plus the eviction weights of its pods, in millionths.
	Disruption int64
	// Goes says that the node is taken away whatever is decided.
	Goes bool
	// Voluntary is the reason for which the node may be removed to save money:
	// Empty or Underutilized; Stays if it may not.
	Voluntary Removal
	// Drift is the node's place among those that are to go because they
	// drifted, from 1 for the oldest; zero if it is not to.
	Drift int
}

// KeepCost is what keeping the node adds to the objective.
func (n *Node) KeepCost() Money {
	return n.Price + n.Fee + n.Penalty
}

// Removal is the reason for which a node goes.
type Removal uint8

const (
	// Empty: voluntary, the node has no pod that needs another place.
	Empty Removal = iota
	// Underutilized: voluntary.
	Underutilized
	// Drifted: the node no longer is what its pool asks for.
	Drifted
	// NumBudgets counts the reasons that draw on disruption budgets.
	NumBudgets
	// Forced: the node goes whatever is decided, and draws on no budget.
	Forced
	// Stays: the node does not go.
	Stays
)

// Voluntary says whether the removal is made to save money.
func (r Removal) Voluntary() bool {
	return r == Empty || r == Underutilized
}

func (r Removal) String() string {
	return [...]string{"Empty", "Underutilized", "Drifted", "", "Forced", "Stays"}[r]
}

// Measure is what a limit counts: the capacity of one resource, by its index,
// or one of the measures below.
type Measure int

const (
	// Machines counts nodes.
	Machines Measure = -1 - iota
	// Spending counts prices, as Money.
	Spending
)

// Limit is the most that the nodes of a pool, or of the whole cluster, may
// amount to at the end. It binds only solutions that launch within its scope.
type Limit struct {
	Pool    PoolIndex // None: all nodes
	Measure Measure
	Max     int64
}

// Covers says whether nodes of the pool count against the limit.
func (l *Limit) Covers(pool PoolIndex) bool {
	return l.Pool == None || l.Pool == pool
}

// Of is what one machine of this capacity and price amounts to.
func (l *Limit) Of(capacity Quantities, price Money) int64 {
	switch l.Measure {
	case Machines:
		return 1
	case Spending:
		return int64(price)
	default:
		return capacity[l.Measure]
	}
}

// Reservation is a commitment: Count more machines can be launched from it.
type Reservation struct {
	Name  string
	Count int
}

// Count is so many pods of a group.
type Count struct {
	Group GroupIndex
	N     int
}
