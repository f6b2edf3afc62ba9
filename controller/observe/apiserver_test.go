package observe_test

import (
	"encoding/json"
	"fmt"
	"net/http"
	"net/http/httptest"
	"slices"
	"strconv"
	"strings"
	"sync"
	"testing"

	"github.com/stretchr/testify/require"
	apierrors "k8s.io/apimachinery/pkg/api/errors"
	metav1 "k8s.io/apimachinery/pkg/apis/meta/v1"
	"k8s.io/apimachinery/pkg/runtime/schema"
	"k8s.io/client-go/rest"
	"sigs.k8s.io/yaml"

	"github.com/mortise-io/mortise/controller/observe"
	"github.com/mortise-io/mortise/model/snapshot"
)

// apiServer answers lists as an API server does: typed lists whose items do
// not say their kind, in pages, each of them a promise of the next.
type apiServer struct {
	*httptest.Server
	t *testing.T

	// objects are what it has, by resource, in the order of its store.
	objects map[string][]map[string]any
	// missing are the groups that it does not serve.
	missing []string
	// fail answers a request instead, if it writes something.
	fail func(w http.ResponseWriter, r *http.Request) bool

	mu sync.Mutex
	// requests are all that were made: method, path and query.
	requests []string
}

func newServer(t *testing.T, objects string) *apiServer {
	t.Helper()
	s := &apiServer{t: t, objects: map[string][]map[string]any{}}
	for doc := range strings.SplitSeq(objects, "\n---\n") {
		var o map[string]any
		require.NoError(t, yaml.Unmarshal([]byte(doc), &o))
		s.add(o)
	}
	s.Server = httptest.NewServer(s)
	t.Cleanup(s.Close)
	return s
}

func (s *apiServer) add(o map[string]any) {
	gvk := schema.FromAPIVersionAndKind(o["apiVersion"].(string), o["kind"].(string))
	for i, k := range snapshot.Kinds() {
		if k.GroupVersionKind == gvk {
			name := observe.Resources()[i].Resource
			s.objects[name] = append(s.objects[name], o)
		}
	}
}

func (s *apiServer) config() *rest.Config { return &rest.Config{Host: s.URL} }

func (s *apiServer) ServeHTTP(w http.ResponseWriter, r *http.Request) {
	s.mu.Lock()
	s.requests = append(s.requests, r.Method+" "+r.URL.RequestURI())
	s.mu.Unlock()
	if s.fail != nil && s.fail(w, r) {
		return
	}
	group, version, name := route(r.URL.Path)
	kind, known := kindOf(group, version, name)
	if !known || slices.Contains(s.missing, group) {
		http.Error(w, "404 page not found", http.StatusNotFound) // as a group that is not there is answered
		return
	}
	s.list(w, r, kind, s.objects[name])
}

// route takes /api/v1/pods and /apis/apps/v1/deployments apart.
func route(path string) (group, version, name string) {
	parts := strings.Split(strings.TrimPrefix(path, "/"), "/")
	switch {
	case len(parts) == 3 && parts[0] == "api":
		return "", parts[1], parts[2]
	case len(parts) == 4 && parts[0] == "apis":
		return parts[1], parts[2], parts[3]
	}
	return "", "", ""
}

func kindOf(group, version, name string) (schema.GroupVersionKind, bool) {
	asked := schema.GroupVersionResource{Group: group, Version: version, Resource: name}
	for i, k := range snapshot.Kinds() {
		if observe.Resources()[i] == asked {
			return k.GroupVersionKind, true
		}
	}
	return schema.GroupVersionKind{}, false
}

func (s *apiServer) list(w http.ResponseWriter, r *http.Request, kind schema.GroupVersionKind, all []map[string]any) {
	from, _ := strconv.Atoi(r.URL.Query().Get("continue"))
	to := len(all)
	if limit, _ := strconv.Atoi(r.URL.Query().Get("limit")); limit > 0 {
		to = min(to, from+limit)
	}
	head := metav1.ListMeta{ResourceVersion: "7"}
	if to < len(all) {
		head.Continue = strconv.Itoa(to)
	}
	items := []map[string]any{}
	for _, o := range all[from:to] {
		item := map[string]any{}
		for key, value := range o {
			if key != "apiVersion" && key != "kind" {
				item[key] = value
			}
		}
		items = append(items, item)
	}
	s.answer(w, http.StatusOK, map[string]any{
		"apiVersion": kind.GroupVersion().String(), "kind": kind.Kind + "List", "metadata": head, "items": items,
	})
}

func (s *apiServer) answer(w http.ResponseWriter, code int, body any) {
	w.Header().Set("Content-Type", "application/json")
	w.WriteHeader(code)
	if err := json.NewEncoder(w).Encode(body); err != nil {
		s.t.Log(err) // the client went away
	}
}

// refuse answers with the status of an API error.
func (s *apiServer) refuse(w http.ResponseWriter, err *apierrors.StatusError) bool {
	status := err.Status()
	status.TypeMeta = metav1.TypeMeta{APIVersion: "v1", Kind: "Status"}
	s.answer(w, int(status.Code), status)
	return true
}

// asked counts the requests whose path ends so, and with such a query.
func (s *apiServer) asked(path, query string) int {
	s.mu.Lock()
	defer s.mu.Unlock()
	n := 0
	for _, r := range s.requests {
		before, after, _ := strings.Cut(r, "?")
		if strings.HasSuffix(before, path) && strings.Contains(after, query) {
			n++
		}
	}
	return n
}

// pods are n Pods as YAML documents.
func pods(n int) string {
	var docs []string
	for i := range n {
		docs = append(docs, fmt.Sprintf(`apiVersion: v1
kind: Pod
metadata: {namespace: shop, name: web-%03d, uid: uid-%d}
spec: {containers: [{name: web, resources: {requests: {cpu: 100m}}}], schedulerName: default-scheduler}`, i, i))
	}
	return strings.Join(docs, "\n---\n")
}
