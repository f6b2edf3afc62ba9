// Package observe reads a live cluster into a snapshot.
//
// It lists, and nothing else: every kind that matters to a plan, page by page,
// a few kinds at a time. Each page is decoded as the files of a snapshot are,
// and forgotten: the snapshot is the one that the same objects in a file give,
// and no more than a few pages are held beside it.
//
// Kinds are listed one after another, not at one instant: a pod may name a node
// that came or went in between.
package observe
