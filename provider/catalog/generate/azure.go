package main

import (
	"regexp"
	"strings"
)

const (
	labelSKUName    = "karpenter.azure.com/sku-name"
	labelSKUFamily  = "karpenter.azure.com/sku-family"
	labelSKUVersion = "karpenter.azure.com/sku-version"
)

var skuVersion = regexp.MustCompile(`_[vV]([0-9]+)(_Promo)?$`)

// addSKULabels adds the labels that Azure's Karpenter provider derives from
// the name of a size, Standard_D4s_v5: family D, version 5 (1 if there is none).
func addSKULabels(s *source) {
	for _, t := range s.Types {
		version := "1"
		if match := skuVersion.FindStringSubmatch(t.Name); match != nil {
			version = match[1]
		}
		size := strings.TrimPrefix(t.Name, "Standard_")
		t.Labels[labelSKUName] = t.Name
		t.Labels[labelSKUFamily] = size[:1]
		t.Labels[labelSKUVersion] = version
	}
}

// qualifyZones writes zones as the node label has them: REGION-N.
func qualifyZones(s *source) {
	for i, zone := range s.Zones {
		s.Zones[i] = s.Region + "-" + zone
	}
}
