package snapshot

import (
	"fmt"
	"time"

	corev1 "k8s.io/api/core/v1"
	"k8s.io/apimachinery/pkg/runtime/schema"
	karpv1 "sigs.k8s.io/karpenter/pkg/apis/v1"
	podutils "sigs.k8s.io/karpenter/pkg/utils/pod"

	"github.com/mortise-io/mortise/model"
)

// nodeProtected: on nodes only the exact value "true" protects.
func (r *restraints) nodeProtected(m *machine, _ model.Removal) string {
	if m.nodeAnnotation(karpv1.DoNotDisruptAnnotationKey) != "true" {
		return ""
	}
	return fmt.Sprintf("%s is protected by %s", m, karpv1.DoNotDisruptAnnotationKey)
}

// podProtected: one protected pod protects its node, DaemonSet and static pods included.
func (r *restraints) podProtected(m *machine, _ model.Removal) string {
	for _, p := range m.pods {
		if !podutils.IsActive(p) {
			continue
		}
		if is, until := doNotDisrupt(p, r.c.cluster.now); is {
			return fmt.Sprintf("pod %s is protected by %s%s", podKey(p), karpv1.DoNotDisruptAnnotationKey, until)
		}
	}
	return ""
}

// doNotDisrupt says whether the pod's annotation protects it now, and for how
// long. It is "true", or a duration that counts from the pod's start; a start
// that is not known protects.
func doNotDisrupt(p *corev1.Pod, now time.Time) (is bool, until string) {
	value := p.Annotations[karpv1.DoNotDisruptAnnotationKey]
	if value == "true" {
		return true, ""
	}
	length, ok := protectionLength(value)
	if !ok {
		return false, ""
	}
	if p.Status.StartTime == nil {
		return true, fmt.Sprintf(" for %s from its start, which is not known", length)
	}
	end := p.Status.StartTime.Add(length)
	return now.Before(end), " until " + end.UTC().Format(time.RFC3339)
}

// protectionLength reads a positive duration; false if it is none.
func protectionLength(value string) (time.Duration, bool) {
	d, err := time.ParseDuration(value)
	return d, err == nil && d > 0
}

// warnOfProtections names the pods whose protection cannot be read. It is
// ignored, as in Karpenter. "false" asks for no protection, and gets none.
func (c *Compiled) warnOfProtections() {
	bad := map[string][]string{}
	for _, m := range c.nodes {
		for _, p := range m.pods {
			value, given := p.Annotations[karpv1.DoNotDisruptAnnotationKey]
			if _, ok := protectionLength(value); given && !ok && podutils.IsActive(p) && value != "true" && value != "false" {
				bad[value] = append(bad[value], podKey(p))
			}
		}
	}
	for _, value := range sortedKeys(bad) {
		c.warn("annotation %s %q is neither true nor a positive duration such as 30m, and does not protect %s",
			karpv1.DoNotDisruptAnnotationKey, value, some("pod", bad[value]))
	}
}

// unmovablePod: a pod that no controller would bring back is lost when it is evicted.
func (r *restraints) unmovablePod(m *machine, _ model.Removal) string {
	if *r.c.policy.EvictBarePods {
		return ""
	}
	for _, p := range r.c.movable(m) {
		if bare(p) {
			return fmt.Sprintf("no controller would bring pod %s back", podKey(p))
		}
	}
	return ""
}

var jobs = []schema.GroupVersionKind{{Group: "batch", Version: "v1", Kind: "Job"}}

// protectedJob: the policy lets running jobs end.
func (r *restraints) protectedJob(m *machine, _ model.Removal) string {
	if !*r.c.policy.ProtectJobs {
		return ""
	}
	for _, p := range r.c.movable(m) {
		if podutils.IsOwnedBy(p, jobs) {
			return fmt.Sprintf("pod %s belongs to a Job, and the policy protects jobs", podKey(p))
		}
	}
	return ""
}
