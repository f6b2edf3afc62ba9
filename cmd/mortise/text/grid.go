package text

import (
	"strings"

	"github.com/charmbracelet/lipgloss"
	"github.com/charmbracelet/lipgloss/table"
	"github.com/charmbracelet/x/ansi"
)

const (
	// gutter is the space between two columns.
	gutter = 2
	// minFlex is the least that is left to the last column before minor ones give way.
	minFlex = 28
)

// column is one column of a grid. The last one takes what is left of the width, and wraps.
type column struct {
	title string
	right bool // numbers are aligned to the right
	minor bool // left out where the page is too narrow
}

// grid is a table without lines.
type grid struct {
	columns []column
	rows    [][]string
}

func newGrid(columns ...column) *grid {
	return &grid{columns: columns}
}

func (g *grid) row(cells ...string) {
	g.rows = append(g.rows, cells)
}

// print sets the grid into the page.
func (g *grid) print(p *page) {
	g.dropMinor(p.width)
	g.wrapLast(p.width)

	headers := make([]string, len(g.columns))
	for i, c := range g.columns {
		headers[i] = c.title
	}
	t := table.New().Headers(headers...).Rows(g.rows...).
		BorderTop(false).BorderBottom(false).BorderLeft(false).BorderRight(false).
		BorderHeader(false).BorderColumn(false).BorderRow(false).
		StyleFunc(func(row, col int) lipgloss.Style { return g.style(p, row, col) })
	for line := range strings.SplitSeq(t.Render(), "\n") {
		p.line(line)
	}
}

func (g *grid) style(p *page, row, col int) lipgloss.Style {
	style := lipgloss.NewStyle()
	if row == table.HeaderRow {
		style = p.faint
	}
	if g.columns[col].right {
		style = style.Align(lipgloss.Right)
	}
	if col < len(g.columns)-1 {
		style = style.PaddingRight(gutter)
	}
	return style
}

// dropMinor leaves out minor columns, the last of them first, until the last column has room.
func (g *grid) dropMinor(width int) {
	for i := len(g.columns) - 2; i >= 0 && g.flex(width) < min(minFlex, g.natural(len(g.columns)-1)); i-- {
		if !g.columns[i].minor {
			continue
		}
		g.columns = remove(g.columns, i)
		for r := range g.rows {
			g.rows[r] = remove(g.rows[r], i)
		}
	}
}

// wrapLast breaks the last column's cells so that the grid is no wider than the page.
func (g *grid) wrapLast(pageWidth int) {
	last, width := len(g.columns)-1, max(g.flex(pageWidth), minFlex/2)
	for _, r := range g.rows {
		r[last] = strings.Join(wrap(r[last], width), "\n")
	}
}

// flex is the width that is left to the last column; it may be negative.
func (g *grid) flex(width int) int {
	for i := range len(g.columns) - 1 {
		width -= g.natural(i) + gutter
	}
	return width
}

// natural is the width of the widest cell of a column.
func (g *grid) natural(col int) int {
	w := ansi.StringWidth(g.columns[col].title)
	for _, r := range g.rows {
		w = max(w, ansi.StringWidth(r[col]))
	}
	return w
}

func remove[T any](s []T, i int) []T {
	return append(s[:i:i], s[i+1:]...)
}
