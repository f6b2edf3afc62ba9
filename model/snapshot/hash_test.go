package snapshot

import (
	"math/rand/v2"
	"testing"

	"github.com/stretchr/testify/require"
	"k8s.io/utils/ptr"

	"github.com/mortise-io/mortise/api/v1alpha1"
)

func TestHashDoesNotDependOnOrder(t *testing.T) {
	s := mustRead(t, "testdata/forms/snapshot.yaml")
	s.InstanceTypes = append(s.InstanceTypes, v1alpha1.InstanceType{Name: "other"})
	want := Hash(s)
	require.Regexp(t, `^sha256:[0-9a-f]{64}$`, want)
	for seed := range uint64(10) {
		random := rand.New(rand.NewPCG(seed, 0))
		random.Shuffle(len(s.Objects), func(i, j int) { s.Objects[i], s.Objects[j] = s.Objects[j], s.Objects[i] })
		random.Shuffle(len(s.InstanceTypes), func(i, j int) { s.InstanceTypes[i], s.InstanceTypes[j] = s.InstanceTypes[j], s.InstanceTypes[i] })
		offerings := s.InstanceTypes[0].Offerings
		random.Shuffle(len(offerings), func(i, j int) { offerings[i], offerings[j] = offerings[j], offerings[i] })
		require.Equal(t, want, Hash(s))
	}
}

func TestHashDependsOnEverythingElse(t *testing.T) {
	read := func() *v1alpha1.Snapshot { return mustRead(t, "testdata/forms/snapshot.yaml") }
	seen := map[string]string{Hash(read()): "the snapshot"}
	for name, change := range map[string]func(*v1alpha1.Snapshot){
		"another time":              func(s *v1alpha1.Snapshot) { s.Time.Time = s.Time.Add(1e9) },
		"another catalog":           func(s *v1alpha1.Snapshot) { s.Catalog = "aws-eu-west-1" },
		"another price":             func(s *v1alpha1.Snapshot) { s.InstanceTypes[0].Offerings[0].Price++ },
		"another policy":            func(s *v1alpha1.Snapshot) { s.Policy.Gap = ptr.To(0.5) },
		"an object less":            func(s *v1alpha1.Snapshot) { s.Objects = s.Objects[1:] },
		"an object twice":           func(s *v1alpha1.Snapshot) { s.Objects = append(s.Objects, s.Objects[0]) },
		"an object of another name": func(s *v1alpha1.Snapshot) { s.Objects[0].Object.(object).SetName("n2") },
	} {
		s := read()
		change(s)
		hash := Hash(s)
		require.Empty(t, seen[hash], name)
		seen[hash] = name
	}
}

func TestHashOfJSONAndYAMLIsTheSame(t *testing.T) {
	s := mustRead(t, "testdata/forms/snapshot.yaml")
	again, _, err := Decode("json", []byte(asText(t, s)), aTuesday)
	require.NoError(t, err)
	require.Equal(t, Hash(s), Hash(again))
}

func BenchmarkHash(b *testing.B) {
	s, _, err := Decode("big.json", bigList(b, 10_000, 1_000), aTuesday)
	require.NoError(b, err)
	for b.Loop() {
		Hash(s)
	}
}
