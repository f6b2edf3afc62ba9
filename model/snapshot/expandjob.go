package snapshot

import (
	"fmt"
	"maps"
	"strconv"
	"strings"

	batchv1 "k8s.io/api/batch/v1"
	corev1 "k8s.io/api/core/v1"
	"k8s.io/utils/ptr"
)

// expandJob adds the pods that a Job would run now: as many as run in parallel
// and are still to be completed, less those that are active.
func (w *workloads) expandJob(j *batchv1.Job) {
	if by := ptr.Deref(j.Spec.ManagedBy, batchv1.JobControllerName); by != batchv1.JobControllerName {
		w.warn("Job %s/%s is managed by %s: its pods are not expanded", j.Namespace, j.Name, by)
		return
	}
	if j.DeletionTimestamp != nil || ptr.Deref(j.Spec.Suspend, false) || isFinished(j) {
		return
	}
	pods := w.owned[owner{j.Namespace, "Job", j.Name}]
	missing := wantedOfJob(j, countSucceeded(j, pods)) - countActive(pods)
	s := w.newStamp(controllerOf("batch/v1", "Job", &j.ObjectMeta), j.Namespace, &j.Spec.Template)
	for _, prefix := range []string{"", "batch.kubernetes.io/"} {
		s.label(prefix+"job-name", j.Name)
		if j.UID != "" {
			s.label(prefix+"controller-uid", string(j.UID))
		}
	}
	if ptr.Deref(j.Spec.CompletionMode, batchv1.NonIndexedCompletion) == batchv1.IndexedCompletion {
		w.addIndexed(j, pods, missing, s)
		return
	}
	w.addReplicas(j.Name, missing, s)
}

// wantedOfJob is how many pods are to be active. A Job without completions is a
// queue of work: once a pod has succeeded, no more are started.
func wantedOfJob(j *batchv1.Job, succeeded int) int {
	parallelism := int(ptr.Deref(j.Spec.Parallelism, 1))
	switch {
	case j.Spec.Completions != nil:
		return min(parallelism, int(*j.Spec.Completions)-succeeded)
	case succeeded > 0:
		return 0
	}
	return parallelism
}

// countSucceeded believes the status or the pods, whichever know of more.
func countSucceeded(j *batchv1.Job, pods []*corev1.Pod) int {
	n := 0
	for _, p := range pods {
		if p.Status.Phase == corev1.PodSucceeded {
			n++
		}
	}
	return max(n, int(j.Status.Succeeded))
}

func isFinished(j *batchv1.Job) bool {
	for _, c := range j.Status.Conditions {
		switch c.Type {
		case batchv1.JobComplete, batchv1.JobFailed, batchv1.JobFailureTarget, batchv1.JobSuccessCriteriaMet:
			if c.Status == corev1.ConditionTrue {
				return true
			}
		}
	}
	return false
}

// addIndexed adds pods for the lowest indices that are neither done nor at work.
func (w *workloads) addIndexed(j *batchv1.Job, pods []*corev1.Pod, missing int, s *stamp) {
	taken := indexSet(j.Status.CompletedIndexes)
	maps.Copy(taken, indexSet(ptr.Deref(j.Status.FailedIndexes, "")))
	for _, p := range pods {
		if i, err := strconv.Atoi(p.Annotations[batchv1.JobCompletionIndexAnnotation]); err == nil && p.Status.Phase != corev1.PodFailed && p.DeletionTimestamp == nil {
			taken[i] = true
		}
	}
	for i := 0; missing > 0 && i < int(ptr.Deref(j.Spec.Completions, 0)) && !w.full; i++ {
		if taken[i] {
			continue
		}
		p := s.pod(w.freeName(j.Namespace, fmt.Sprintf("%s-%d", j.Name, i)))
		if p.Annotations == nil {
			p.Annotations = map[string]string{}
		}
		p.Annotations[batchv1.JobCompletionIndexAnnotation] = strconv.Itoa(i)
		p.Labels[batchv1.JobCompletionIndexAnnotation] = strconv.Itoa(i)
		p.Spec.Hostname = fmt.Sprintf("%s-%d", j.Name, i)
		w.addPod(p)
		missing--
	}
}

// freeName is the name, with a number if another pod has it.
func (w *workloads) freeName(namespace, name string) string {
	free := name
	for n := 1; w.pods[namespace+"/"+free] != nil; n++ {
		free = fmt.Sprintf("%s-%d", name, n)
	}
	return free
}

// indexSet reads the indices of a Job's status: 1,3-5,7.
func indexSet(list string) map[int]bool {
	set := map[int]bool{}
	for part := range strings.SplitSeq(list, ",") {
		first, last, isRange := strings.Cut(part, "-")
		from, err := strconv.Atoi(first)
		if err != nil {
			continue
		}
		to := from
		if isRange {
			if to, err = strconv.Atoi(last); err != nil {
				continue
			}
		}
		for i := from; i <= min(to, from+mostExpandedPods); i++ {
			set[i] = true
		}
	}
	return set
}
