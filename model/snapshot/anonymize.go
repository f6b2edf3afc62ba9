package snapshot

import (
	"encoding/json"
	"slices"

	appsv1 "k8s.io/api/apps/v1"
	batchv1 "k8s.io/api/batch/v1"
	corev1 "k8s.io/api/core/v1"
	"k8s.io/apimachinery/pkg/runtime"
	"k8s.io/utils/ptr"
	karpv1 "sigs.k8s.io/karpenter/pkg/apis/v1"

	"github.com/mortise-io/mortise/api/v1alpha1"
)

// Anonymize is the snapshot without names: its plan is the same but for names.
//
// Every text is replaced by a pseudonym unless it is known to be harmless, so
// that a field nobody thought of gives nothing away. What stays: sizes, prices
// and times; instance types, zones, and what else labels say of a machine;
// resources, API kinds, and names that are the same in every cluster. What a
// plan has no use for is left out: images, messages, annotations that no rule
// reads, what devices are asked for. Pseudonyms sort as the names do, and are
// put together as the names are; that much can still be seen.
//
// An object without its typed value is left out.
func Anonymize(s *v1alpha1.Snapshot) *v1alpha1.Snapshot {
	out := copyOf(s)
	a := newAnonymizer(out)
	words := map[string]bool{}
	a.replace = func(name string) string {
		for _, word := range wordsOf(name) {
			words[word] = true
		}
		return name
	}
	a.snapshot(out)
	a.replace = newPseudonyms(words, mostReplicas(out)+1).of
	a.snapshot(out)
	return out
}

// copyOf is a deep copy, without what a plan has no use for.
func copyOf(s *v1alpha1.Snapshot) *v1alpha1.Snapshot {
	head := *s
	head.Objects = nil
	out := &v1alpha1.Snapshot{}
	if err := json.Unmarshal(asJSON(head), out); err != nil {
		panic(err) // it was written a moment ago
	}
	for i := range out.InstanceTypes {
		out.InstanceTypes[i].Devices = nil
	}
	for i := range s.Objects {
		if s.Objects[i].Object == nil {
			continue
		}
		if o, ok := s.Objects[i].Object.DeepCopyObject().(object); ok {
			strip(o)
			out.Objects = append(out.Objects, runtime.RawExtension{Object: o})
		}
	}
	return out
}

// mostReplicas is the highest number that a workload may give to a pod.
func mostReplicas(s *v1alpha1.Snapshot) int {
	most := 0
	for i := range s.Objects {
		n := 0
		switch o := s.Objects[i].Object.(type) {
		case *appsv1.Deployment:
			n = int(ptr.Deref(o.Spec.Replicas, 1))
		case *appsv1.ReplicaSet:
			n = int(ptr.Deref(o.Spec.Replicas, 1))
		case *corev1.ReplicationController:
			n = int(ptr.Deref(o.Spec.Replicas, 1))
		case *batchv1.Job:
			n = int(max(ptr.Deref(o.Spec.Completions, 1), ptr.Deref(o.Spec.Parallelism, 1)))
		case *appsv1.StatefulSet:
			n = int(ptr.Deref(o.Spec.Replicas, 1))
			if o.Spec.Ordinals != nil {
				n += int(o.Spec.Ordinals.Start)
			}
		}
		most = max(most, n)
	}
	return min(most, mostExpandedPods)
}

// impliedPool says whether the snapshot is planned with the pool that is implied where there is none.
func impliedPool(s *v1alpha1.Snapshot) bool {
	pools := slices.DeleteFunc(slices.Clone(s.Objects), func(o runtime.RawExtension) bool {
		_, is := o.Object.(*karpv1.NodePool)
		return !is
	})
	return len(pools) == 0 || slices.ContainsFunc(pools, func(o runtime.RawExtension) bool {
		return o.Object.(*karpv1.NodePool).Annotations[v1alpha1.AnnotationImplied] == "true"
	})
}
