// Package verify holds a plan against the snapshot it was made from: every
// rule of Kubernetes, of Karpenter's API and of the policy that the plan
// breaks is a Violation.
//
// It works from the snapshot's own objects and trusts no figure of the plan:
// prices come from the catalog and the overlays, fits from requests and
// allocatable, domains from labels. It shares no code with the packages that
// make plans, so that a mistake there is not repeated here.
//
// The plan is first applied to the cluster (see outcome): its names become
// machines and pods, and what cannot be resolved is reported. Each rule then
// looks at the cluster before and after. A rule is one file.
//
// What a plan cannot yet promise is not asked of it: topology spread, pod
// affinity, anti-affinity over other keys than the host, volumes, devices,
// minimum values, preferences, balance and the ceiling on premiums.
package verify
