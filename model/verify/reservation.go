package verify

// checkReservations asks that no more machines are launched from a reservation than it has left.
func checkReservations(c *check) {
	launched := map[string]int{}
	for _, m := range c.launches {
		if m.offer == nil || m.offer.offering.Reservation == nil {
			continue
		}
		r := m.offer.offering.Reservation
		launched[r.ID]++
		if launched[r.ID] == int(r.Count)+1 {
			c.report(RuleReservation, "reservation "+r.ID, "more than %d launches", r.Count)
		}
	}
}
