package main

import (
	"errors"
	"fmt"
	"io"
	"io/fs"
	"os"

	"sigs.k8s.io/yaml"

	"github.com/mortise-io/mortise/api/v1alpha1"
)

// readPlan reads a Plan as JSON or YAML; - is standard input.
func readPlan(path string, stdin io.Reader) (*v1alpha1.Plan, error) {
	raw, err := readAll(path, stdin)
	if err != nil {
		return nil, err
	}
	plan := &v1alpha1.Plan{}
	if err := yaml.UnmarshalStrict(raw, plan); err != nil {
		return nil, fmt.Errorf("%s: expected a Plan: %w", path, err)
	}
	if plan.APIVersion != v1alpha1.APIVersion {
		return nil, fmt.Errorf("%s: $.apiVersion: expected %s, got %q", path, v1alpha1.APIVersion, plan.APIVersion)
	}
	if plan.Kind != v1alpha1.KindPlan {
		return nil, fmt.Errorf("%s: $.kind: expected %s, got %q", path, v1alpha1.KindPlan, plan.Kind)
	}
	return plan, nil
}

func readAll(path string, stdin io.Reader) ([]byte, error) {
	if path == "-" {
		raw, err := io.ReadAll(stdin)
		if err != nil {
			return nil, fmt.Errorf("standard input: %w", err)
		}
		return raw, nil
	}
	raw, err := os.ReadFile(path)
	var pathError *fs.PathError
	if errors.As(err, &pathError) {
		return nil, fmt.Errorf("%s: %w", path, pathError.Err)
	}
	return raw, err
}
