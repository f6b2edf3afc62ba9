package snapshot

import (
	"bytes"
	"encoding/json"
	"errors"
	"fmt"
	"io"
	"path/filepath"
	"regexp"
	"strconv"
	"strings"

	goyaml "go.yaml.in/yaml/v2"
	"sigs.k8s.io/yaml"
)

// document is one JSON value or YAML document of a source, as JSON.
type document struct {
	// place is the source's name, with the document's number if there are several.
	place string
	// found: see source.
	found bool
	json  []byte
}

// documents splits a source. Empty documents are left out.
func (s *source) documents() ([]document, error) {
	parts, err := s.jsonValues()
	if err != nil {
		return nil, err
	}
	if parts == nil {
		if parts, err = s.yamlDocuments(); err != nil {
			return nil, err
		}
	}
	var docs []document
	for i, part := range parts {
		if part == nil {
			continue
		}
		d := document{place: s.name, found: s.found, json: part}
		if len(parts) > 1 {
			d.place = fmt.Sprintf("%s: document %d", s.name, i+1)
		}
		docs = append(docs, d)
	}
	return docs, nil
}

// jsonValues are the values of a source that is JSON; nil if it is not.
func (s *source) jsonValues() ([][]byte, error) {
	text := bytes.TrimSpace(s.text())
	if len(text) == 0 || text[0] != '{' && text[0] != '[' {
		return nil, nil
	}
	var values [][]byte
	for rest := text; len(rest) > 0; rest = bytes.TrimSpace(rest) {
		end := max(1, valueEnd(rest))
		value := rest[:end]
		if !json.Valid(value) {
			if s.isFlowYAML() {
				return nil, nil
			}
			return nil, s.jsonError(value, len(s.text())-len(rest))
		}
		values = append(values, value)
		rest = rest[end:]
	}
	return values, nil
}

// isFlowYAML says whether the source is YAML that only begins like JSON.
func (s *source) isFlowYAML() bool {
	if filepath.Ext(s.name) == ".json" {
		return false
	}
	docs, err := s.yamlDocuments()
	return err == nil && len(docs) > 0
}

// jsonError says where the value, which begins at the offset, is not JSON.
func (s *source) jsonError(value []byte, offset int) error {
	var v json.RawMessage
	err := json.Unmarshal(value, &v)
	syntax, ok := errors.AsType[*json.SyntaxError](err)
	if !ok {
		return fmt.Errorf("%s: %w", s.name, err)
	}
	line := 1 + bytes.Count(s.text()[:min(len(s.text()), offset+int(syntax.Offset))], []byte("\n"))
	return fmt.Errorf("%s: line %d: not JSON: %s", s.name, line, syntax.Error())
}

// yamlDocuments are the documents of a YAML source, as JSON; nil for an empty one.
func (s *source) yamlDocuments() ([][]byte, error) {
	var docs [][]byte
	for _, d := range splitYAML(s.text()) {
		if !d.holdsText() {
			continue
		}
		converted, err := d.asJSON()
		if err != nil {
			return nil, fmt.Errorf("%s: %s", s.name, yamlProblem(err, d.line))
		}
		if string(converted) == "null" {
			converted = nil
		}
		docs = append(docs, converted)
	}
	return docs, nil
}

// yamlText is one YAML document and how many lines of the file come before it.
type yamlText struct {
	text []byte
	line int
}

// splitYAML cuts at the lines that begin with three dashes. What follows the
// dashes in their line belongs to the document.
func splitYAML(data []byte) []yamlText {
	var docs []yamlText
	start, startLine, offset, line := 0, 0, 0, 0
	for text := range bytes.Lines(data) {
		if rest, ok := bytes.CutPrefix(text, []byte("---")); ok && (len(rest) == 0 || strings.ContainsRune(" \t\r\n", rune(rest[0]))) {
			docs = append(docs, yamlText{text: data[start:offset], line: startLine})
			start, startLine = offset+len("---"), line
		}
		offset += len(text)
		line++
	}
	return append(docs, yamlText{text: data[start:], line: startLine})
}

// asJSON converts the document, in which no key may stand twice.
func (d *yamlText) asJSON() ([]byte, error) {
	converted, err := yaml.YAMLToJSONStrict(d.text)
	if err != nil || !d.startsIndented() {
		return converted, err
	}
	// Less indented text after the document's end would be ignored silently.
	parser := goyaml.NewDecoder(bytes.NewReader(d.text))
	var first, more any
	_ = parser.Decode(&first)
	if err := parser.Decode(&more); !errors.Is(err, io.EOF) {
		return nil, errors.New("line 1: text follows that does not belong to the document: check the indentation")
	}
	return converted, nil
}

// startsIndented says whether the document's first value does not begin its line.
func (d *yamlText) startsIndented() bool {
	for line := range bytes.Lines(d.text) {
		if isText(line) {
			return strings.ContainsRune(" \t{[\"'|>", rune(line[0]))
		}
	}
	return false
}

// holdsText says whether there is more than comments, directives and white space.
func (d *yamlText) holdsText() bool {
	for line := range bytes.Lines(d.text) {
		if isText(line) {
			return true
		}
	}
	return false
}

func isText(line []byte) bool {
	line = bytes.TrimSpace(line)
	return len(line) > 0 && line[0] != '#' && line[0] != '%' && string(line) != "..."
}

var yamlLine = regexp.MustCompile(`line (\d+)`)

// yamlProblem is a YAML error in one line, with line numbers of the file.
func yamlProblem(err error, before int) string {
	text := strings.TrimPrefix(err.Error(), "yaml: ")
	text = strings.TrimPrefix(text, "unmarshal errors:\n")
	text, _, _ = strings.Cut(text, "\n")
	text = yamlLine.ReplaceAllStringFunc(strings.TrimSpace(text), func(s string) string {
		n, _ := strconv.Atoi(strings.TrimPrefix(s, "line "))
		return fmt.Sprintf("line %d", n+before)
	})
	if value, ok := strings.CutPrefix(text, "json: unsupported value: "); ok {
		return fmt.Sprintf("document that begins at line %d: %s is not a number", before+1, value)
	}
	if !strings.HasPrefix(text, "line ") {
		text = fmt.Sprintf("line %d: %s", before+1, text)
	}
	return "not YAML: " + text
}
