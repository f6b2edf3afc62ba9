// Package text prints plans, explanations and catalogues for people: as wide
// as the terminal, in color if it has any. It formats what the documents say
// and decides nothing.
package text
