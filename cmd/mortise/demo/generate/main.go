// Command generate writes the nodes and pods of the example cluster.
package main

import (
	"bytes"
	"embed"
	"flag"
	"fmt"
	"hash/fnv"
	"log"
	"os"
	"path/filepath"
	"strings"
	"text/template"
	"time"

	corev1 "k8s.io/api/core/v1"
	"k8s.io/apimachinery/pkg/util/rand"

	"github.com/mortise-io/mortise/api/v1alpha1"
	"github.com/mortise-io/mortise/provider/catalog"
)

// now is the time of the example (see snapshot.yaml).
var now = time.Date(2026, 12, 1, 9, 0, 0, 0, time.UTC)

//go:embed *.tmpl
var templates embed.FS

func main() {
	to := flag.String("to", ".", "folder to write nodes.yaml and pods.yaml to")
	flag.Parse()
	if err := write(*to); err != nil {
		log.Fatal(err)
	}
}

func write(folder string) error {
	c, err := catalog.Load("aws-us-east-1")
	if err != nil {
		return err
	}
	types := map[string]*v1alpha1.InstanceType{}
	for i := range c.InstanceTypes {
		types[c.InstanceTypes[i].Name] = &c.InstanceTypes[i]
	}
	pages, err := template.New("").Funcs(template.FuncMap{"suffix": suffix, "hex": hex}).ParseFS(templates, "*.tmpl")
	if err != nil {
		return err
	}
	nodes, err := nodesOf(types)
	if err != nil {
		return err
	}
	for name, data := range map[string]any{"nodes.yaml": nodes, "pods.yaml": podsOf()} {
		var out bytes.Buffer
		if err := pages.ExecuteTemplate(&out, name+".tmpl", data); err != nil {
			return err
		}
		if err := os.WriteFile(filepath.Join(folder, name), out.Bytes(), 0o644); err != nil {
			return err
		}
	}
	return nil
}

// node is what the template of nodes needs.
type node struct {
	machine
	Created               string
	Family, Category      string
	Generation, CPUs      string
	Capacity, Allocatable string
}

func nodesOf(types map[string]*v1alpha1.InstanceType) ([]node, error) {
	var out []node
	for _, m := range machines {
		t := types[m.Type]
		if t == nil {
			return nil, fmt.Errorf("node %s: no instance type %s in the catalog", m.Name, m.Type)
		}
		family, _, _ := strings.Cut(m.Type, ".")
		allocatable := corev1.ResourceList{}
		for name, q := range t.Capacity {
			q = q.DeepCopy()
			q.Sub(t.Overhead[name])
			allocatable[name] = q
		}
		out = append(out, node{
			machine: m, Family: family, Category: family[:1], Generation: family[1:2], CPUs: t.Capacity.Cpu().String(),
			Created:  now.AddDate(0, 0, -m.Days).Format(time.RFC3339),
			Capacity: sizes(t.Capacity), Allocatable: sizes(allocatable),
		})
	}
	return out, nil
}

// sizes prints resources as the kubelet reports them.
func sizes(r corev1.ResourceList) string {
	return fmt.Sprintf(`{cpu: %dm, memory: %dKi, ephemeral-storage: %dKi, pods: "%d"}`, r.Cpu().MilliValue(),
		r.Memory().Value()/1024, r.StorageEphemeral().Value()/1024, r.Pods().Value())
}

// pod is what the template of pods needs.
type pod struct {
	app
	// Node is empty while the pod waits.
	Pod, Node, Hash, Owner string
}

func podsOf() []pod {
	names := map[string]string{"-": ""}
	for _, m := range machines {
		names[m.Short] = m.Name
	}
	var out []pod
	for _, a := range apps {
		hash := ""
		owner := a.Name
		if a.Kind == deployment {
			hash = suffix(10, a.Namespace, a.Name)
			owner += "-" + hash
		}
		for i, short := range a.On {
			name := owner + "-" + suffix(5, owner, fmt.Sprint(i))
			if a.Kind == statefulSet {
				name = fmt.Sprintf("%s-%d", owner, i)
			}
			out = append(out, pod{app: a, Pod: name, Node: names[short], Hash: hash, Owner: owner})
		}
	}
	return out
}

// suffix is a name's end as Kubernetes makes them, always the same for the same words.
func suffix(n int, words ...string) string {
	return rand.SafeEncodeString(hex(n, words...))
}

// hex is n hexadecimal digits, always the same for the same words.
func hex(n int, words ...string) string {
	h := fnv.New128a()
	_, _ = h.Write([]byte(strings.Join(words, "/"))) // never fails
	return fmt.Sprintf("%x", h.Sum(nil))[32-n:]
}

func on(machines string) []string { return strings.Fields(machines) }
