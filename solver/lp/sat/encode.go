package sat

import (
	"math"
	"slices"

	"google.golang.org/protobuf/encoding/protowire"
)

// Fields of the messages in OR-Tools' cp_model.proto and sat_parameters.proto.
const (
	modelVariables   = 2
	modelConstraints = 3
	modelObjective   = 4
	modelHint        = 6

	variableDomain = 2

	constraintEnforcement = 2
	constraintBoolOr      = 3
	constraintLinear      = 12
	constraintAtMostOne   = 26
	constraintExactlyOne  = 29

	boolLiterals = 1

	linearVariables    = 1
	linearCoefficients = 2
	linearDomain       = 3

	objectiveVariables    = 1
	objectiveCoefficients = 4

	hintVariables = 1
	hintValues    = 2

	parameterRandomSeed        = 31
	parameterSeconds           = 36
	parameterLog               = 41
	parameterDeterministicTime = 67
	parameterCatchSigint       = 135
	parameterGap               = 160
	parameterLogToStdout       = 186
	parameterWorkers           = 206
	parameterSharedTreeWorkers = 235
)

// message is a protocol buffer being written.
type message []byte

func (m *message) varint(field protowire.Number, x uint64) {
	*m = protowire.AppendVarint(protowire.AppendTag(*m, field, protowire.VarintType), x)
}

func (m *message) bool(field protowire.Number, x bool) {
	m.varint(field, protowire.EncodeBool(x))
}

func (m *message) double(field protowire.Number, x float64) {
	*m = protowire.AppendFixed64(protowire.AppendTag(*m, field, protowire.Fixed64Type), math.Float64bits(x))
}

func (m *message) bytes(field protowire.Number, x []byte) {
	*m = protowire.AppendBytes(protowire.AppendTag(*m, field, protowire.BytesType), x)
}

// packed writes a repeated field of integers.
func packed[T ~int32 | ~int64](m *message, field protowire.Number, list []T) {
	if len(list) == 0 {
		return
	}
	var body []byte
	for _, x := range list {
		body = protowire.AppendVarint(body, uint64(int64(x)))
	}
	m.bytes(field, body)
}

// encode writes the model as a CpModelProto.
func (m *Model) encode() []byte {
	var out message
	for _, d := range m.variables {
		var v message
		packed(&v, variableDomain, []int64{d.low, d.high})
		out.bytes(modelVariables, v)
	}
	for i := range m.constraints {
		out.bytes(modelConstraints, m.constraints[i].encode())
	}
	if m.objective != nil {
		var o message // without the offset, which is a float there
		packed(&o, objectiveVariables, m.objective.variables)
		packed(&o, objectiveCoefficients, m.objective.coefficients)
		out.bytes(modelObjective, o)
	}
	if len(m.hints) > 0 {
		out.bytes(modelHint, m.encodeHints())
	}
	return out
}

func (m *Model) encodeHints() []byte {
	var variables []Int
	for v := range m.hints {
		variables = append(variables, v)
	}
	slices.Sort(variables)
	var values []int64
	for _, v := range variables {
		values = append(values, m.hints[v])
	}
	var out message
	packed(&out, hintVariables, variables)
	packed(&out, hintValues, values)
	return out
}

func (c *constraint) encode() []byte {
	var out, body message
	packed(&out, constraintEnforcement, c.enforced)
	if c.kind == linear {
		packed(&body, linearVariables, c.sum.variables)
		packed(&body, linearCoefficients, c.sum.coefficients)
		packed(&body, linearDomain, []int64{less(c.domain.low, c.sum.offset), less(c.domain.high, c.sum.offset)})
		out.bytes(constraintLinear, body)
		return out
	}
	packed(&body, boolLiterals, c.literals)
	out.bytes(map[kind]protowire.Number{boolOr: constraintBoolOr, atMostOne: constraintAtMostOne, exactlyOne: constraintExactlyOne}[c.kind], body)
	return out
}

// less takes the sum's constant off a bound, unless it is none.
func less(bound, offset int64) int64 {
	switch {
	case bound == Lowest || bound == Highest:
		return bound
	case offset > 0 && bound < Lowest+offset:
		return Lowest
	case offset < 0 && bound > Highest+offset:
		return Highest
	}
	return bound - offset
}

// encode writes the parameters as SatParameters. What would be decided by the
// machine, or would take the process's signals, is always said.
func (p *Params) encode() []byte {
	var out message
	out.varint(parameterRandomSeed, uint64(p.Seed&math.MaxInt32))
	if p.Time > 0 {
		out.double(parameterSeconds, p.Time.Seconds())
	}
	out.bool(parameterLog, false)
	if p.DeterministicTime > 0 {
		out.double(parameterDeterministicTime, p.DeterministicTime)
	}
	out.bool(parameterCatchSigint, false)
	if p.Gap > 0 {
		out.double(parameterGap, p.Gap)
	}
	out.bool(parameterLogToStdout, false)
	out.varint(parameterWorkers, uint64(max(1, p.Workers)))
	out.varint(parameterSharedTreeWorkers, 0)
	return out
}
