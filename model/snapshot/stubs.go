package snapshot

import (
	corev1 "k8s.io/api/core/v1"

	"github.com/mortise-io/mortise/api/v1alpha1"
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
