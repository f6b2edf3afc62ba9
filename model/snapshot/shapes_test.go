package snapshot

import (
	"testing"

	"github.com/stretchr/testify/require"
	corev1 "k8s.io/api/core/v1"
	karpv1 "sigs.k8s.io/karpenter/pkg/apis/v1"

	"github.com/mortise-io/mortise/api/v1alpha1"
	"github.com/mortise-io/mortise/model"
)

func TestForSale(t *testing.T) {
	t.Parallel()
	yes, no := true, false
	soon, past := ago(-1), ago(1)
	for _, test := range []struct {
		name     string
		offering v1alpha1.Offering
		want     bool
	}{
		{"an offering is for sale", v1alpha1.Offering{}, true},
		{"one that says so is", v1alpha1.Offering{Available: &yes}, true},
		{"one that says not is not", v1alpha1.Offering{Available: &no}, false},
		{"not before its time", v1alpha1.Offering{Available: &no, UnavailableUntil: &soon}, false},
		{"but after it", v1alpha1.Offering{Available: &no, UnavailableUntil: &past}, true},
		{"a reservation with room is", v1alpha1.Offering{Reservation: &v1alpha1.Reservation{ID: "a", Count: 1}}, true},
		{"one without is not", v1alpha1.Offering{Reservation: &v1alpha1.Reservation{ID: "a"}}, false},
	} {
		t.Run(test.name, func(t *testing.T) {
			t.Parallel()
			test.offering.Zone, test.offering.CapacityType = "z1", "on-demand"
			c := compileOf(t, nodePool("default"), sold("m", 4, offered(test.offering)))
			require.Equal(t, test.want, len(c.shapes) == 1)
			require.Equal(t, !test.want, len(c.soldOut) == 1, "what is not for sale is remembered")
		})
	}
}

func TestReservations(t *testing.T) {
	t.Parallel()
	reserved := func(zone, id string, count int32) v1alpha1.Offering {
		return v1alpha1.Offering{Zone: zone, CapacityType: "reserved", Reservation: &v1alpha1.Reservation{ID: id, Count: count}}
	}
	c := compileOf(t, nodePool("default"), nodePool("other"),
		sold("m", 4, offered(reserved("z1", "b", 3), reserved("z2", "b", 2), reserved("z1", "a", 1), v1alpha1.Offering{Zone: "z3", CapacityType: "on-demand"})))
	require.Equal(t, []model.Reservation{{Name: "a", Count: 1}, {Name: "b", Count: 2}}, c.Problem.Reservations, "the least count of several holds")
	var got []model.ReservationIndex
	for i := range c.Problem.Shapes {
		got = append(got, c.Problem.Shapes[i].Reservation)
	}
	require.Equal(t, []model.ReservationIndex{0, 1, 1, model.None, 0, 1, 1, model.None}, got)
}

func TestLabelsOfShapes(t *testing.T) {
	t.Parallel()
	pool := nodePool("default", requiring("tier", "In", "web"), func(p *karpv1.NodePool) { p.Spec.Template.Labels = map[string]string{"owner": "me"} })
	c := compileOf(t, pool, sold("m", 4, carrying("vendor.example/family", "m"), offered(v1alpha1.Offering{
		Zone: "z1", CapacityType: "reserved", Reservation: &v1alpha1.Reservation{ID: "cr", Count: 1},
		Requirements: []corev1.NodeSelectorRequirement{in("vendor.example/rack", "r7")},
	})))
	require.Equal(t, map[string]string{
		"owner": "me", "tier": "web",
		"vendor.example/family": "m", "vendor.example/rack": "r7", "vendor.example/nodeclass": "standard",
		"karpenter.sh/nodepool": "default", "karpenter.sh/capacity-type": "reserved", "karpenter.sh/reservation-id": "cr",
		"karpenter.sh/registered": "true", "karpenter.sh/initialized": "true",
		"kubernetes.io/arch": "amd64", "beta.kubernetes.io/arch": "amd64",
		"kubernetes.io/os": "linux", "beta.kubernetes.io/os": "linux",
		"node.kubernetes.io/instance-type": "m", "beta.kubernetes.io/instance-type": "m",
		"topology.kubernetes.io/zone": "z1", "failure-domain.beta.kubernetes.io/zone": "z1",
		"kubernetes.io/hostname": newHostname,
	}, c.shapes[0].labels)
}

func TestShapesInTheProblem(t *testing.T) {
	t.Parallel()
	c := compileOf(t, nodePool("default"), nodePool("other"), waits("p", 1),
		sold("b", 2, offered(v1alpha1.Offering{Zone: "z2", CapacityType: "spot", Price: 0.25}, v1alpha1.Offering{Zone: "z1", CapacityType: "on-demand", Price: 0.5})),
		sold("a", 4))
	require.Equal(t, []string{
		"default/a/z1/on-demand", "default/b/z1/on-demand", "default/b/z2/spot",
		"other/a/z1/on-demand", "other/b/z1/on-demand", "other/b/z2/spot",
	}, shapeNames(c))
	require.Equal(t, model.Shape{
		Name: "other/b/z2/spot", Pool: 1, Type: 1, Zone: 1, Spot: true, Price: model.Dollars(0.25), Reservation: model.None,
		Allocatable: model.Quantities{2000, 110}, Capacity: model.Quantities{2000, 110},
	}, c.Problem.Shapes[5])
}

func TestTypeThatCannotBeReadIsLeftOut(t *testing.T) {
	t.Parallel()
	bad := sold("bad", 4, func(it *v1alpha1.InstanceType) {
		it.Requirements = append(it.Requirements, corev1.NodeSelectorRequirement{Key: "a", Operator: "Gt"})
	})
	c := compileOf(t, nodePool("default"), bad, sold("m", 4))
	require.Equal(t, []string{"default/m/z1/on-demand"}, shapeNames(c))
	require.Equal(t, []string{"instance type bad is left out: requirements[2].values: operator Gt needs one whole number that is not negative, got []"}, c.Warnings)
}
