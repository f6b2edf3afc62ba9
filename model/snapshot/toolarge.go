package snapshot

import (
	"fmt"
	"slices"
	"strings"

	corev1 "k8s.io/api/core/v1"
)

// tooLarge says what is asked for, and the most that the shapes have of it.
func tooLarge(need corev1.ResourceList, shapes []*shape) string {
	var asked, most, daemons []string
	for _, name := range askedFor(need) {
		top := shapes[0].allocatable[name]
		low, high := shapes[0].daemons[name], shapes[0].daemons[name]
		for _, sh := range shapes[1:] {
			if q := sh.allocatable[name]; q.Cmp(top) > 0 {
				top = q
			}
			if q := sh.daemons[name]; q.Cmp(low) < 0 {
				low = q
			} else if q.Cmp(high) > 0 {
				high = q
			}
		}
		wanted := need[name]
		asked = append(asked, fmt.Sprintf("%s %s", name, wanted.String()))
		most = append(most, fmt.Sprintf("%s %s", name, top.String()))
		if high.Sign() > 0 {
			daemons = append(daemons, fmt.Sprintf("%s %s", name, between(low.String(), high.String())))
		}
	}
	text := fmt.Sprintf("requests %s; the largest allocatable is %s", strings.Join(asked, ", "), strings.Join(most, ", "))
	if len(daemons) > 0 {
		text += ", of which daemons take " + strings.Join(daemons, ", ")
	}
	return text
}

func between(low, high string) string {
	if low == high {
		return low
	}
	return low + " to " + high
}

// askedFor lists the resources that a pod asks for, by name. The slot that
// every pod takes is left out unless there is nothing else.
func askedFor(need corev1.ResourceList) []corev1.ResourceName {
	var names []corev1.ResourceName
	for name, q := range need {
		if q.Sign() > 0 && name != corev1.ResourcePods {
			names = append(names, name)
		}
	}
	if len(names) == 0 {
		return []corev1.ResourceName{corev1.ResourcePods}
	}
	slices.Sort(names)
	return names
}

// holds says whether the shape has room for what is needed beside its daemons.
func (s *shape) holds(need corev1.ResourceList) bool {
	for name, q := range need {
		if q.Sign() <= 0 {
			continue
		}
		room := s.allocatable[name].DeepCopy()
		room.Sub(s.daemons[name])
		if q.Cmp(room) > 0 {
			return false
		}
	}
	return true
}
