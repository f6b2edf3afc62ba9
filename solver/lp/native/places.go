package native

import (
	"context"
	"errors"
	"fmt"
	"iter"
	"os"
	"os/exec"
	"path/filepath"
	"runtime"
	"strings"
	"sync"
	"time"
)

// FolderVariable is the environment variable that names the libraries' folder.
// Where it is set, no other place counts.
const FolderVariable = "MORTISE_SOLVER_LIB"

// Version is the release of OR-Tools that is fetched at build time.
const Version = "9.15.6755"

// fetched is the folder of fetched libraries below that of a build.
var fetched = filepath.Join(".cache", fmt.Sprintf("ortools-%s-%s_%s", Version, runtime.GOOS, runtime.GOARCH))

// place is a folder that may hold libraries, or why there is none.
type place struct {
	name   string
	folder string
	err    error
}

// places are where libraries are looked for, first wins. Later ones are not
// even computed if an earlier one has what is sought.
func places() iter.Seq[place] {
	return func(yield func(place) bool) {
		if folder, ok := os.LookupEnv(FolderVariable); ok {
			yield(place{name: FolderVariable, folder: folder})
			return
		}
		for _, p := range []func() place{besideBinary, buildFolder, sourceFolder, python} {
			if !yield(p()) {
				return
			}
		}
	}
}

// locate returns the path of a file in the place: in the folder itself, or
// where a wheel has it.
func (p *place) locate(file string) (string, error) {
	if p.err != nil {
		return "", p.err
	}
	for _, path := range []string{filepath.Join(p.folder, file), filepath.Join(p.folder, "ortools", ".libs", file)} {
		if isFile(path) {
			return path, nil
		}
	}
	return "", fmt.Errorf("not in %s", p.folder)
}

func besideBinary() place {
	binary, err := binaryFolder()
	return place{name: "beside the binary", folder: binary, err: err}
}

// buildFolder is for a binary in the folder bin of a build.
func buildFolder() place {
	binary, err := binaryFolder()
	return place{name: "build folder", folder: filepath.Join(filepath.Dir(binary), fetched), err: err}
}

func binaryFolder() (string, error) {
	binary, err := os.Executable()
	if err != nil {
		return "", err
	}
	if real, err := filepath.EvalSymlinks(binary); err == nil {
		binary = real
	}
	return filepath.Dir(binary), nil
}

// sourceFolder is for tests and go run, whose binaries are elsewhere: the
// compiler has left a trace of where it compiled, unless it was told not to.
func sourceFolder() place {
	p := place{name: "source folder"}
	_, file, _, _ := runtime.Caller(0)
	root, ok := strings.CutSuffix(filepath.ToSlash(file), "/solver/lp/native/places.go")
	if !ok || !filepath.IsAbs(file) {
		p.err = errors.New("unknown in this build")
		return p
	}
	p.folder = filepath.Join(filepath.FromSlash(root), fetched)
	return p
}

// pythonPatience is how long python3 may take to say where its packages are.
const pythonPatience = 5 * time.Second

// whereIsORTools never looks into the current folder, which may be anybody's.
const whereIsORTools = `import sys
sys.path = [p for p in sys.path if p]
import importlib.util
spec = importlib.util.find_spec("ortools")
print(spec.submodule_search_locations[0] if spec else "")`

// python is the package of an installed Python, which is asked once.
var python = sync.OnceValue(func() place { return askPython(pythonPatience) })

func askPython(patience time.Duration) place {
	p := place{name: "python3"}
	ctx, cancel := context.WithTimeout(context.Background(), patience)
	defer cancel()
	command := exec.CommandContext(ctx, "python3", "-c", whereIsORTools)
	command.WaitDelay = patience
	out, err := command.Output()
	switch folder := strings.TrimSpace(string(out)); {
	case err != nil:
		p.err = fmt.Errorf("ask it for ortools: %w", err)
	case folder == "":
		p.err = errors.New("has no ortools")
	default:
		p.folder = filepath.Dir(folder)
	}
	return p
}
