// Command generate writes the tables of the built-in catalogs from a folder of
// data files: one instance-catalog file for each provider and region, and the
// published spot savings of AWS. The output depends on the input alone.
//
//	go run ./provider/catalog/generate -from DIR -to provider/catalog/data
package main

import (
	"errors"
	"flag"
	"fmt"
	"os"
	"path/filepath"
)

func main() {
	from := flag.String("from", os.Getenv("MORTISE_DATA"), "folder of the data files")
	to := flag.String("to", "provider/catalog/data", "folder of the tables")
	flag.Parse()
	if err := run(*from, *to); err != nil {
		fmt.Fprintln(os.Stderr, "generate:", err)
		os.Exit(1)
	}
}

func run(from, to string) error {
	if from == "" {
		return errors.New("-from or MORTISE_DATA must name the folder of the data files")
	}
	files, err := tables(from)
	if err != nil {
		return err
	}
	for name, content := range files {
		path := filepath.Join(to, filepath.FromSlash(name))
		if err := os.MkdirAll(filepath.Dir(path), 0o755); err != nil {
			return err
		}
		if err := os.WriteFile(path, content, 0o644); err != nil {
			return err
		}
	}
	return nil
}
