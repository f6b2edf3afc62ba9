package catalog

import (
	"bufio"
	"bytes"
	"encoding/json"
	"errors"
	"fmt"
	"io"
	"io/fs"
	"os"
	"path/filepath"
	"strconv"
	"strings"

	utilyaml "k8s.io/apimachinery/pkg/util/yaml"
	"sigs.k8s.io/yaml"

	"github.com/mortise-io/mortise/api/fields"
	"github.com/mortise-io/mortise/api/v1alpha1"
)

const currency = "USD"

// Open returns the built-in catalog of that name, or else reads the file there.
func Open(nameOrPath string) (*v1alpha1.Catalog, error) {
	if IsBuiltIn(nameOrPath) {
		return Load(nameOrPath)
	}
	c, err := ReadFile(nameOrPath)
	if errors.Is(err, fs.ErrNotExist) {
		return nil, fmt.Errorf("catalog %q is neither a file nor built in: known are %s", nameOrPath, strings.Join(Names(), ", "))
	}
	return c, err
}

// ReadFile parses the catalog in the file.
func ReadFile(path string) (*v1alpha1.Catalog, error) {
	raw, err := os.ReadFile(path)
	if err != nil {
		return nil, fmt.Errorf("read catalog: %w", err)
	}
	return Parse(path, raw)
}

// Parse reads a catalog from JSON or YAML in one of three forms, recognized by
// their shape:
//
//   - a document of kind Catalog
//   - a list of its instance types
//   - the instance_types.json of Karpenter's kwok provider
//
// A list is named after the last element of name, without its extension.
// Errors start with name and the path of the field.
func Parse(name string, raw []byte) (*v1alpha1.Catalog, error) {
	c, err := parse(name, raw)
	if err != nil {
		return nil, fmt.Errorf("%s: %w", name, err)
	}
	return c, nil
}

func parse(name string, raw []byte) (*v1alpha1.Catalog, error) {
	document, err := toJSON(raw)
	if err != nil {
		return nil, err
	}
	var c *v1alpha1.Catalog
	path := fields.Root
	switch {
	case document[0] == '{':
		path = "$.instanceTypes"
		c, err = parseCatalog(document)
	case document[0] != '[':
		return nil, errors.New("$: expected a Catalog, or a list of instance types")
	case isKwok(document):
		c = named(name)
		c.Provider = "kwok"
		c.InstanceTypes, err = parseKwok(document)
	default:
		c = named(name)
		err = decode(document, &c.InstanceTypes)
	}
	if err != nil {
		return nil, err
	}
	if f := fields.InstanceTypes(path, c.InstanceTypes); f != nil {
		return nil, f
	}
	return c, nil
}

// oneLine joins the lines of the YAML reader's errors.
var oneLine = strings.NewReplacer("unmarshal errors:\n  ", "", "\n  ", "; ", "\n", " ")

// toJSON returns the one document in raw as JSON, without space around it.
func toJSON(raw []byte) ([]byte, error) {
	if json.Valid(raw) {
		return bytes.TrimSpace(raw), nil
	}
	var document []byte
	reader := utilyaml.NewYAMLReader(bufio.NewReader(bytes.NewReader(raw)))
	for {
		part, err := reader.Read()
		if errors.Is(err, io.EOF) {
			break
		}
		if err != nil {
			return nil, err
		}
		converted, err := yaml.YAMLToJSONStrict(part)
		if err != nil {
			return nil, errors.New(oneLine.Replace(err.Error()))
		}
		converted = bytes.TrimSpace(converted)
		if string(converted) == "null" {
			continue // a comment
		}
		if document != nil {
			return nil, errors.New("$: expected one document, got several")
		}
		document = converted
	}
	if document == nil {
		return nil, errors.New("$: empty")
	}
	return document, nil
}

func parseCatalog(document []byte) (*v1alpha1.Catalog, error) {
	c := &v1alpha1.Catalog{}
	var header struct {
		APIVersion json.RawMessage `json:"apiVersion"`
		Kind       json.RawMessage `json:"kind"`
	}
	if err := json.Unmarshal(document, &header); err != nil {
		return nil, fmt.Errorf("$: %w", err)
	}
	if string(header.APIVersion) != strconv.Quote(v1alpha1.APIVersion) {
		return nil, fmt.Errorf("$.apiVersion: expected %s, got %s", v1alpha1.APIVersion, given(header.APIVersion))
	}
	if string(header.Kind) != strconv.Quote(v1alpha1.KindCatalog) {
		return nil, fmt.Errorf("$.kind: expected %s, got %s", v1alpha1.KindCatalog, given(header.Kind))
	}
	if err := decode(document, c); err != nil {
		return nil, err
	}
	if c.Name == "" {
		return nil, errors.New("$.name: missing")
	}
	if c.Currency == "" {
		c.Currency = currency
	}
	if c.Currency != currency {
		return nil, fmt.Errorf("$.currency: prices must be in %s, got %q", currency, c.Currency)
	}
	return c, nil
}

// decode decodes strictly: the fault is of the first field that is not known, or whose value does not fit.
func decode(document []byte, into any) error {
	if f := fields.DecodeKnown(document, into); f != nil {
		return f
	}
	return nil
}

// given is a value as it stands in the document.
func given(value []byte) string {
	if len(value) == 0 {
		return "nothing"
	}
	return fields.Excerpt(value)
}

// named is an empty catalog named after a file.
func named(file string) *v1alpha1.Catalog {
	c := &v1alpha1.Catalog{Currency: currency}
	c.APIVersion, c.Kind = v1alpha1.APIVersion, v1alpha1.KindCatalog
	base := filepath.Base(file)
	c.Name = strings.TrimSuffix(base, filepath.Ext(base))
	return c
}
