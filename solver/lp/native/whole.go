package native

import (
	"debug/elf"
	"fmt"
	"os"
	"path/filepath"
	"runtime"
)

var machines = map[string]elf.Machine{"amd64": elf.EM_X86_64, "arm64": elf.EM_AARCH64}

// whole says what is wrong with a shared library, or with one that it needs and
// that is beside it: a header of something else, another machine's code, an end
// that is missing.
func whole(path string) error {
	return wholeAll(path, map[string]bool{})
}

func wholeAll(path string, seen map[string]bool) error {
	if seen[path] {
		return nil
	}
	seen[path] = true
	needed, err := wholeFile(path)
	if err != nil {
		return fmt.Errorf("%s: %w", path, err)
	}
	// Wheels keep what was grafted onto them in a folder of its own.
	folder := filepath.Dir(path)
	grafted := filepath.Join(folder, "..", "..", "ortools.libs")
	for _, name := range needed {
		for _, beside := range []string{filepath.Join(folder, name), filepath.Join(grafted, name)} {
			if !isFile(beside) {
				continue
			}
			if err := wholeAll(beside, seen); err != nil {
				return err
			}
			break
		}
	}
	return nil
}

// wholeFile returns the names of the libraries that one needs.
func wholeFile(path string) ([]string, error) {
	file, err := os.Open(path)
	if err != nil {
		return nil, err
	}
	defer func() { _ = file.Close() }()
	info, err := file.Stat()
	if err != nil {
		return nil, err
	}
	library, err := elf.NewFile(file)
	if err != nil {
		return nil, fmt.Errorf("not a whole shared library: %w", err)
	}
	if library.Type != elf.ET_DYN || library.Class != elf.ELFCLASS64 {
		return nil, fmt.Errorf("not a shared library but %s of %s", library.Type, library.Class)
	}
	if library.Machine != machines[runtime.GOARCH] {
		return nil, fmt.Errorf("for %s, this is %s", library.Machine, runtime.GOARCH)
	}
	if end := lastByte(library); end > uint64(info.Size()) {
		return nil, fmt.Errorf("truncated: %d of %d bytes", info.Size(), end)
	}
	return library.ImportedLibraries()
}

// lastByte is how long the file has to be for what its headers promise.
func lastByte(library *elf.File) uint64 {
	var end uint64
	for _, p := range library.Progs {
		end = max(end, p.Off+p.Filesz)
	}
	for _, s := range library.Sections {
		if s.Type != elf.SHT_NOBITS {
			end = max(end, s.Offset+s.FileSize)
		}
	}
	return end
}
