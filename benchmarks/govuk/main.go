// Command govuk turns the record of GOV.UK's production workloads into
// Deployments and PodDisruptionBudgets.
//
//	go run ./benchmarks/govuk -from govuk-production.json -to testdata/govuk-production.yaml
package main

import (
	"bytes"
	"embed"
	"encoding/json"
	"flag"
	"fmt"
	"log"
	"os"
	"text/template"

	"k8s.io/apimachinery/pkg/api/resource"
)

//go:embed manifests.yaml.tmpl
var page embed.FS

// record is the file of workloads, as far as manifests need it.
type record struct {
	Platform string `json:"platform"`
	Source   struct {
		Repo    string `json:"repo"`
		Path    string `json:"path"`
		Commit  string `json:"commit"`
		License string `json:"licence"` //nolint:misspell // the record's spelling
	} `json:"source"`
	Assumptions []string   `json:"assumptions"`
	Workloads   []workload `json:"workloads"`
}

type workload struct {
	Name       string            `json:"name"`
	Kind       string            `json:"kind"`
	Replicas   int               `json:"replicas"`
	Labels     map[string]string `json:"labels"`
	Containers []container       `json:"containers"`
	Budget     map[string]int    `json:"podDisruptionBudget"`
}

type container struct {
	Name        string `json:"name"`
	CPUMilli    int64  `json:"cpuMilli"`
	MemoryBytes int64  `json:"memoryBytes"`
}

// CPU is the container's request as a quantity.
func (c container) CPU() string {
	return resource.NewMilliQuantity(c.CPUMilli, resource.DecimalSI).String()
}

// Memory is the container's request as a quantity.
func (c container) Memory() string {
	return resource.NewQuantity(c.MemoryBytes, resource.BinarySI).String()
}

func main() {
	from := flag.String("from", "", "the record of workloads, JSON")
	to := flag.String("to", "testdata/govuk-production.yaml", "the manifests")
	flag.Parse()
	manifests, err := convert(*from)
	if err != nil {
		log.Fatal(err)
	}
	if err := os.WriteFile(*to, manifests, 0o644); err != nil {
		log.Fatal(err)
	}
}

// convert reads the record at path and writes its manifests.
func convert(path string) ([]byte, error) {
	data, err := os.ReadFile(path)
	if err != nil {
		return nil, err
	}
	var r record
	if err := json.Unmarshal(data, &r); err != nil {
		return nil, fmt.Errorf("%s: %w", path, err)
	}
	for _, w := range r.Workloads {
		if w.Kind != "Deployment" {
			return nil, fmt.Errorf("%s: workload %s: kind %s, want Deployment", path, w.Name, w.Kind)
		}
	}
	var out bytes.Buffer
	if err := template.Must(template.ParseFS(page, "*.tmpl")).Execute(&out, r); err != nil {
		return nil, err
	}
	return out.Bytes(), nil
}
