package certify

import (
	"errors"
	"fmt"

	"github.com/mortise-io/mortise/model"
)

// Tolerance is how much of a claimed bound may be lost by rounding: a
// micro-dollar per hour.
const Tolerance = model.Dollar / 1_000_000

// ErrOtherProblem is returned for a certificate of another problem.
var ErrOtherProblem = errors.New("the certificate is of another problem")

// Check returns the bound that the certificate's prices prove: no solution of p
// that meets c.Assumed costs less. It fails if the certificate is of another
// problem, names what p does not have, or claims more than its prices prove; in
// the last case the bound is returned all the same. Where the claim holds it
// looks for no higher bound.
func Check(p *model.Problem, c *model.Certificate) (model.Money, error) {
	if c.Problem != p.Digest() {
		return 0, ErrOtherProblem
	}
	var proved model.Money
	for _, thorough := range []bool{false, true} { // many claims need little work
		var err error
		if proved, err = prove(p, c, thorough); err != nil {
			return 0, fmt.Errorf("certificate: %w", err)
		}
		if c.Bound <= proved+Tolerance {
			return proved, nil
		}
	}
	return proved, fmt.Errorf("the certificate claims that nothing costs less than %s, and proves it of %s only", c.Bound, proved)
}

// prove adds the bound up. With more work spent on single machines it is higher.
func prove(p *model.Problem, c *model.Certificate, thorough bool) (model.Money, error) {
	b, err := newBound(p, c)
	if err != nil {
		return 0, err
	}
	b.thorough = thorough
	b.pods()
	b.rules()
	b.launches()
	b.nodes()
	return b.total.money()
}
