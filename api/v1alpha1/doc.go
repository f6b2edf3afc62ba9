// Package v1alpha1 holds the public documents of Mortise: Snapshot, Policy,
// Catalog and Plan. Files, the command line, the HTTP API and the records in a
// cluster use the same documents.
//
// Kubernetes conventions hold: lowerCamelCase keys, resource quantities, RFC
// 3339 times, durations such as "24h". Money is USD per hour unless a field
// says otherwise. Unknown fields are rejected by the readers of these types.
package v1alpha1

const (
	// Group is the API group of every document of this package.
	Group = "mortise.dev"
	// APIVersion is the apiVersion of every document of this package.
	APIVersion = Group + "/v1alpha1"

	KindSnapshot = "Snapshot"
	KindPolicy   = "Policy"
	KindCatalog  = "Catalog"
	KindPlan     = "Plan"
)

const (
	// AnnotationHold on a NodePool or Node forbids every voluntary move while it is "true".
	AnnotationHold = "mortise.dev/hold"
	// AnnotationPriceLimit on a NodePool is the most that its nodes may cost together, in USD per hour.
	AnnotationPriceLimit = "mortise.dev/price-limit"
	// AnnotationInterruption on a Node or NodeClaim is the deadline (RFC 3339) at which the provider takes the machine away.
	AnnotationInterruption = "mortise.dev/interruption"
	// AnnotationImplied on a NodePool named default says, if "true", that it stands for the pool that is implied where
	// a snapshot has none: every priced worker node belongs to it, whatever its labels.
	AnnotationImplied = "mortise.dev/implied"
	// AnnotationUnreadable marks what stands in for a NodePool that could not be read.
	AnnotationUnreadable = "mortise.dev/unreadable"
)
