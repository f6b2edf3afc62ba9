package benchmarks

import (
	"encoding/binary"
	"encoding/hex"
	"errors"
	"math/rand/v2"
	"slices"
	"testing"
	"time"

	"github.com/stretchr/testify/require"

	"github.com/mortise-io/mortise/solver/lp"
)

// A sample of the committed results, another one for each commit, is repeated:
// it has to be valid, to agree with them, and to stay within ranges.yaml.
// Expensive records are left to full runs.
const (
	sampleSolveSeconds   = 20 // of CPU, for the instances together
	samplePackingSeconds = 10
	sampleSeeds          = 30
)

// drawn are the numbers of this commit's sample; the same ones outside of a checkout.
func drawn(t *testing.T) *rand.Rand {
	t.Helper()
	var seed [32]byte
	if commit, err := git(root, "rev-parse", "HEAD"); err == nil {
		sum, err := hex.DecodeString(commit)
		require.NoError(t, err)
		copy(seed[:], sum)
	}
	t.Logf("the sample is drawn by %x", binary.BigEndian.Uint64(seed[:]))
	return rand.New(rand.NewChaCha8(seed))
}

// draw takes records in random order while they take no more than the time in all.
func draw[T any](r *rand.Rand, records []T, seconds float64, of func(*T) float64) []T {
	var out []T
	for _, i := range r.Perm(len(records)) {
		if cpu := of(&records[i]); cpu <= seconds {
			seconds -= cpu
			out = append(out, records[i])
		}
	}
	return out
}

func needHiGHS(t *testing.T) {
	t.Helper()
	if err := lp.Available(); err != nil {
		t.Skipf("HiGHS cannot be loaded, make native fetches it: %v", err)
	}
	if testing.Short() {
		t.Skip("takes a while")
	}
}

// same says whether a record was made by the solver that is here.
func same(t *testing.T, s Stamp) bool {
	t.Helper()
	now, err := NewStamp(root, time.Time{})
	return err == nil && now.Solver == s.Solver && now.Platform == s.Platform && s.Solver[len(s.Solver)-1] != '+'
}

func TestSampleOfInstances(t *testing.T) {
	needHiGHS(t)
	records, err := ReadResults[Record]("results/solve.json")
	require.NoError(t, err)
	ranges, err := ReadRanges(root)
	require.NoError(t, err)
	for _, want := range draw(drawn(t), records, sampleSolveSeconds, func(r *Record) float64 { return r.CPUSeconds }) {
		t.Run(want.Name, func(t *testing.T) {
			got, err := Run(t.Context(), named(t, want.Name))
			if errors.Is(err, ErrNoData) {
				t.Skip(err)
			}
			require.NoError(t, err)
			require.Empty(t, got.Faults)
			limits := ranges.Solve[want.Name]
			// This process has solved others before, on a machine that may be busy.
			limits.PeakMiB, limits.CPUSeconds, limits.FirstSeconds = nil, nil, nil
			require.Empty(t, limits.Passed(&got))
			require.LessOrEqual(t, got.Bound, got.Cost)
			require.Equal(t, want.Unplaced, got.Unplaced)
			require.LessOrEqual(t, got.Bound, want.Cost, "there is a solution of that cost")
			require.LessOrEqual(t, want.Bound, got.Cost, "there is none below that bound")
			if same(t, want.Stamp) {
				require.Equal(t, want.Figures, got.Figures)
			}
		})
	}
}

func TestSampleOfPackings(t *testing.T) {
	needHiGHS(t)
	runs, err := ReadResults[PackingRun]("results/vbp.json")
	require.NoError(t, err)
	if len(runs) == 0 {
		t.Skip("there are no results yet")
	}
	run := &runs[0]
	all, err := Packings(run.Items)
	if errors.Is(err, ErrNoData) {
		t.Skip(err)
	}
	require.NoError(t, err)
	for _, want := range draw(drawn(t), run.Packings, samplePackingSeconds, func(r *PackingRecord) float64 { return r.CPUSeconds }) {
		i := slices.IndexFunc(all, func(k Packing) bool { return k.ID == want.ID })
		require.GreaterOrEqual(t, i, 0, want.ID)
		got, err := RunPacking(t.Context(), &all[i], run.Work())
		require.NoError(t, err)
		require.Empty(t, got.Faults, want.ID)
		require.LessOrEqual(t, got.LowerBound, want.Bins, want.ID)
		require.LessOrEqual(t, want.LowerBound, got.Bins, want.ID)
		if same(t, run.Stamp) {
			got.CPUSeconds = want.CPUSeconds
			require.Equal(t, want, got)
		}
	}
}

func TestSampleOfRandomProblems(t *testing.T) {
	needHiGHS(t)
	runs, err := ReadResults[AgreementRun]("results/random.json")
	require.NoError(t, err)
	r := drawn(t)
	for range sampleSeeds {
		seed := r.Uint64N(5000)
		got, err := Judge(t.Context(), seed)
		require.NoError(t, err)
		require.Empty(t, got.Faults, "seed %d", seed)
		for i := range runs {
			if seed < uint64(len(runs[i].Costs)) {
				require.Equal(t, runs[i].Costs[seed], got.Cost, "seed %d", seed)
			}
		}
	}
}

// TestResultsAgree: no committed verdict has a fault, nor has a packing.
func TestResultsAgree(t *testing.T) {
	random, err := ReadResults[AgreementRun]("results/random.json")
	require.NoError(t, err)
	for i := range random {
		for k := range random[i].Open {
			require.Empty(t, random[i].Open[k].Faults, "seed %d", random[i].Open[k].Seed)
		}
	}
	packings, err := ReadResults[PackingRun]("results/vbp.json")
	require.NoError(t, err)
	ranges, err := ReadRanges(root)
	require.NoError(t, err)
	for i := range packings {
		proven := 0
		for k := range packings[i].Packings {
			require.Empty(t, packings[i].Packings[k].Faults, packings[i].Packings[k].ID)
			if packings[i].Packings[k].Optimal {
				proven++
			}
		}
		require.GreaterOrEqual(t, 100*float64(proven)/float64(len(packings[i].Packings)), ranges.VBP.Proven.Limit)
	}
}

// TestResultsKeepTheirRanges: what is committed is valid, and within its limits.
func TestResultsKeepTheirRanges(t *testing.T) {
	ranges, err := ReadRanges(root)
	require.NoError(t, err)
	records, err := ReadResults[Record]("results/solve.json")
	require.NoError(t, err)
	for i := range records {
		limits, ok := ranges.Solve[records[i].Name]
		require.True(t, ok, "%s has no ranges", records[i].Name)
		require.Empty(t, limits.Passed(&records[i]), records[i].Name)
		require.Empty(t, records[i].Faults, records[i].Name)
	}
}
