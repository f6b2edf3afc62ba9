package main

import (
	"encoding/json"
	"testing"

	"github.com/stretchr/testify/require"
	"sigs.k8s.io/yaml"

	"github.com/mortise-io/mortise/api/v1alpha1"
	"github.com/mortise-io/mortise/provider/catalog"
)

func TestCatalogListNamesEveryCatalog(t *testing.T) {
	list := done(t, "", "catalog", "list")
	for _, name := range catalog.Names() {
		require.Contains(t, list, name)
	}
	var infos []catalog.Info
	require.NoError(t, json.Unmarshal([]byte(done(t, "", "catalog", "list", "-o", "json")), &infos))
	require.Len(t, infos, len(catalog.Names()))
}

func TestCatalogShowFilters(t *testing.T) {
	var c v1alpha1.Catalog
	out := done(t, "", "catalog", "show", "aws-us-east-1", "--family", "m7g", "--max-cpu", "4", "-o", "yaml")
	require.NoError(t, yaml.UnmarshalStrict([]byte(out), &c))
	require.NotEmpty(t, c.InstanceTypes)
	for _, it := range c.InstanceTypes {
		require.Regexp(t, `^m7g\.`, it.Name)
		require.LessOrEqual(t, it.Capacity.Cpu().Value(), int64(4))
	}
	require.Contains(t, done(t, "", "catalog", "show", "aws-us-east-1", "--family", "m7g"), "m7g.large")

	out = done(t, "", "catalog", "show", "aws-us-east-1", "--name", "m7g.large", "--zone", "us-east-1b", "--capacity-type", "on-demand", "-o", "yaml")
	c = v1alpha1.Catalog{}
	require.NoError(t, yaml.UnmarshalStrict([]byte(out), &c))
	require.Len(t, c.InstanceTypes, 1)
	require.Len(t, c.InstanceTypes[0].Offerings, 1)
	require.Equal(t, "us-east-1b", c.InstanceTypes[0].Offerings[0].Zone)
}

func TestCatalogConvertReadsKwokTypesAndItsOwn(t *testing.T) {
	kwok := `[{"name":"c-1x-amd64-linux","offerings":[{"Price":0.04,"Available":true,"Requirements":[
	  {"key":"karpenter.sh/capacity-type","operator":"In","values":["on-demand"]},
	  {"key":"topology.kubernetes.io/zone","operator":"In","values":["zone-a"]}]}],
	  "architecture":"amd64","operatingSystems":["linux"],"resources":{"cpu":"1","memory":"2Gi","pods":"16"}}]`
	ours := done(t, kwok, "catalog", "convert", "-")
	require.Contains(t, ours, "kind: Catalog")
	require.Contains(t, ours, "c-1x-amd64-linux")
	again := done(t, ours, "catalog", "convert", "-", "-o", "json")
	require.Contains(t, again, `"kind": "Catalog"`)
}

func TestVersionTellsEnginesAndCatalogs(t *testing.T) {
	text := done(t, "", "version")
	require.Contains(t, text, "mortise ")
	require.Contains(t, text, "engine  builtin")
	require.Contains(t, text, "aws-us-east-1")
	var info versionInfo
	require.NoError(t, json.Unmarshal([]byte(done(t, "", "version", "-o", "json")), &info))
	require.NotEmpty(t, info.Version)
	require.Len(t, info.Catalogs, len(catalog.Names()))
}
