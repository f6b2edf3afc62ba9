package certify

import (
	"errors"
	"math/big"

	"github.com/mortise-io/mortise/model"
)

// largest is the most that prices and costs may come to, in units. Four of them
// add up without overflow.
const largest = 1 << 60

var errTooLarge = errors.New("prices or costs are too large to be added up")

// sum is a total in units that cannot overflow.
type sum struct{ of big.Int }

// add adds count times the amount.
func (s *sum) add(count, amount int64) {
	var x big.Int
	s.of.Add(&s.of, x.Mul(big.NewInt(count), big.NewInt(amount)))
}

// addCost adds a cost.
func (s *sum) addCost(m model.Money) { s.add(int64(m), model.CertificateUnits) }

// money is the total, rounded down.
func (s *sum) money() (model.Money, error) {
	var x big.Int
	x.Div(&s.of, big.NewInt(model.CertificateUnits)) // Euclidean: down, for a divisor above zero
	if !x.IsInt64() {
		return 0, errTooLarge
	}
	return model.Money(x.Int64()), nil
}

// units is a cost in units. It fails for costs beyond any machine's.
func units(m model.Money) (int64, error) {
	if m > largest/model.CertificateUnits || m < -largest/model.CertificateUnits {
		return 0, errTooLarge
	}
	return int64(m) * model.CertificateUnits, nil
}
