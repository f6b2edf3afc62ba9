package benchmarks

import (
	"compress/gzip"
	"encoding/csv"
	"fmt"
	"io"
	"math"
	"os"
	"slices"
	"strconv"

	corev1 "k8s.io/api/core/v1"
	"k8s.io/apimachinery/pkg/api/resource"
	"k8s.io/apimachinery/pkg/runtime"

	"github.com/mortise-io/mortise/api/v1alpha1"
)

const (
	dlrmFile = "workloads/alibaba-dlrm-2025.csv.gz"
	dlrmPods = 10_000
)

// dlrm are inference instances of Alibaba's cluster trace of 2025, spread
// evenly over the file: cores, memory and whole GPUs. Left out are disk and
// RDMA, which the catalog does not sell by the pod, and the most instances of an
// application that a node may have, which a pod could ask for only by a spread
// over host names.
func dlrm() (*v1alpha1.Snapshot, error) {
	path, err := dataFile(dlrmFile)
	if err != nil {
		return nil, err
	}
	file, err := os.Open(path)
	if err != nil {
		return nil, err
	}
	defer func() { _ = file.Close() }()
	text, err := gzip.NewReader(file)
	if err != nil {
		return nil, fmt.Errorf("%s: %w", path, err)
	}
	rows, err := csv.NewReader(text).ReadAll()
	if err != nil {
		return nil, fmt.Errorf("%s: %w", path, err)
	}
	s, err := inference(rows)
	if err != nil {
		return nil, fmt.Errorf("%s: %w", path, err)
	}
	return settle(s), nil
}

// inferenceRequest is what one instance asks for.
type inferenceRequest struct{ cpu, gpu, memory string }

// inference makes a Deployment of each distinct request of the sampled rows,
// in the order in which they appear.
func inference(rows [][]string) (*v1alpha1.Snapshot, error) {
	if len(rows) <= dlrmPods {
		return nil, io.ErrUnexpectedEOF
	}
	column := func(name string) int { return slices.Index(rows[0], name) }
	cpu, gpu, memory := column("cpu_request"), column("gpu_request"), column("memory_request")
	if cpu < 0 || gpu < 0 || memory < 0 {
		return nil, fmt.Errorf("columns %q: requests are missing", rows[0])
	}
	replicas, order := map[inferenceRequest]int{}, []inferenceRequest(nil)
	for i := range dlrmPods {
		row := rows[1+i*(len(rows)-1)/dlrmPods]
		request := inferenceRequest{row[cpu], row[gpu], row[memory]}
		if replicas[request] == 0 {
			order = append(order, request)
		}
		replicas[request]++
	}
	s := &v1alpha1.Snapshot{}
	for i, request := range order {
		resources, err := request.resources()
		if err != nil {
			return nil, err
		}
		s.Objects = append(s.Objects, runtime.RawExtension{Object: deployment(fmt.Sprintf("model-%03d", i+1), replicas[request], resources)})
	}
	return s, nil
}

func (r inferenceRequest) resources() (corev1.ResourceList, error) {
	var amounts [3]float64
	for i, text := range []string{r.cpu, r.gpu, r.memory} {
		n, err := strconv.ParseFloat(text, 64)
		if err != nil {
			return nil, fmt.Errorf("request: %w", err)
		}
		amounts[i] = n
	}
	out := corev1.ResourceList{
		corev1.ResourceCPU:    *resource.NewMilliQuantity(int64(math.Ceil(1000*amounts[0])), resource.DecimalSI),
		corev1.ResourceMemory: *resource.NewQuantity(int64(math.Ceil(1024*amounts[2]))<<20, resource.BinarySI),
	}
	if gpus := int64(math.Ceil(amounts[1])); gpus > 0 {
		out["nvidia.com/gpu"] = *resource.NewQuantity(gpus, resource.DecimalSI)
	}
	return out, nil
}
