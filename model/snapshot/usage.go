package snapshot

import "github.com/mortise-io/mortise/model"

// usage is what a solution's end state amounts to, against limits, reservations
// and the spread over spot markets.
type usage struct {
	p        *model.Problem
	limits   []int64 // by index of the limit
	reserved []int   // launched from each reservation
	spot     map[model.PoolIndex]int
	markets  map[market]int
	launched map[market]bool // those that the solution buys in
}

// market is one instance type in one zone, as a pool buys it on spot.
type market struct {
	pool model.PoolIndex
	kind model.TypeIndex
	zone model.ZoneIndex
}

func marketOf(s *model.Shape) market { return market{s.Pool, s.Type, s.Zone} }

// usageOf counts all nodes that stay, and all launches.
func usageOf(p *model.Problem, s *model.Solution) *usage {
	u := &usage{
		p:        p,
		limits:   make([]int64, len(p.Limits)),
		reserved: make([]int, len(p.Reservations)),
		spot:     map[model.PoolIndex]int{},
		markets:  map[market]int{},
		launched: map[market]bool{},
	}
	for i := range p.Nodes {
		if n := &p.Nodes[i]; !s.Nodes[i].Gone() {
			u.count(n.Pool, n.Capacity, n.Price)
			if n.Spot && n.Pool != model.None {
				u.spot[n.Pool]++
				u.markets[market{n.Pool, n.Type, n.Zone}]++
			}
		}
	}
	for i := range s.Launches {
		sh := &p.Shapes[s.Launches[i].Shape]
		u.count(sh.Pool, sh.Capacity, sh.Price)
		if sh.Reservation != model.None {
			u.reserved[sh.Reservation]++
		}
		if sh.Spot {
			u.spot[sh.Pool]++
			u.markets[marketOf(sh)]++
			u.launched[marketOf(sh)] = true
		}
	}
	return u
}

func (u *usage) count(pool model.PoolIndex, capacity model.Quantities, price model.Money) {
	for i := range u.p.Limits {
		if l := &u.p.Limits[i]; l.Covers(pool) {
			u.limits[i] += l.Of(capacity, price)
		}
	}
}

// exceeded yields the limits that one more launch of the shape would break.
func (u *usage) exceeded(sh *model.Shape) []int {
	var out []int
	for i := range u.p.Limits {
		l := &u.p.Limits[i]
		if l.Covers(sh.Pool) && u.limits[i]+l.Of(sh.Capacity, sh.Price) > l.Max {
			out = append(out, i)
		}
	}
	return out
}

// reservable says whether its reservation, if it has one, has room for one more launch.
func (u *usage) reservable(sh *model.Shape) bool {
	return sh.Reservation == model.None || u.reserved[sh.Reservation] < u.p.Reservations[sh.Reservation].Count
}

// allowsInstead says whether a launch of the shape in place of another of the
// same pool keeps all limits, reservations and shares.
func (u *usage) allowsInstead(sh, of *model.Shape) bool {
	for i := range u.p.Limits {
		l := &u.p.Limits[i]
		if l.Covers(sh.Pool) && u.limits[i]-l.Of(of.Capacity, of.Price)+l.Of(sh.Capacity, sh.Price) > l.Max {
			return false
		}
	}
	return (sh.Reservation == of.Reservation || u.reservable(sh)) && u.spreadsInstead(sh, of)
}

// spreadsInstead judges the swap by the largest share that one spot market may have.
func (u *usage) spreadsInstead(sh, of *model.Shape) bool {
	share := u.p.Rules.SpotDiversity
	if share == 0 || !sh.Spot && !of.Spot {
		return true
	}
	in, out := marketOf(sh), marketOf(of)
	total := u.spot[sh.Pool] + asCount(sh.Spot) - asCount(of.Spot)
	most := max(1, int(int64(total)*share/1_000_000))
	if sh.Spot && u.markets[in]+1-asCount(of.Spot && in == out) > most {
		return false
	}
	for m := range u.launched {
		if m.pool == sh.Pool && m != in && u.markets[m]-asCount(of.Spot && m == out) > most {
			return false
		}
	}
	return true
}

// spreads says whether one more launch of the shape keeps its pool's shares of spot markets.
func (u *usage) spreads(sh *model.Shape) bool {
	share := u.p.Rules.SpotDiversity
	if share == 0 || !sh.Spot {
		return true
	}
	most := max(1, int(int64(u.spot[sh.Pool]+1)*share/1_000_000))
	return u.markets[marketOf(sh)]+1 <= most
}

// asCount is 1 for true.
func asCount(is bool) int {
	if is {
		return 1
	}
	return 0
}
