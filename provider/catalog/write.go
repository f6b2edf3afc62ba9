package catalog

import (
	"encoding/json"
	"fmt"
	"io"

	"sigs.k8s.io/yaml"

	"github.com/mortise-io/mortise/api/v1alpha1"
)

// Formats of Write.
const (
	JSON = "json"
	YAML = "yaml"
)

// Write writes c as a document of kind Catalog that Parse reads back, as JSON or YAML.
func Write(w io.Writer, c *v1alpha1.Catalog, format string) error {
	document := *c
	document.APIVersion, document.Kind = v1alpha1.APIVersion, v1alpha1.KindCatalog
	raw, err := encode(&document, format)
	if err != nil {
		return fmt.Errorf("write catalog %s: %w", c.Name, err)
	}
	_, err = w.Write(raw)
	return err
}

func encode(c *v1alpha1.Catalog, format string) ([]byte, error) {
	switch format {
	case JSON:
		raw, err := json.MarshalIndent(c, "", "  ")
		return append(raw, '\n'), err
	case YAML:
		return yaml.Marshal(c)
	}
	return nil, fmt.Errorf("format %q: expected %s or %s", format, JSON, YAML)
}
