package main

import (
	"errors"
	"fmt"
	"io"
	"os"
	"path/filepath"
)

// writeFile writes a file that nobody else may read, and that is there only
// once it is whole.
func writeFile(path string, write func(io.Writer) error) (err error) {
	f, err := os.CreateTemp(filepath.Dir(path), "."+filepath.Base(path)+".*")
	if err != nil {
		return failed(fmt.Errorf("write %s: %w", path, err))
	}
	defer func() {
		if err != nil {
			_ = os.Remove(f.Name())
		}
	}()
	if err := errors.Join(write(f), f.Close()); err != nil {
		return failed(fmt.Errorf("write %s: %w", path, err))
	}
	if err := os.Rename(f.Name(), path); err != nil {
		return failed(fmt.Errorf("write %s: %w", path, err))
	}
	return nil
}
