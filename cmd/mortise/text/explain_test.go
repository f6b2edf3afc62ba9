package text

import (
	"bytes"
	"fmt"
	"testing"
	"time"

	metav1 "k8s.io/apimachinery/pkg/apis/meta/v1"
	"k8s.io/utils/ptr"

	"github.com/mortise-io/mortise/api/v1alpha1"
	"github.com/mortise-io/mortise/model/snapshot"
	"github.com/mortise-io/mortise/provider/catalog"
)

// requirePages holds what print prints at two widths against golden files.
func requirePages(t *testing.T, name string, print func(Printer) error) {
	t.Helper()
	for _, width := range []int{80, 120} {
		got := printed(t, func(b *bytes.Buffer) error { return print(Printer{To: b, Options: Options{Width: width}}) })
		requireGolden(t, fmt.Sprintf("%s-%d", name, width), got)
	}
}

var bought = snapshot.OfferingChoice{NodePool: "general", InstanceType: "m6a.large", Zone: "us-east-1a", CapacityType: "on-demand", PricePerHour: 0.0864}

func TestExplainedPod(t *testing.T) {
	_, plan := small()
	e := &snapshot.PodExplanation{
		Pod: "shop/search-6d5f-0", Requests: size("1500m", "2Gi"),
		Offerings: []snapshot.OfferingChoice{bought}, OfferingCount: 12,
		Nodes: []string{"ip-10-0-2-40"},
		ExcludedOfferings: []snapshot.ExcludedOfferings{
			{NodePool: "batch", Reason: "Taints", Count: 40, Cheapest: bought, Message: "taint workload=batch:NoSchedule is not tolerated"},
		},
		ExcludedNodes: []snapshot.ExcludedNodes{{Reason: "NoRoom", Count: 2, Example: "ip-10-0-1-17", Message: "cpu: 1500m asked for, 900m free"}},
	}
	requirePages(t, "explain-pod", (&Pod{PodExplanation: e, Plan: PodVerdictOf(plan, "shop/search-6d5f-0")}).Print)
	requirePages(t, "explain-pod-without-plan", (&Pod{PodExplanation: e}).Print)
}

func TestExplainedNode(t *testing.T) {
	_, plan := small()
	e := &snapshot.NodeExplanation{
		Node: "ip-10-0-1-17.internal", NodePool: "general", InstanceType: "m5.2xlarge", Zone: "us-east-1a", CapacityType: "on-demand",
		Initialized: true, PricePerHour: ptr.To(0.384), Allocatable: size("7910m", "28Gi"), Requests: size("1500m", "6Gi"), Pods: 3,
		RemovalReason: v1alpha1.RemovalUnderutilized, Budget: ptr.To(2), EvictionPerHour: 0.00125,
	}
	ways := []WayOut{
		{Pod: "shop/cart-6d5f-0", Nodes: 1, Launch: &bought},
		{Pod: "shop/train", Obstacle: &snapshot.Obstacle{Reason: "NoInstanceTypeFits", Message: "no type has nvidia.com/gpu"}},
	}
	requirePages(t, "explain-node", (&Node{NodeExplanation: e, Drain: ways, Plan: NodeVerdictOf(plan, e)}).Print)

	kept := &snapshot.NodeExplanation{Node: "ip-10-0-3-9.internal", KeptBy: &snapshot.Obstacle{Reason: "NotManaged", Message: "no NodePool owns it"}}
	requirePages(t, "explain-node-kept", (&Node{NodeExplanation: kept, Plan: NodeVerdictOf(plan, kept)}).Print)
}

func TestCatalogs(t *testing.T) {
	infos := []catalog.Info{
		{
			Name: "aws-us-east-1", InstanceTypes: 1345, Offerings: 13368, Spot: true, Estimated: true, Zones: []string{"us-east-1a", "us-east-1b"},
			PricesAsOf: metav1.NewTime(time.Date(2026, 7, 20, 0, 0, 0, 0, time.UTC)), Notes: []string{"spot prices are estimates"},
		},
		{Name: "kwok", InstanceTypes: 144, Offerings: 1152, Synthetic: true, Zones: []string{"test-zone-a"}},
	}
	requirePages(t, "catalogs", func(p Printer) error { return Catalogs(p.To, infos, p.Options) })
	requirePages(t, "catalog-dates", func(p Printer) error { return CatalogDates(p.To, infos, p.Options) })
}

func TestCatalog(t *testing.T) {
	c := &v1alpha1.Catalog{Name: "mine", Notes: []string{"prices are negotiated"}, InstanceTypes: []v1alpha1.InstanceType{
		{
			Name: "small", Capacity: size("4", "16Gi"), Overhead: size("80m", "1Gi"),
			Offerings: []v1alpha1.Offering{
				{Zone: "z1", CapacityType: "on-demand", Price: 0.3}, {Zone: "z2", CapacityType: "on-demand", Price: 0.2},
				{Zone: "z1", CapacityType: "spot", Price: 0.05, Estimated: true},
			},
		},
		{Name: "reserved-only", Capacity: size("4", "16Gi"), Offerings: []v1alpha1.Offering{{Zone: "z1", CapacityType: "reserved"}}},
	}}
	requirePages(t, "catalog", func(p Printer) error { return Catalog(p.To, c, p.Options) })
}
