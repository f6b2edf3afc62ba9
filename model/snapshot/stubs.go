package snapshot

import (
	corev1 "k8s.io/api/core/v1"

	"github.com/mortise-io/mortise/api/v1alpha1"
	"github.com/mortise-io/mortise/model"
)

// TEMPORARY: whoever implements one of these deletes it here.

// --- read.go, policy.go, workloads.go

// --- compile.go and its files

func Compile(s *v1alpha1.Snapshot, o Options) (*Compiled, error) { panic("todo") }

// exclusion is the first rule that keeps a pod off a shape or machine.
type exclusion struct {
	reason  string // v1alpha1.Unplaced…
	message string
}

// shapeExcludes says why a new, empty machine of the shape does not take the pod; nil if it does. Availability is not looked at.
func (c *Compiled) shapeExcludes(p *corev1.Pod, s *shape) *exclusion { panic("todo") }

// machineExcludes says why the machine as it stays does not take the pod, which comes from another machine (nil: pending); nil if it does.
func (c *Compiled) machineExcludes(p *corev1.Pod, m, from *machine) *exclusion { panic("todo") }

// requests is what the pod asks of its node, as kube-scheduler counts it, the pod slot included.
func (c *Compiled) requests(p *corev1.Pod) corev1.ResourceList { panic("todo") }

// --- disruption.go and its files

// disrupt decides of every machine whether it goes, may go, or why not. Machines have their pods, pool, offering and price by then.
func (c *Compiled) disrupt(relax map[string]bool) { panic("todo") }

// budget is how many more nodes of the pool may go for each reason.
func (c *Compiled) budget(p *pool, relax map[string]bool) [model.NumBudgets]int { panic("todo") }

// movable lists the machine's pods that need another place when it goes.
func (c *Compiled) movable(m *machine) []*corev1.Pod { panic("todo") }

// evictCost is the one-off cost of evicting the machine's movable pods, spread over the horizon.
func (c *Compiled) evictCost(m *machine) model.Money { panic("todo") }

// hurdle is what the policy asks a voluntary removal of the machine to save first.
func (c *Compiled) hurdle(m *machine) model.Money { panic("todo") }

// disruption is 1 plus the eviction weights of the machine's movable pods, in millionths.
func (c *Compiled) disruption(m *machine) int64 { panic("todo") }

// --- assemble.go and its files

// Assemble names the pods, nodes and launches of a solution.
func Assemble(c *Compiled, s *model.Solution) *v1alpha1.Plan { panic("todo") }
