package observe_test

import (
	"context"
	"encoding/json"
	"errors"
	"fmt"
	"net/http"
	"strings"
	"testing"
	"time"

	"github.com/stretchr/testify/require"
	apierrors "k8s.io/apimachinery/pkg/api/errors"
	"k8s.io/apimachinery/pkg/runtime/schema"

	"github.com/mortise-io/mortise/api/v1alpha1"
	"github.com/mortise-io/mortise/controller/observe"
	"github.com/mortise-io/mortise/model/snapshot"
)

var now = time.Date(2026, time.December, 1, 9, 0, 0, 0, time.UTC)

// shop is a small cluster with what a reader has to be careful about.
const shop = `apiVersion: v1
kind: Node
metadata:
  name: n1
  labels: {karpenter.sh/nodepool: default, topology.kubernetes.io/zone: z1}
  managedFields: [{manager: kubelet, operation: Update, fieldsType: FieldsV1, fieldsV1: {"f:status": {}}}]
spec: {providerID: "kwok://n1"}
status:
  allocatable: {cpu: "4", memory: 16Gi, pods: "110"}
  images: [{names: [registry.example.com/web], sizeBytes: 1000}]
---
apiVersion: v1
kind: Pod
metadata:
  namespace: shop-b
  name: web-1
  annotations: {kubectl.kubernetes.io/last-applied-configuration: "{}", keep: me}
  ownerReferences: [{apiVersion: apps/v1, kind: ReplicaSet, name: web, uid: u1, controller: true}]
spec:
  nodeName: n1
  containers:
  - {name: web, image: web, command: [serve], env: [{name: PASSWORD, value: secret}], resources: {requests: {cpu: "1"}}}
---
apiVersion: v1
kind: Pod
metadata: {namespace: shop, name: web-2}
spec: {containers: [{name: web, resources: {requests: {cpu: "1"}}}]}
---
apiVersion: v1
kind: Pod
metadata: {namespace: shop, name: web-10}
spec: {containers: [{name: web, mood: good}]}
---
apiVersion: v1
kind: Pod
metadata: {namespace: shop, name: bad}
spec: {containers: [{name: web, resources: {requests: {cpu: lots}}}]}
---
apiVersion: policy/v1
kind: PodDisruptionBudget
metadata: {namespace: shop, name: web}
spec: {maxUnavailable: 1, selector: {matchLabels: {app: web}}}
---
apiVersion: karpenter.sh/v1
kind: NodePool
metadata: {name: default}
spec:
  template:
    spec:
      nodeClassRef: {group: karpenter.kwok.sh, kind: KWOKNodeClass, name: default}
      requirements: [{key: karpenter.sh/capacity-type, operator: In, values: [spot]}]
---
apiVersion: karpenter.sh/v1
kind: NodePool
metadata: {name: patient}
spec:
  disruption: {consolidateAfter: Never}
  template:
    spec:
      expireAfter: Never
      nodeClassRef: {group: karpenter.kwok.sh, kind: KWOKNodeClass, name: default}
      requirements: []
---
apiVersion: autoscaling.x-k8s.io/v1beta1
kind: CapacityBuffer
metadata: {namespace: shop, name: spare}
spec: {replicas: 2, podTemplateRef: {name: web}}`

func TestALiveClusterReadsAsItsObjectsInAFile(t *testing.T) {
	t.Parallel()
	want, wantWarnings, err := snapshot.Decode("cluster", []byte(shop), now)
	require.NoError(t, err)
	for _, size := range []int{0, 1, 2} {
		t.Run(fmt.Sprintf("in pages of %d", size), func(t *testing.T) {
			t.Parallel()
			server := newServer(t, shop)
			got, warnings, err := observe.Snapshot(t.Context(), server.config(), observe.Options{Now: now, PageSize: size})
			require.NoError(t, err)
			require.Equal(t, want, got)
			require.Equal(t, places.Replace(strings.Join(wantWarnings, "\n")), places.Replace(strings.Join(warnings, "\n")))
		})
	}
}

// places takes out where in its input an object stood.
var places = strings.NewReplacer("document 4: ", "", "document 5: ", "")

func TestASavedSnapshotIsTheSame(t *testing.T) {
	t.Parallel()
	taken, _, err := observe.Snapshot(t.Context(), newServer(t, shop).config(), observe.Options{Now: now})
	require.NoError(t, err)
	file, err := json.Marshal(taken)
	require.NoError(t, err)
	require.NotContains(t, string(file), "secret")
	require.NotContains(t, string(file), "managedFields")
	read, warnings, err := snapshot.Decode("file", file, time.Time{})
	require.NoError(t, err)
	require.Empty(t, warnings)
	require.Equal(t, snapshot.Hash(taken), snapshot.Hash(read))
	require.Equal(t, taken.Objects, read.Objects)
	require.Equal(t, now, read.Time.UTC())
}

func TestNothingIsChangedAndNoSecretIsAskedFor(t *testing.T) {
	t.Parallel()
	server := newServer(t, shop)
	_, _, err := observe.Snapshot(t.Context(), server.config(), observe.Options{Now: now})
	require.NoError(t, err)
	require.Len(t, server.requests, len(snapshot.Kinds()))
	for _, r := range server.requests {
		require.True(t, strings.HasPrefix(r, "GET "), r)
		require.NotContains(t, r, "secrets")
		require.NotContains(t, r, "configmaps")
		require.Contains(t, r, "limit=500")
	}
}

func TestLargeListsComeInPages(t *testing.T) {
	t.Parallel()
	server := newServer(t, shop+"\n---\n"+pods(95))
	s, _, err := observe.Snapshot(t.Context(), server.config(), observe.Options{Now: now, PageSize: 10})
	require.NoError(t, err)
	require.Equal(t, 10, server.asked("/api/v1/pods", "limit=10"))
	require.Equal(t, 9, server.asked("/api/v1/pods", "continue="))
	require.Equal(t, 95+3, count(s, "Pod"), "all but the one that does not decode")
}

func TestWhatMayNotBeListedIsLeftOut(t *testing.T) {
	t.Parallel()
	server := newServer(t, shop)
	server.fail = func(w http.ResponseWriter, r *http.Request) bool {
		return strings.HasSuffix(r.URL.Path, "/poddisruptionbudgets") && server.refuse(w, refusal("poddisruptionbudgets"))
	}
	s, warnings, err := observe.Snapshot(t.Context(), server.config(), observe.Options{Now: now})
	require.NoError(t, err)
	require.Equal(t, "leaves out poddisruptionbudgets (policy/v1): forbidden: the account may not list them", warnings[0])
	require.Zero(t, count(s, "PodDisruptionBudget"))
	require.Equal(t, 2, count(s, "NodePool"))
}

func TestWhatTheClusterHasNoAPIForIsLeftOut(t *testing.T) {
	t.Parallel()
	server := newServer(t, shop)
	server.missing = []string{"karpenter.sh", "autoscaling.x-k8s.io"}
	s, warnings, err := observe.Snapshot(t.Context(), server.config(), observe.Options{Now: now})
	require.NoError(t, err)
	require.Equal(t, []string{
		"leaves out capacitybuffers (autoscaling.x-k8s.io/v1beta1): the cluster has no such API",
		"leaves out nodeclaims, nodepools (karpenter.sh/v1): the cluster has no such API",
		"leaves out nodeoverlays (karpenter.sh/v1alpha1): the cluster has no such API",
	}, warnings[:3])
	require.Zero(t, count(s, "NodePool"))
	require.Equal(t, 1, count(s, "PodDisruptionBudget"))
}

func TestAnExpiredListIsReadAgain(t *testing.T) {
	t.Parallel()
	server := newServer(t, shop+"\n---\n"+pods(25))
	server.fail = func(w http.ResponseWriter, r *http.Request) bool {
		return r.URL.Query().Get("continue") == "20" && server.refuse(w, apierrors.NewResourceExpired("the provided continue parameter is too old"))
	}
	s, _, err := observe.Snapshot(t.Context(), server.config(), observe.Options{Now: now, PageSize: 10})
	require.NoError(t, err)
	require.Equal(t, 25+3, count(s, "Pod"), "each once")
	require.Equal(t, 3, server.asked("/api/v1/pods", "limit=10"))
	require.Equal(t, 4, server.asked("/api/v1/pods", ""), "and once without a limit")
}

func TestFailuresNameTheKind(t *testing.T) {
	t.Parallel()
	for name, c := range map[string]struct {
		resource string
		err      *apierrors.StatusError
		want     string
	}{
		"a broken server":                     {"nodepools", apierrors.NewInternalError(errors.New("etcd is down")), "read the cluster: list nodepools (karpenter.sh/v1): Internal error occurred: etcd is down"},
		"credentials that have run out":       {"services", apierrors.NewUnauthorized("token expired"), "read the cluster: list services (v1): token expired"},
		"pods, which no plan can do without":  {"pods", refusal("pods"), `read the cluster: list pods (v1): pods is forbidden: no such rule`},
		"nodes, which no plan can do without": {"nodes", refusal("nodes"), `read the cluster: list nodes (v1): nodes is forbidden: no such rule`},
	} {
		t.Run(name, func(t *testing.T) {
			t.Parallel()
			server := newServer(t, shop)
			server.fail = func(w http.ResponseWriter, r *http.Request) bool {
				return strings.HasSuffix(r.URL.Path, "/"+c.resource) && server.refuse(w, c.err)
			}
			s, _, err := observe.Snapshot(t.Context(), server.config(), observe.Options{Now: now})
			require.Nil(t, s)
			require.EqualError(t, err, c.want)
		})
	}
}

func TestAServerThatIsNoClusterFails(t *testing.T) {
	t.Parallel()
	server := newServer(t, shop)
	server.fail = func(w http.ResponseWriter, r *http.Request) bool {
		http.NotFound(w, r)
		return true
	}
	_, _, err := observe.Snapshot(t.Context(), server.config(), observe.Options{Now: now})
	require.ErrorContains(t, err, "(v1): the server could not find the requested resource")
}

func TestASlowServerIsNotWaitedForAfterTheEndOfTheContext(t *testing.T) {
	t.Parallel()
	server := newServer(t, shop)
	ctx, cancel := context.WithCancel(t.Context())
	server.fail = func(_ http.ResponseWriter, r *http.Request) bool {
		cancel()
		<-r.Context().Done() // answers nobody until the client has gone
		return true
	}
	_, _, err := observe.Snapshot(ctx, server.config(), observe.Options{Now: now})
	require.ErrorIs(t, err, context.Canceled)
}

func refusal(resource string) *apierrors.StatusError {
	return apierrors.NewForbidden(schema.GroupResource{Resource: resource}, "", errors.New("no such rule"))
}

func count(s *v1alpha1.Snapshot, kind string) int {
	n := 0
	for _, o := range s.Objects {
		if o.Object.GetObjectKind().GroupVersionKind().Kind == kind {
			n++
		}
	}
	return n
}
