package snapshot

import (
	"cmp"
	"strconv"
	"strings"
	"testing"

	"github.com/stretchr/testify/require"
	"pgregory.net/rapid"
)

// namesLike draws names that share words, numbers and beginnings. None has as
// many numbers as an address.
func namesLike(t *rapid.T) []string {
	name := rapid.StringMatching(`[a-c0-3A]{1,3}([-./][a-c0-3]{1,3}){0,2}`)
	return rapid.SliceOfN(name, 2, 30).Draw(t, "names")
}

func pseudonymsOf(names []string, most int) *pseudonyms {
	words := map[string]bool{}
	for _, name := range names {
		for _, word := range wordsOf(name) {
			words[word] = true
		}
	}
	return newPseudonyms(words, most)
}

func TestPseudonymsSortAsTheNamesDo(t *testing.T) {
	t.Parallel()
	rapid.Check(t, func(t *rapid.T) {
		names := namesLike(t)
		p := pseudonymsOf(names, rapid.IntRange(0, 250).Draw(t, "most"))
		for _, a := range names {
			for _, b := range names {
				if got, want := cmp.Compare(p.of(a), p.of(b)), cmp.Compare(a, b); got != want {
					t.Fatalf("%s and %s compare as %d, but %s and %s as %d", a, b, want, p.of(a), p.of(b), got)
				}
			}
		}
	})
}

func TestPseudonymsArePutTogetherAsTheNamesAre(t *testing.T) {
	t.Parallel()
	rapid.Check(t, func(t *rapid.T) {
		names := namesLike(t)
		p := pseudonymsOf(names, 3)
		for _, separator := range []string{"-", "/"} {
			if got, want := p.of(names[0]+separator+names[1]), p.of(names[0])+separator+p.of(names[1]); got != want {
				t.Fatalf("got %s, want %s", got, want)
			}
		}
	})
}

func TestPseudonymsKeepTheNumbersOfReplicas(t *testing.T) {
	t.Parallel()
	p := pseudonymsOf([]string{"web-0", "web-11", "web-12", "web-012"}, 12)
	require.Equal(t, p.of("web")+"-0", p.of("web-0"))
	require.Equal(t, p.of("web")+"-11", p.of("web-11"))
	require.NotContains(t, p.of("web-12"), "-12")
	require.NotContains(t, p.of("web-012"), "-012")
}

func TestPseudonymsHideAddresses(t *testing.T) {
	t.Parallel()
	names := []string{"ip-10-0-3-7.ec2.internal", "kube-proxy-ip-10-0-3-7.ec2.internal", "10.0.3.7", "aws:///us-east-1a/i-0abc"}
	p := pseudonymsOf(names, 300)
	for _, name := range names {
		for _, word := range strings.FieldsFunc(name, func(r rune) bool { return strings.ContainsRune("-./:", r) }) {
			if _, err := strconv.Atoi(word); err != nil {
				require.NotContains(t, p.of(name), word)
			}
		}
		require.NotContains(t, p.of(name), "0-3-7")
		require.NotContains(t, p.of(name), "0.3.7")
	}
	require.True(t, strings.HasSuffix(p.of(names[1]), "-"+p.of(names[0])), "a static pod is named after its node")
}
