package text

import (
	"testing"

	"github.com/stretchr/testify/require"
	corev1 "k8s.io/api/core/v1"
	metav1 "k8s.io/apimachinery/pkg/apis/meta/v1"
	"k8s.io/utils/ptr"
)

func TestMoney(t *testing.T) {
	for usd, want := range map[float64][2]string{
		0:        {"$0.0000/h", "$0.00"},
		0.0104:   {"$0.0104/h", "$7.59"},
		0.192:    {"$0.1920/h", "$140"},
		1234.5:   {"$1,234.5000/h", "$901,185"},
		-0.5:     {"-$0.5000/h", "-$365"},
		1.0e6:    {"$1,000,000.0000/h", "$730,000,000"},
		0.999999: {"$1.0000/h", "$730"},
	} {
		require.Equal(t, want, [2]string{hourly(usd), monthly(usd)})
	}
}

func TestPercent(t *testing.T) {
	for share, want := range map[float64]string{0: "0%", 4e-9: "under 0.0001%", 0.00001: "0.001%", 0.0044: "0.44%", 0.357: "35.7%", 1: "100.0%", -0.02: "-2.0%"} {
		require.Equal(t, want, percent(share))
	}
}

func TestBar(t *testing.T) {
	for _, c := range []struct {
		name  string
		share float64
		want  string
	}{
		{"an empty node has an empty bar", 0, "░░░░   0%"},
		{"a full one is full", 1, "████ 100%"},
		{"an eighth of a column is drawn", 1.0 / 32, "▏░░░   3%"},
		{"what is over full says so in the figure", 1.25, "████ 125%"},
		{"half fills half", 0.5, "██░░  50%"},
	} {
		t.Run(c.name, func(t *testing.T) { require.Equal(t, c.want, bar(c.share, 4)) })
	}
}

func TestCountsListTheMostFrequentFirst(t *testing.T) {
	c := counts{"b": 1, "a": 1, "z": 3}
	require.Equal(t, "z ×3, a, b", c.list(3))
	require.Equal(t, "z ×3, and 2 more", c.list(1))
	require.Empty(t, counts{}.list(3))
}

func TestWorkload(t *testing.T) {
	owned := func(kind, name string, labels map[string]string) *corev1.Pod {
		return &corev1.Pod{ObjectMeta: metav1.ObjectMeta{
			Namespace: "shop", Name: "web-6d5f-x", Labels: labels,
			OwnerReferences: []metav1.OwnerReference{{Kind: kind, Name: name, Controller: ptr.To(true)}},
		}}
	}
	for _, c := range []struct {
		name string
		pod  *corev1.Pod
		key  string
		want string
	}{
		{"a ReplicaSet's pod belongs to the Deployment", owned("ReplicaSet", "web-6d5f", map[string]string{"pod-template-hash": "6d5f"}), "shop/web-6d5f-x", "shop/web"},
		{"a ReplicaSet without Deployment is its own", owned("ReplicaSet", "web-6d5f", nil), "shop/web-6d5f-x", "shop/web-6d5f"},
		{"a StatefulSet's pod belongs to it", owned("StatefulSet", "db", nil), "shop/web-6d5f-x", "shop/db"},
		{"a bare pod stands for itself", &corev1.Pod{ObjectMeta: metav1.ObjectMeta{Namespace: "shop", Name: "debug"}}, "shop/debug", "shop/debug"},
		{"a pod that only the plan knows loses its number", nil, "shop/web-12", "shop/web"},
		{"so does a buffer's", nil, "buffer/spare#3", "buffer/spare"},
		{"a name that is a number stays", nil, "shop/12", "shop/12"},
	} {
		t.Run(c.name, func(t *testing.T) {
			ps := pods{}
			if c.pod != nil {
				ps[c.key] = c.pod
			}
			require.Equal(t, c.want, ps.workload(c.key))
		})
	}
}

func TestWrap(t *testing.T) {
	for _, c := range []struct {
		name, text string
		width      int
		want       []string
	}{
		{"what fits stays", "a bc", 4, []string{"a bc"}},
		{"what does not breaks at a space", "us-east-1a, us-east-1b", 12, []string{"us-east-1a,", "us-east-1b"}},
		{"a word too long is cut", "abcdef gh", 4, []string{"abcd", "ef", "gh"}},
		{"nothing is one empty line", "", 4, []string{""}},
		{"a count stays with its name", "web ×2, api ×3", 11, []string{"web ×2,", "api ×3"}},
		{"even if the name ends the line", "ab web ×2", 6, []string{"ab", "web ×2"}},
		{"color takes no room", "\x1b[1mab\x1b[0m cd", 5, []string{"\x1b[1mab\x1b[0m cd"}},
	} {
		t.Run(c.name, func(t *testing.T) { require.Equal(t, c.want, wrap(c.text, c.width)) })
	}
}
