// Package certify checks a lower bound without trusting who found it.
//
// A model.Certificate gives every pod of a group g a price y(g) ≥ 0, every
// removal that a budget counts a price d ≥ 0, and every use of a limit and every
// pod below a pool weight a charge. Whatever these are, a solution that places
// need(g) pods of each group costs at least
//
//	  Σ_g y(g)·need(g)  +  what the nodes cost that are not decided about
//	+ Σ d·(nodes that a budget keeps)  −  Σ charge·rest      for limits and weights
//	− (pods) · the most that one launch is worth beyond its cost and charges
//	− Σ over nodes, of what keeping one is worth beyond its cost and charges
//
// because a launch or a kept node is worth no more than the dearest content
// that it has room for. Finding that content is a knapsack problem. It is
// bounded by code of this package alone, in integers: see content.
package certify
