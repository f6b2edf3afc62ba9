// Package model is the planning problem as plain integers: pod groups, shapes
// that can be launched, nodes that run, and the rules between them; its
// solutions; and Check, which holds one against the other.
//
// Nothing here knows Kubernetes, a provider or a solver. Quantities are
// integers in base units (millicores, bytes, pieces), money is nano-dollars per
// hour, and every list has a fixed order, so that equal problems have equal
// solutions.
package model
