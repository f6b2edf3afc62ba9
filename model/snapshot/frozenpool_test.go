package snapshot

import (
	"testing"

	"github.com/stretchr/testify/require"

	"github.com/mortise-io/mortise/api/v1alpha1"
	"github.com/mortise-io/mortise/model"
)

func TestAPoolThatCannotBeReadBuysNothingAndKeepsItsNodes(t *testing.T) {
	t.Parallel()
	const old = "apiVersion: karpenter.sh/v1beta1\nkind: NodePool\nmetadata: {name: default}\n"
	s, warnings, err := Decode("pools.yaml", []byte(old), aTuesday)
	require.NoError(t, err)
	require.Len(t, warnings, 1)

	c := compileOf(t, s.Objects[0].Object, sold("m", 4), runs("n1"), waits("p", 1000, selecting("a", "b")))
	require.Empty(t, c.shapes)
	plan := Assemble(c, &model.Solution{Unplaced: []int{1}, Nodes: []model.Fate{{Removal: model.Stays}}})
	require.Equal(t, []v1alpha1.Kept{
		{Node: "n1", NodePool: "default", Reason: v1alpha1.KeptHold, Message: "NodePool default could not be read"},
	}, plan.Kept)

	c = compileOf(t, s.Objects[0].Object, sold("m", 4), waits("p", 1000))
	plan = Assemble(c, &model.Solution{Unplaced: []int{1}})
	require.Equal(t, []v1alpha1.Unplaced{{
		Pods: []string{"default/p"}, Reason: v1alpha1.UnplacedNoInstanceTypeFits,
		Message: "no instance type meets the requirements of the node pools; nothing is launched from node pool default: it could not be read",
	}}, plan.Unplaced)
}
