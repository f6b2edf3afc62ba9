package snapshot

import (
	"fmt"

	"github.com/mortise-io/mortise/api/v1alpha1"
	"github.com/mortise-io/mortise/model"
)

// disrupt decides of every machine whether it goes in any case, may go, or why
// not. Machines have their pods, pool, offering and price by then, and
// nominations are known. The rules of the reasons in relax are left out.
func (c *Compiled) disrupt(relax map[string]bool) {
	var malformed []error
	c.pdbs, malformed = newPDBs(c.cluster)
	for _, err := range malformed {
		c.warn("%v: it is ignored", err)
	}
	r := &restraints{c: c, relax: relax, windows: c.windows(), nominated: map[*machine]nomination{}}
	for _, n := range c.nominated {
		r.nominated[n.on] = n
	}
	for _, m := range c.nodes {
		m.goes = c.leaving(m)
		if m.goes != "" {
			continue
		}
		r.noteDrift(m)
		m.voluntary, m.voluntaryMessage = r.first(m, c.voluntaryRemoval(m))
	}
	c.warnOfDisruption()
}

// voluntaryRemoval is the reason for which the machine would be removed to save money.
func (c *Compiled) voluntaryRemoval(m *machine) model.Removal {
	if len(c.movable(m)) == 0 {
		return model.Empty
	}
	return model.Underutilized
}

// warnOfDisruption names what keeps nodes in ways that nobody may have meant,
// and what was ignored.
func (c *Compiled) warnOfDisruption() {
	c.warnOfProtections()
	c.warnOfForeignProtections()
	c.warnOfPDBs()
	c.warnOfBudgets()
	c.warnOfPrices()
	c.warnOfDeletionCosts()
	c.warnOfDeadlines()
}

// restraints are the rules that keep machines where they are.
type restraints struct {
	c         *Compiled
	relax     map[string]bool
	windows   []window
	nominated map[*machine]nomination
}

// scope says which removals a restraint is asked about.
type scope int

const (
	always    scope = iota // voluntary removals and drift
	unbounded              // both, but no drift where the termination of the node's pods has an end
	savings                // voluntary removals only
)

// restraint is one reason to keep a machine. Its test answers with a sentence
// that names what keeps it, or nothing if it does not apply.
type restraint struct {
	reason string
	scope  scope
	keeps  func(r *restraints, m *machine, why model.Removal) string
}

// byPrecedence lists the restraints known before anything is solved: a machine has the first that applies.
var byPrecedence = []restraint{
	{v1alpha1.KeptNotManaged, always, (*restraints).notManaged},
	{v1alpha1.KeptNotInitialized, always, (*restraints).notInitialized},
	{v1alpha1.KeptHold, always, (*restraints).held},
	{v1alpha1.KeptDriftReported, always, (*restraints).driftReported},
	{v1alpha1.KeptUnmovablePod, unbounded, (*restraints).unmovablePod},
	{v1alpha1.KeptDoNotDisrupt, always, (*restraints).nodeProtected},
	{v1alpha1.KeptDoNotDisrupt, unbounded, (*restraints).podProtected},
	{v1alpha1.KeptProtectedJob, unbounded, (*restraints).protectedJob},
	{v1alpha1.KeptPodDisruptionBudget, unbounded, (*restraints).shut},
	{v1alpha1.KeptNominated, always, (*restraints).awaited},
	{v1alpha1.KeptConsolidationOff, savings, (*restraints).consolidationOff},
	{v1alpha1.KeptNotConsolidatable, savings, (*restraints).notConsolidatable},
	{v1alpha1.KeptUnknownPrice, savings, (*restraints).unpriced},
	{v1alpha1.KeptQuietPeriod, savings, (*restraints).quiet},
	{v1alpha1.KeptWindow, always, (*restraints).outsideWindow},
}

// first is the first restraint that keeps the machine from going for the
// reason, or empty. That a machine is not ours, or not there yet, is no rule
// that could be relaxed.
func (r *restraints) first(m *machine, why model.Removal) (reason, message string) {
	for i := range byPrecedence {
		rule := &byPrecedence[i]
		if r.asks(rule, m, why) {
			if message := rule.keeps(r, m, why); message != "" {
				return rule.reason, message
			}
		}
	}
	return "", ""
}

func (r *restraints) asks(rule *restraint, m *machine, why model.Removal) bool {
	switch rule.reason {
	case v1alpha1.KeptNotManaged, v1alpha1.KeptNotInitialized:
		return true
	}
	lifted := !why.Voluntary() && (rule.scope == savings || rule.scope == unbounded && m.bounded())
	return !lifted && !r.relax[rule.reason]
}

func (r *restraints) notManaged(m *machine, _ model.Removal) string {
	if m.pool != nil {
		return ""
	}
	if r.c.impliedPool() != nil && m.node != nil && !m.priced && !controlPlane(m.node) {
		return fmt.Sprintf("the price of %s (%s) is not known, and without a NodePool only priced nodes are managed", m, m.sold())
	}
	return fmt.Sprintf("%s belongs to no NodePool", m)
}

func (r *restraints) notInitialized(m *machine, _ model.Removal) string {
	if m.initialized && m.node != nil {
		return ""
	}
	return fmt.Sprintf("%s is still on its way", m)
}

func (r *restraints) held(m *machine, _ model.Removal) string {
	if unreadable(m.pool.object) {
		return fmt.Sprintf("NodePool %s could not be read", m.pool.object.Name)
	}
	switch "true" {
	case m.pool.object.Annotations[v1alpha1.AnnotationHold]:
		return fmt.Sprintf("NodePool %s has annotation %s", m.pool.object.Name, v1alpha1.AnnotationHold)
	case m.nodeAnnotation(v1alpha1.AnnotationHold), m.claimAnnotation(v1alpha1.AnnotationHold):
		return fmt.Sprintf("%s has annotation %s", m, v1alpha1.AnnotationHold)
	}
	return ""
}

func (r *restraints) awaited(m *machine, _ model.Removal) string {
	n, is := r.nominated[m]
	if !is {
		return ""
	}
	return fmt.Sprintf("pod %s is nominated to %s", podKey(n.pod), m)
}

func (r *restraints) consolidationOff(*machine, model.Removal) string {
	if *r.c.policy.Consolidate {
		return ""
	}
	return "the policy has consolidate off"
}

func (r *restraints) outsideWindow(m *machine, why model.Removal) string {
	for i := range r.windows {
		if w := &r.windows[i]; !w.open && w.covers(m.pool.object.Name, why) {
			return fmt.Sprintf("no window of the policy is open for NodePool %s and reason %s", m.pool.object.Name, why)
		}
	}
	return ""
}
