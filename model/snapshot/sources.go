package snapshot

import (
	"bytes"
	"cmp"
	"errors"
	"fmt"
	"io"
	"io/fs"
	"os"
	"path/filepath"
	"slices"
)

// stdinPath is the path that stands for standard input, stdinName how messages call it.
const (
	stdinPath = "-"
	stdinName = "standard input"
)

// source is a file's content.
type source struct {
	name string
	data []byte
	// found in a directory, not named by the user: documents that are of no kind are ignored.
	found bool
}

// sources reads the files that the paths name, sorted by name. A directory
// stands for every .yaml, .yml and .json file in it, at any depth.
func sources(paths []string, stdin io.Reader) ([]source, error) {
	if len(paths) == 0 {
		return nil, errors.New("no snapshot given: expected a file, a directory, or - for standard input")
	}
	var all []source
	for _, path := range paths {
		some, err := sourcesAt(path, stdin)
		if err != nil {
			return nil, err
		}
		all = append(all, some...)
	}
	slices.SortStableFunc(all, func(a, b source) int { return cmp.Compare(a.name, b.name) })
	return slices.CompactFunc(all, func(a, b source) bool { return a.name == b.name }), nil
}

func sourcesAt(path string, stdin io.Reader) ([]source, error) {
	if path == stdinPath {
		data, err := io.ReadAll(stdin)
		if err != nil {
			return nil, fmt.Errorf("%s: %w", stdinName, err)
		}
		return []source{{name: stdinName, data: data}}, nil
	}
	info, err := os.Stat(path)
	if err != nil {
		return nil, withoutOperation(err)
	}
	if info.IsDir() {
		return sourcesUnder(path)
	}
	data, err := os.ReadFile(path)
	if err != nil {
		return nil, withoutOperation(err)
	}
	return []source{{name: filepath.Clean(path), data: data}}, nil
}

func sourcesUnder(dir string) ([]source, error) {
	var all []source
	err := filepath.WalkDir(dir, func(path string, entry fs.DirEntry, err error) error {
		if err != nil || entry.IsDir() || !holdsDocuments(path) {
			return err
		}
		data, err := os.ReadFile(path)
		all = append(all, source{name: path, data: data, found: true})
		return err
	})
	if err != nil {
		return nil, withoutOperation(err)
	}
	if len(all) == 0 {
		return nil, fmt.Errorf("%s: no .yaml, .yml or .json file in this directory", dir)
	}
	return all, nil
}

func holdsDocuments(path string) bool {
	return slices.Contains([]string{".yaml", ".yml", ".json"}, filepath.Ext(path))
}

// withoutOperation says "file: no such file", not "stat file: no such file".
func withoutOperation(err error) error {
	if e, ok := errors.AsType[*fs.PathError](err); ok {
		return fmt.Errorf("%s: %w", e.Path, e.Err)
	}
	return err
}

var byteOrderMark = []byte("\uFEFF")

func (s *source) text() []byte {
	return bytes.TrimPrefix(s.data, byteOrderMark)
}
