package benchmarks

import (
	"fmt"
	"os/exec"
	"runtime"
	"strings"
	"time"
)

// Stamp says what was measured, when and where.
type Stamp struct {
	Commit string `json:"commit"`
	// Solver identifies the sources of model and solver; with "+" after it,
	// they were changed and not committed.
	Solver   string `json:"solver"`
	Date     string `json:"date"`
	Platform string `json:"platform"`
}

// NewStamp is that of the checkout in the folder root, at the time.
func NewStamp(root string, at time.Time) (Stamp, error) {
	s := Stamp{Date: at.UTC().Format(time.DateOnly), Platform: runtime.GOOS + "/" + runtime.GOARCH}
	var err error
	if s.Commit, err = git(root, "rev-parse", "--short=12", "HEAD"); err != nil {
		return s, err
	}
	trees, err := git(root, "rev-parse", "HEAD:model", "HEAD:solver")
	if err != nil {
		return s, err
	}
	model, solver, _ := strings.Cut(trees, "\n")
	s.Solver = model[:12] + "-" + solver[:12]
	changed, err := git(root, "status", "--porcelain", "--", "model/*.go", "solver/*.go")
	if changed != "" {
		s.Solver += "+"
	}
	return s, err
}

func git(root string, args ...string) (string, error) {
	out, err := exec.Command("git", append([]string{"-C", root}, args...)...).Output()
	if err != nil {
		return "", fmt.Errorf("git %s: %w", args[0], err)
	}
	return strings.TrimSpace(string(out)), nil
}
