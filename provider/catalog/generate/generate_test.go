package main

import (
	"io/fs"
	"os"
	"path/filepath"
	"testing"

	"github.com/stretchr/testify/require"
)

// TestTablesAreUpToDate compares the committed tables with what the data files
// in MORTISE_DATA give today, twice.
func TestTablesAreUpToDate(t *testing.T) {
	t.Parallel()
	from := os.Getenv("MORTISE_DATA")
	if from == "" {
		t.Skip("MORTISE_DATA names no folder of data files")
	}
	want, err := tables(from)
	require.NoError(t, err)
	again, err := tables(from)
	require.NoError(t, err)
	require.Equal(t, want, again)

	committed := os.DirFS("../data")
	var files int
	require.NoError(t, fs.WalkDir(committed, ".", func(path string, entry fs.DirEntry, err error) error {
		if err != nil || entry.IsDir() {
			return err
		}
		files++
		got, err := fs.ReadFile(committed, path)
		require.NoError(t, err)
		require.Equal(t, string(want[path]), string(got), path)
		return nil
	}))
	require.Len(t, want, files)
}

func TestRunWritesTheTables(t *testing.T) {
	t.Parallel()
	require.EqualError(t, run("", t.TempDir()), "-from or MORTISE_DATA must name the folder of the data files")
	require.ErrorContains(t, run(t.TempDir(), t.TempDir()), "aws-spot-reference.json")
	if from := os.Getenv("MORTISE_DATA"); from != "" {
		to := t.TempDir()
		require.NoError(t, run(from, to))
		require.FileExists(t, filepath.Join(to, "aws", "us-east-1.tsv"))
	}
}

func TestSpotEstimate(t *testing.T) {
	t.Parallel()
	price := 0.1
	reference := savings{Regions: map[string]map[string][2]float64{
		"here": {"known": {66, 1}, "unpriced": {50, 1}, "odd": {33, 0}},
	}}
	s := &source{Region: "here", Types: []sourceType{
		{Name: "known", OnDemand: &price}, {Name: "unknown", OnDemand: &price}, {Name: "unpriced"},
	}}
	reference.estimate(s)
	require.NotNil(t, s.savings)
	require.InDelta(t, 0.034, *s.Types[0].Spot, 0)
	require.Nil(t, s.Types[1].Spot)
	require.Nil(t, s.Types[2].Spot)

	elsewhere := &source{Region: "elsewhere", Types: []sourceType{{Name: "known", OnDemand: &price}}}
	reference.estimate(elsewhere)
	require.Nil(t, elsewhere.savings)
	require.Nil(t, elsewhere.Types[0].Spot)
}

func TestSKULabels(t *testing.T) {
	t.Parallel()
	for name, want := range map[string][2]string{
		"Standard_D4s_v5":        {"D", "5"},
		"Standard_DS14":          {"D", "1"},
		"Standard_DS11_v2_Promo": {"D", "2"},
		"Standard_NC4as_T4_v3":   {"N", "3"},
		"Standard_M416ds_8_v3":   {"M", "3"},
		"Standard_DC96ads_cc_v5": {"D", "5"},
	} {
		s := &source{Types: []sourceType{{Name: name, Labels: map[string]string{}}}}
		addSKULabels(s)
		require.Equal(t, map[string]string{labelSKUName: name, labelSKUFamily: want[0], labelSKUVersion: want[1]}, s.Types[0].Labels)
	}
}

func TestQuantitiesAreShort(t *testing.T) {
	t.Parallel()
	require.Equal(t, "1500m", milli(1500))
	require.Equal(t, "2", milli(2000))
	require.Equal(t, "8Gi", amount(8<<30))
	require.Equal(t, "128G", amount(128e9))
	require.Equal(t, "84879291188", amount(84879291188))
	require.Equal(t, "1024", count(1024))
}

func TestTypesMustAgreeBetweenRegions(t *testing.T) {
	t.Parallel()
	types := map[string]map[string]sourceType{}
	require.NoError(t, merge(types, &source{Provider: "p", Region: "r1", Types: []sourceType{{Name: "a"}}}))
	require.NoError(t, merge(types, &source{Provider: "p", Region: "r2", Types: []sourceType{{Name: "a"}, {Name: "b"}}}))
	changed := &source{Provider: "p", Region: "r3", Types: []sourceType{{Name: "b", Capacity: sizes{CPUMilli: 1}}}}
	require.EqualError(t, merge(types, changed), "p r3: type b differs from another region's")
}
