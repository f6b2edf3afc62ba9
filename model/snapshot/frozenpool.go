package snapshot

import (
	corev1 "k8s.io/api/core/v1"
	"k8s.io/apimachinery/pkg/api/resource"
	metav1 "k8s.io/apimachinery/pkg/apis/meta/v1"
	"k8s.io/apimachinery/pkg/runtime/schema"
	karpv1 "sigs.k8s.io/karpenter/pkg/apis/v1"

	"github.com/mortise-io/mortise/api/v1alpha1"
)

func isNodePool(k schema.GroupKind) bool {
	return k == schema.GroupKind{Group: "karpenter.sh", Kind: "NodePool"}
}

// frozenPool stands in for a NodePool that cannot be read: it buys nothing and
// holds the nodes it has.
func frozenPool(name string) *karpv1.NodePool {
	p := &karpv1.NodePool{ObjectMeta: metav1.ObjectMeta{
		Name:        name,
		Annotations: map[string]string{v1alpha1.AnnotationHold: "true", v1alpha1.AnnotationUnreadable: "true"},
	}}
	p.Spec.Limits = karpv1.Limits{corev1.ResourceName(v1alpha1.LimitNodes): resource.MustParse("0")}
	return p
}

// unreadable says whether the pool stands in for one that could not be read.
func unreadable(p *karpv1.NodePool) bool {
	return p.Annotations[v1alpha1.AnnotationUnreadable] == "true"
}
