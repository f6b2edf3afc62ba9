package text

import (
	"fmt"
	"io"
	"strings"

	"github.com/charmbracelet/lipgloss"
	"github.com/charmbracelet/x/ansi"
	"github.com/muesli/termenv"
)

// Options say what is printed on. The zero value is a plain page of DefaultWidth columns.
type Options struct {
	Width int
	Color bool
}

// DefaultWidth is the width of a page that is not a terminal, in columns.
const DefaultWidth = 120

// minWidth is the narrowest page; what is narrower wraps.
const minWidth = 60

// page collects what is to be printed.
type page struct {
	width int
	out   strings.Builder

	heading, faint, good, bad, warn lipgloss.Style
}

func newPage(o Options) *page {
	if o.Width <= 0 {
		o.Width = DefaultWidth
	}
	r := lipgloss.NewRenderer(io.Discard)
	r.SetColorProfile(termenv.Ascii)
	if o.Color {
		r.SetColorProfile(termenv.ANSI)
	}
	color := func(c string) lipgloss.Style { return r.NewStyle().Foreground(lipgloss.Color(c)) }
	return &page{
		width:   max(o.Width, minWidth),
		heading: r.NewStyle().Bold(true),
		faint:   r.NewStyle().Faint(true),
		good:    color("2"),
		bad:     color("1"),
		warn:    color("3"),
	}
}

// section starts a part of the page.
func (p *page) section(title, about string) {
	p.titled(strings.ToUpper(title), about)
}

// titled starts a part of the page under a title that is a name.
func (p *page) titled(title, about string) {
	if p.out.Len() > 0 {
		p.out.WriteByte('\n')
	}
	title = p.heading.Render(title)
	if about == "" {
		p.line(title)
		return
	}
	p.labeled(title+"  ", p.faint.Render(about))
}

func (p *page) line(s string) {
	p.out.WriteString(strings.TrimRight(s, " "))
	p.out.WriteByte('\n')
}

func (p *page) linef(format string, a ...any) {
	p.line(fmt.Sprintf(format, a...))
}

// labeled prints text behind a label, wrapped under its own first column.
func (p *page) labeled(label, text string) {
	indent := ansi.StringWidth(label)
	for i, l := range wrap(text, p.width-indent) {
		if i > 0 {
			label = strings.Repeat(" ", indent)
		}
		p.line(label + l)
	}
}

// wrap breaks text at spaces, but not before ×, into lines of at most width
// columns; a word that is longer is cut.
func wrap(text string, width int) []string {
	const glued = "\u00a0×"
	lines := wrapWords(strings.Split(strings.ReplaceAll(text, " ×", glued), " "), max(width, 1))
	for i := range lines {
		lines[i] = strings.ReplaceAll(lines[i], glued, " ×")
	}
	return lines
}

func wrapWords(words []string, width int) []string {
	var lines []string
	line := ""
	for _, word := range words {
		switch {
		case line == "":
			line = word
		case ansi.StringWidth(line)+1+ansi.StringWidth(word) <= width:
			line += " " + word
		default:
			lines = append(lines, line)
			line = word
		}
		cut := strings.Split(ansi.Hardwrap(line, width, true), "\n")
		lines = append(lines, cut[:len(cut)-1]...)
		line = cut[len(cut)-1]
	}
	return append(lines, line)
}

// writeTo prints the page.
func (p *page) writeTo(w io.Writer) error {
	if _, err := io.WriteString(w, p.out.String()); err != nil {
		return fmt.Errorf("print: %w", err)
	}
	return nil
}

// prefixed is s behind a prefix, or nothing if s is empty.
func prefixed(prefix, s string) string {
	if s == "" {
		return ""
	}
	return prefix + s
}
