package main

import (
	"encoding/json"
	"fmt"
	"os"
	"path/filepath"
)

// source is a data file: the types and prices of one provider and region.
type source struct {
	Provider    string       `json:"provider"`
	Region      string       `json:"region"`
	Currency    string       `json:"currency"`
	Synthetic   bool         `json:"synthetic"`
	PriceAsOf   string       `json:"priceAsOf"`
	Prices      origin       `json:"priceSource"`
	Specs       origin       `json:"specSource"`
	Allocatable origin       `json:"allocatableSource"`
	Zones       []string     `json:"zones"`
	Types       []sourceType `json:"types"`

	savings *savings // where the spot prices are estimated from; nil if they are not
}

// origin is where figures are from.
type origin struct {
	Repo       string `json:"repo"`
	Path       string `json:"path"`
	Commit     string `json:"commit"`
	CommitDate string `json:"commitDate"`
	License    string `json:"licence"` //nolint:misspell // so the data files spell it
	// Allocatable is where the allocatable is from, if the rest follows from a rule.
	Allocatable *origin `json:"allocatable"`
}

type sourceType struct {
	Name        string            `json:"name"`
	Labels      map[string]string `json:"labels"`
	Capacity    sizes             `json:"capacity"`
	Allocatable sizes             `json:"allocatable"`
	Extended    map[string]int64  `json:"extended"`
	OnDemand    *float64          `json:"onDemandPerHour"`
	Spot        *float64          `json:"spotPerHour"`
}

type sizes struct {
	CPUMilli              int64 `json:"cpuMilli"`
	MemoryBytes           int64 `json:"memoryBytes"`
	Pods                  int64 `json:"pods"`
	EphemeralStorageBytes int64 `json:"ephemeralStorageBytes"`
}

// sourceFiles are the files of the catalogs to build, without their suffix.
var sourceFiles = []string{
	"aws-us-east-1", "aws-us-gov-west-1", "aws-eu-west-1", "aws-ap-northeast-1",
	"gcp-us-central1", "gcp-europe-west1", "gcp-asia-northeast1",
	"azure-eastus", "azure-westeurope", "azure-japaneast",
	"kwok-types",
}

func readSources(dir string) ([]*source, error) {
	var spot spotFile
	if err := readJSON(filepath.Join(dir, "aws-spot-reference.json"), &spot); err != nil {
		return nil, err
	}
	var sources []*source
	for _, name := range sourceFiles {
		s := &source{}
		if err := readJSON(filepath.Join(dir, name+".json"), s); err != nil {
			return nil, err
		}
		switch s.Provider {
		case "aws":
			spot.Advisor.estimate(s)
		case "azure":
			qualifyZones(s)
			addSKULabels(s)
		case "kwok":
			s.Region = "" // kwok's nodes carry no region
		}
		sources = append(sources, s)
	}
	return sources, nil
}

func readJSON(path string, into any) error {
	raw, err := os.ReadFile(path)
	if err != nil {
		return err
	}
	if err := json.Unmarshal(raw, into); err != nil {
		return fmt.Errorf("%s: %w", path, err)
	}
	return nil
}
