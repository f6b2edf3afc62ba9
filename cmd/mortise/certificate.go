package main

import (
	"encoding/json"
	"fmt"
	"io"
	"os"

	"github.com/mortise-io/mortise/api/v1alpha1"
	"github.com/mortise-io/mortise/model"
	"github.com/mortise-io/mortise/planner"
)

// writeCertificate writes why the plan's lower bound holds. If no prices prove
// it there is nothing to write, and standard error says so.
func writeCertificate(std streams, path string, plan *v1alpha1.Plan, c *model.Certificate) error {
	if c == nil {
		why := "no prices prove the lower bound"
		if plan.Outcome == v1alpha1.Optimal {
			why = "the plan was proved the best by trying every other, which takes no prices"
		}
		_, err := fmt.Fprintf(std.err, "%s%s is not written: %s\n", reportPrefix, path, why)
		return failed(err)
	}
	return writeFile(path, func(w io.Writer) error {
		e := json.NewEncoder(w)
		e.SetIndent("", " ")
		return e.Encode(c)
	})
}

func readCertificate(path string) (*model.Certificate, error) {
	f, err := os.Open(path)
	if err != nil {
		return nil, fmt.Errorf("--certificate: %w", err)
	}
	defer f.Close() //nolint:errcheck // only read
	d := json.NewDecoder(f)
	d.DisallowUnknownFields()
	c := &model.Certificate{}
	if err := d.Decode(c); err != nil {
		return nil, fmt.Errorf("--certificate %s: expected what plan --certificate writes: %w", path, err)
	}
	return c, nil
}

// certify holds the certificate against the snapshot and the plan, prints what
// it proves, and says whether that is enough.
func certify(std streams, s *v1alpha1.Snapshot, plan *v1alpha1.Plan, c *model.Certificate) (bool, error) {
	line := ""
	bound, found := planner.Certify(s, plan, c)
	if found != nil {
		line = fmt.Sprintf("Certificate: %s", found)
	} else {
		line = fmt.Sprintf("certified: no valid plan that leaves the same pods waiting costs less than %s USD per hour; this one costs %s",
			bound, model.Dollars(plan.Cost.Objective.Total))
	}
	if _, err := fmt.Fprintln(std.out, line); err != nil {
		return false, failed(fmt.Errorf("print: %w", err))
	}
	return found == nil, nil
}
