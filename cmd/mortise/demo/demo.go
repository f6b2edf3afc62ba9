// Package demo holds an example cluster: a small online shop on EKS whose nodes
// are fuller of room than of pods, with some pods waiting.
//
// Its rules are written by hand (snapshot.yaml, nodepools.yaml, workloads.yaml),
// its nodes and pods by the generate command below this folder.
package demo

import (
	"bytes"
	"embed"
	"fmt"
	"io/fs"
)

//go:generate go run ./generate -to .

//go:embed *.yaml
var files embed.FS

// Documents are the whole cluster as YAML.
func Documents() []byte {
	var all bytes.Buffer
	names, err := fs.Glob(files, "*.yaml")
	for _, name := range names {
		var data []byte
		if data, err = files.ReadFile(name); err != nil {
			break
		}
		all.WriteString("---\n")
		all.Write(data)
	}
	if err != nil {
		panic(fmt.Sprintf("embedded example: %v", err)) // a broken build, which the test finds
	}
	return all.Bytes()
}
