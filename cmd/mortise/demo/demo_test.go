package demo

import (
	"testing"
	"time"

	"github.com/stretchr/testify/require"
	corev1 "k8s.io/api/core/v1"

	"github.com/mortise-io/mortise/model/snapshot"
)

func TestTheExampleReadsWithoutWarnings(t *testing.T) {
	s, warnings, err := snapshot.Decode("example", Documents(), time.Time{})
	require.NoError(t, err)
	require.Empty(t, warnings)

	nodes, waiting := 0, 0
	for _, o := range s.Objects {
		switch o := o.Object.(type) {
		case *corev1.Node:
			nodes++
		case *corev1.Pod:
			if o.Spec.NodeName == "" {
				waiting++
			}
		}
	}
	require.Equal(t, 12, nodes)
	require.Equal(t, 4, waiting)
}
