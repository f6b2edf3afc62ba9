package benchmarks

import (
	"bytes"
	"encoding/json"
	"fmt"
	"os"
)

// WriteResults writes the records to a file, one a line, so that a difference
// of two files reads well.
func WriteResults[T any](path string, records []T) error {
	out := bytes.NewBufferString("[\n")
	for i := range records {
		line, err := json.Marshal(&records[i])
		if err != nil {
			return err
		}
		out.Write(line)
		if i < len(records)-1 {
			out.WriteByte(',')
		}
		out.WriteByte('\n')
	}
	out.WriteString("]\n")
	return os.WriteFile(path, out.Bytes(), 0o644)
}

// ReadResults reads what WriteResults wrote; no records if there is no file.
func ReadResults[T any](path string) ([]T, error) {
	text, err := os.ReadFile(path)
	if os.IsNotExist(err) {
		return nil, nil
	}
	if err != nil {
		return nil, err
	}
	var out []T
	if err := json.Unmarshal(text, &out); err != nil {
		return nil, fmt.Errorf("%s: %w", path, err)
	}
	return out, nil
}
