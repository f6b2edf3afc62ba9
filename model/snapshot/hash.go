package snapshot

import (
	"bytes"
	"crypto/sha256"
	"encoding/hex"
	"runtime"
	"slices"
	"sync"

	"github.com/mortise-io/mortise/api/v1alpha1"
)

// Hash names a snapshot by its content: sha256 over its canonical JSON, the
// same for every order of its objects and instance types.
func Hash(s *v1alpha1.Snapshot) string {
	head := *s
	head.Objects, head.InstanceTypes = nil, nil
	types := digests(len(s.InstanceTypes), func(i int) any { return canonical(s.InstanceTypes[i]) })
	objects := digests(len(s.Objects), func(i int) any { return s.Objects[i] })

	h := sha256.New()
	for _, part := range [][]byte{asJSON(head), types, objects} {
		sum := sha256.Sum256(part)
		_, _ = h.Write(sum[:])
	}
	return "sha256:" + hex.EncodeToString(h.Sum(nil))
}

// digests are the sums of n values, sorted and put together. All cores take part.
func digests(n int, value func(int) any) []byte {
	sums := make([][]byte, n)
	var workers sync.WaitGroup
	cores := runtime.GOMAXPROCS(0)
	for core := range cores {
		workers.Go(func() {
			for i := core; i < n; i += cores {
				sum := sha256.Sum256(asJSON(value(i)))
				sums[i] = sum[:]
			}
		})
	}
	workers.Wait()
	slices.SortFunc(sums, bytes.Compare)
	return slices.Concat(sums...)
}
