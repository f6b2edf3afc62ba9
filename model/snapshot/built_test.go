package snapshot

import (
	"fmt"
	"strings"

	corev1 "k8s.io/api/core/v1"
	policyv1 "k8s.io/api/policy/v1"
	"k8s.io/apimachinery/pkg/api/resource"
	metav1 "k8s.io/apimachinery/pkg/apis/meta/v1"
	karpv1 "sigs.k8s.io/karpenter/pkg/apis/v1"

	"github.com/mortise-io/mortise/api/v1alpha1"
	"github.com/mortise-io/mortise/model"
)

// built is a Compiled made by hand, and a solution of it: what Assemble needs, and
// nothing that Compile would have to be right about.
type built struct {
	*Compiled
	solution *model.Solution
	groupOf  map[string]model.GroupIndex
	shapeOf  map[string]model.ShapeIndex
	nodeOf   map[string]*machine
}

func newBuilt(pools ...string) *built {
	b := &built{
		Compiled: &Compiled{
			snapshot: &v1alpha1.Snapshot{},
			cluster:  newCluster(&v1alpha1.Snapshot{}),
			policy:   v1alpha1.Policy{}.Default(),
			pdbs:     pdbs{},
		},
		solution: &model.Solution{},
		groupOf:  map[string]model.GroupIndex{},
		shapeOf:  map[string]model.ShapeIndex{},
		nodeOf:   map[string]*machine{},
	}
	b.Problem.Resources = []string{"cpu", "pods"}
	for i, name := range pools {
		b.pools = append(b.pools, &pool{object: &karpv1.NodePool{ObjectMeta: metav1.ObjectMeta{Name: name}}, index: model.PoolIndex(i)})
		b.Problem.Pools = append(b.Problem.Pools, model.Pool{
			Name: name, Budget: [model.NumBudgets]int{model.Unlimited, model.Unlimited, model.Unlimited},
		})
	}
	return b
}

// shape adds "pool:type/capacity/zone" with so many cores, of which daemons take half of one.
func (b *built) shape(name string, cores int64, price float64) model.ShapeIndex {
	i := model.ShapeIndex(len(b.shapes))
	poolName, rest, _ := strings.Cut(name, ":")
	parts := strings.Split(rest, "/")
	kind, capacityType, zone := parts[0], parts[1], parts[2]
	p := b.poolNamed(poolName)
	b.shapes = append(b.shapes, shape{
		pool:         p,
		instanceType: &v1alpha1.InstanceType{Name: kind},
		offering:     &v1alpha1.Offering{Zone: zone, CapacityType: capacityType, Price: price},
		labels: map[string]string{
			corev1.LabelInstanceTypeStable: kind, corev1.LabelTopologyZone: zone, corev1.LabelHostname: "x",
			karpv1.CapacityTypeLabelKey: capacityType, karpv1.NodePoolLabelKey: poolName, "vendor/cores": fmt.Sprint(cores),
		},
		allocatable: amounts(cores*1000, 110),
		daemons:     amounts(500, 1),
		price:       model.Dollars(price),
	})
	b.Problem.Shapes = append(b.Problem.Shapes, model.Shape{
		Name: name, Pool: p.index, Type: model.TypeIndex(i), Spot: capacityType == "spot", Price: model.Dollars(price), Reservation: model.None,
		Allocatable: model.Quantities{cores*1000 - 500, 109}, Capacity: model.Quantities{cores * 1000, 110},
	})
	b.shapeOf[name] = i
	return i
}

// node adds a machine of the pool (empty: not managed) that may go as Underutilized.
func (b *built) node(name, poolName string, price float64) *machine {
	m := &machine{
		index: model.NodeIndex(len(b.nodes)), name: name, initialized: true,
		node:  &corev1.Node{ObjectMeta: metav1.ObjectMeta{Name: name}},
		price: model.Dollars(price), priced: true, allocatable: amounts(4000, 110),
	}
	n := model.Node{
		Name: name, Pool: model.None, Price: model.Dollars(price), Voluntary: model.Underutilized,
		Free: model.Quantities{4000, 110}, Capacity: model.Quantities{4000, 110},
	}
	if poolName != "" {
		m.pool = b.poolNamed(poolName)
		m.claim = &karpv1.NodeClaim{ObjectMeta: metav1.ObjectMeta{Name: poolName + "-" + name}}
		n.Pool = m.pool.index
	} else {
		m.voluntary, n.Voluntary = v1alpha1.KeptNotManaged, model.Stays
	}
	b.nodes = append(b.nodes, m)
	b.Problem.Nodes = append(b.Problem.Nodes, n)
	b.solution.Nodes = append(b.solution.Nodes, model.Fate{Removal: model.Stays})
	b.nodeOf[name] = m
	return m
}

// removes notes that the solution takes the nodes away for the reason.
func (b *built) removes(why model.Removal, names ...string) {
	for _, name := range names {
		b.solution.Nodes[b.nodeOf[name].index].Removal = why
	}
}

// group adds pods of so many millicores, each "name" or "name@node", that may go anywhere.
func (b *built) group(name string, millicores int64, pods ...string) model.GroupIndex {
	g := model.GroupIndex(len(b.groups))
	var group podGroup
	for _, text := range pods {
		podName, on, _ := strings.Cut(text, "@")
		p := &corev1.Pod{
			ObjectMeta: metav1.ObjectMeta{
				Namespace: "default", Name: podName, Labels: map[string]string{"app": name},
				OwnerReferences: []metav1.OwnerReference{{APIVersion: "apps/v1", Kind: "ReplicaSet", Name: name}},
			},
			Spec: corev1.PodSpec{Containers: []corev1.Container{{Resources: corev1.ResourceRequirements{Requests: amounts(millicores, 0)}}}},
		}
		gp := &groupPod{pod: p}
		if on != "" {
			gp.on = b.nodeOf[on]
			gp.on.pods = append(gp.on.pods, p)
		}
		b.cluster.pods = append(b.cluster.pods, p)
		group.pods = append(group.pods, gp)
	}
	b.groups = append(b.groups, group)
	mg := model.PodGroup{Name: "default/" + name, Request: model.Quantities{millicores, 1}, Demand: len(pods)}
	for i := range b.shapes {
		mg.Shapes.Add(model.ShapeIndex(i))
	}
	for i := range b.nodes {
		mg.Nodes.Add(model.NodeIndex(i))
	}
	b.Problem.Groups = append(b.Problem.Groups, mg)
	b.solution.Unplaced = append(b.solution.Unplaced, 0)
	b.groupOf[name] = g
	return g
}

// launches notes a launch of the shape with the content, such as "web 2, db 1".
func (b *built) launches(shape, content string) {
	b.solution.Launches = append(b.solution.Launches, model.Machine{Shape: b.shapeOf[shape], Pods: b.counts(content)})
}

// receives notes what the solution adds to a node.
func (b *built) receives(node, content string) {
	b.solution.Nodes[b.nodeOf[node].index].Pods = b.counts(content)
}

func (b *built) counts(content string) []model.Count {
	counts := map[model.GroupIndex]int{}
	for part := range strings.SplitSeq(content, ", ") {
		var name string
		var n int
		if _, err := fmt.Sscanf(part, "%s %d", &name, &n); err != nil {
			panic(err)
		}
		counts[b.groupOf[name]] = n
	}
	var out []model.Count
	for g := range b.groups {
		if n := counts[model.GroupIndex(g)]; n > 0 {
			out = append(out, model.Count{Group: model.GroupIndex(g), N: n})
		}
	}
	return out
}

// protects adds a PodDisruptionBudget of the group's pods that allows so many evictions now.
func (b *built) protects(group string, allowed int32) {
	selector := &metav1.LabelSelector{MatchLabels: map[string]string{"app": group}}
	compiled, err := metav1.LabelSelectorAsSelector(selector)
	if err != nil {
		panic(err)
	}
	b.pdbs["default"] = append(b.pdbs["default"], &pdb{selector: compiled, object: &policyv1.PodDisruptionBudget{
		ObjectMeta: metav1.ObjectMeta{Namespace: "default", Name: group},
		Spec:       policyv1.PodDisruptionBudgetSpec{Selector: selector},
		Status:     policyv1.PodDisruptionBudgetStatus{DisruptionsAllowed: allowed, CurrentHealthy: 10, ExpectedPods: 10},
	}})
}

func (b *built) limits(poolName string, measure model.Measure, most int64) {
	l := model.Limit{Pool: model.None, Measure: measure, Max: most}
	if poolName != "" {
		l.Pool = b.poolNamed(poolName).index
	}
	b.Problem.Limits = append(b.Problem.Limits, l)
}

func (b *built) poolNamed(name string) *pool {
	for _, p := range b.pools {
		if p.object.Name == name {
			return p
		}
	}
	panic("no pool " + name)
}

func (b *built) plan() *v1alpha1.Plan { return Assemble(b.Compiled, b.solution) }

func amounts(millicores, pods int64) corev1.ResourceList {
	list := corev1.ResourceList{corev1.ResourceCPU: *resource.NewMilliQuantity(millicores, resource.DecimalSI)}
	if pods > 0 {
		list[corev1.ResourcePods] = *resource.NewQuantity(pods, resource.DecimalSI)
	}
	return list
}
