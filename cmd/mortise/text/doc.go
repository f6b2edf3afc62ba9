// Package text prints plans, explanations and catalogs for people: as wide
// as the terminal, in color if it has any. It formats what the documents say
// and decides nothing.
package text
