package snapshot

import (
	"fmt"
	"slices"

	"github.com/mortise-io/mortise/api/v1alpha1"
	"github.com/mortise-io/mortise/model"
)

// window is an entry of the policy's windows, judged at the snapshot's time.
type window struct {
	pools, reasons []string // empty means all
	open           bool
}

// covers says whether the window rules over removals of the pool's nodes for the reason.
func (w *window) covers(pool string, why model.Removal) bool {
	return (len(w.pools) == 0 || slices.Contains(w.pools, pool)) &&
		(len(w.reasons) == 0 || slices.Contains(w.reasons, why.String()))
}

// windows judges the policy's windows. One that cannot be read is closed, and warned about.
func (c *Compiled) windows() []window {
	out := make([]window, 0, len(c.policy.Windows))
	for i := range c.policy.Windows {
		w := &c.policy.Windows[i]
		open, err := c.anyOpen(w.Allow)
		if err != nil {
			c.warn("policy: windows[%d]: %v: the window stays closed", i, err)
		}
		out = append(out, window{pools: w.NodePools, reasons: w.Reasons, open: open && err == nil})
	}
	return out
}

func (c *Compiled) anyOpen(allow []v1alpha1.Allow) (bool, error) {
	open := false
	for i := range allow {
		r, err := newRecurrence(allow[i].Schedule, allow[i].TimeZone, allow[i].Duration.Duration)
		if err != nil {
			return false, fmt.Errorf("allow[%d]: %w", i, err)
		}
		open = open || r.open(c.cluster.now)
	}
	return open, nil
}
