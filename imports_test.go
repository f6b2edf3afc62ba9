// Package mortise_test holds the tests of the module as a whole.
package mortise_test

import (
	"go/build"
	"go/parser"
	"go/token"
	"io/fs"
	"os"
	"path/filepath"
	"slices"
	"strings"
	"testing"

	"github.com/stretchr/testify/require"
)

const module = "github.com/mortise-io/mortise/"

// placement says what the code of a folder may import beside the standard
// library: a path, or with /... everything below it too. The longest folder
// that holds the code decides.
type placement struct {
	folder string
	may    []string
	why    string
}

var (
	kubernetesTypes = []string{"k8s.io/api/...", "k8s.io/apimachinery/...", "k8s.io/utils/..."}
	karpenterTypes  = []string{"sigs.k8s.io/karpenter/pkg/apis/..."}
)

// placements is the import table of ARCHITECTURE.md.
var placements = []placement{
	{"api/v1alpha1", kubernetesTypes, "the documents know nobody who works on them"},
	{"api/fields", slices.Concat(ours("api/v1alpha1"), kubernetesTypes, karpenterTypes, []string{"sigs.k8s.io/json", "sigs.k8s.io/karpenter/pkg/scheduling"}),
		"what a field may hold depends on nobody who asks"},
	{"model", nil, "the problem is plain Go, and does not know who solves it"},
	{"model/modeltest", ours("model"), "builders of problems need no more than the problem"},
	{"model/certify", ours("model"), "what proves a bound shares no code with who found it"},
	{"model/snapshot", slices.Concat(ours("model", "api/v1alpha1", "api/fields"), kubernetesTypes, karpenterTypes, []string{
		"k8s.io/client-go/kubernetes/scheme", "k8s.io/component-helpers/...", "k8s.io/klog/v2", "sigs.k8s.io/yaml", "go.yaml.in/yaml/v2",
		"sigs.k8s.io/karpenter/pkg/scheduling", "sigs.k8s.io/karpenter/pkg/utils/...", "github.com/robfig/cron/v3",
	}), "a snapshot is read and compiled from a file, without client or clock"},
	{"model/verify", slices.Concat(ours("api/v1alpha1"), kubernetesTypes, karpenterTypes, []string{
		"k8s.io/component-helpers/...", "k8s.io/klog/v2", "github.com/robfig/cron/v3",
	}), "the doubt shares no code with what it doubts"},
	{"solver", slices.Concat(ours("model", "solver/..."), []string{"gonum.org/v1/gonum/..."}), "a solve runs from a file, without Kubernetes"},
	{"solver/lp", slices.Concat(ours("solver/lp/..."), []string{
		"gonum.org/v1/gonum/...", "github.com/ebitengine/purego", "google.golang.org/protobuf/encoding/protowire",
	}), "programs of numbers know nothing of what they stand for"},
	{"solver/isolate", ours("model", "solver", "solver/engine"), "a child process gets a problem, and gives back a result"},
	{"planner", slices.Concat(ours("api/v1alpha1", "model", "model/certify", "model/snapshot", "model/verify", "solver", "solver/engine"), kubernetesTypes), "a plan does not know who asked for it"},
	{"provider", slices.Concat(ours("api/v1alpha1", "api/fields", "provider"), kubernetesTypes, []string{"sigs.k8s.io/yaml"}), "what can be bought does not know who buys"},
	{"provider/catalog/generate", slices.Concat(ours("provider/catalog"), kubernetesTypes), "the tables are written for the package that reads them"},
	{"controller/observe", slices.Concat(ours("api/v1alpha1", "model/snapshot"), kubernetesTypes, karpenterTypes, []string{
		"k8s.io/client-go/...",
	}), "reading a cluster decides nothing"},
	{"benchmarks", slices.Concat(ours(
		"benchmarks", "api/v1alpha1", "model", "model/snapshot", "model/verify", "model/modeltest", "solver", "solver/cpsat", "planner", "provider/catalog",
	), kubernetesTypes, karpenterTypes, []string{
		"sigs.k8s.io/yaml",
	}), "a measurement needs no controller"},
	{"cmd", []string{module + "...", "k8s.io/...", "sigs.k8s.io/...", "github.com/...", "golang.org/x/..."}, "wiring may import everything, and is imported by nothing"},
}

func ours(patterns ...string) []string {
	var out []string
	for _, p := range patterns {
		out = append(out, module+p)
	}
	return out
}

// TestImports walks the folders in process, because a cached test would miss
// changes that a child process sees.
func TestImports(t *testing.T) {
	for _, dir := range goFolders(t) {
		pkg, err := build.ImportDir(dir, 0)
		require.NoError(t, err, dir)
		if len(pkg.GoFiles) == 0 {
			continue // tests may look at everything
		}
		rule := ruleOf(dir)
		if rule == nil {
			t.Errorf("%s has no place in the import table: give it one in imports_test.go and ARCHITECTURE.md", dir)
			continue
		}
		for _, imported := range pkg.Imports {
			if !rule.allows(imported) {
				t.Errorf("%s imports %s: %s", dir, imported, rule.why)
			}
		}
	}
}

// TestPackageComments asks every package to say what it is for.
func TestPackageComments(t *testing.T) {
	for _, dir := range goFolders(t) {
		var documented bool
		files, err := filepath.Glob(filepath.Join(dir, "*.go"))
		require.NoError(t, err)
		for _, file := range files {
			parsed, err := parser.ParseFile(token.NewFileSet(), file, nil, parser.PackageClauseOnly|parser.ParseComments)
			require.NoError(t, err)
			documented = documented || parsed.Doc != nil
		}
		require.True(t, documented, "%s has no package comment", dir)
	}
}

func ruleOf(dir string) *placement {
	var best *placement
	for i := range placements {
		p := &placements[i]
		if (dir == p.folder || strings.HasPrefix(dir, p.folder+"/")) && (best == nil || len(p.folder) > len(best.folder)) {
			best = p
		}
	}
	return best
}

func (p *placement) allows(imported string) bool {
	if first, _, _ := strings.Cut(imported, "/"); !strings.Contains(first, ".") {
		return true // standard library
	}
	return slices.ContainsFunc(p.may, func(pattern string) bool {
		parent, below := strings.CutSuffix(pattern, "/...")
		return imported == parent || below && strings.HasPrefix(imported, parent+"/")
	})
}

// goFolders are the folders of this module that hold Go code, as slash paths below its root.
func goFolders(t *testing.T) []string {
	t.Helper()
	var out []string
	require.NoError(t, fs.WalkDir(os.DirFS("."), ".", func(path string, entry fs.DirEntry, err error) error {
		if err != nil {
			return err
		}
		if !entry.IsDir() || path == "." {
			return nil
		}
		if nested, _ := fs.Glob(os.DirFS(path), "go.mod"); len(nested) > 0 || strings.HasPrefix(entry.Name(), ".") || entry.Name() == "testdata" || entry.Name() == "bin" {
			return fs.SkipDir
		}
		if files, _ := filepath.Glob(filepath.Join(path, "*.go")); len(files) > 0 {
			out = append(out, path)
		}
		return nil
	}))
	return out
}
