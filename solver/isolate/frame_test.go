package isolate

import (
	"bytes"
	"encoding/binary"
	"io"
	"runtime"
	"slices"
	"testing"

	"github.com/stretchr/testify/require"
	"pgregory.net/rapid"
)

func TestFramesSurviveTheWay(t *testing.T) {
	rapid.Check(t, func(t *rapid.T) {
		var wire bytes.Buffer
		want := rapid.SliceOf(rapid.Custom(func(t *rapid.T) frame {
			return frame{kind(rapid.Byte().Draw(t, "kind")), rapid.SliceOf(rapid.Byte()).Draw(t, "payload")}
		})).Draw(t, "frames")
		for _, f := range want {
			require.NoError(t, writeFrame(&wire, f))
		}
		for _, f := range want {
			got, err := readFrame(&wire)
			require.NoError(t, err)
			require.Equal(t, f.kind, got.kind)
			require.True(t, bytes.Equal(f.payload, got.payload))
		}
		_, err := readFrame(&wire)
		require.Equal(t, io.EOF, err)
	})
}

// TestNoDamageGoesUnseen flips every bit of a frame, and cuts it everywhere.
func TestNoDamageGoesUnseen(t *testing.T) {
	var wire bytes.Buffer
	require.NoError(t, writeFrame(&wire, frame{progress, []byte("so far")}))
	for bit := range 8 * wire.Len() {
		damaged := slices.Clone(wire.Bytes())
		damaged[bit/8] ^= 1 << (bit % 8)
		_, err := readFrame(bytes.NewReader(damaged))
		require.Error(t, err, "bit %d", bit)
	}
	for cut := 1; cut < wire.Len(); cut++ {
		_, err := readFrame(bytes.NewReader(wire.Bytes()[:cut]))
		require.ErrorIs(t, err, io.ErrUnexpectedEOF, "%d bytes", cut)
	}
}

func TestALengthThatLiesTakesNoMemory(t *testing.T) {
	header := make([]byte, headerSize)
	binary.BigEndian.PutUint32(header, magic)
	binary.BigEndian.PutUint32(header[5:], maxPayload)
	var before, after runtime.MemStats
	runtime.ReadMemStats(&before)
	_, err := readFrame(bytes.NewReader(header))
	runtime.ReadMemStats(&after)
	require.ErrorIs(t, err, io.ErrUnexpectedEOF)
	require.Less(t, after.TotalAlloc-before.TotalAlloc, uint64(1<<20))

	binary.BigEndian.PutUint32(header[5:], maxPayload+1)
	_, err = readFrame(bytes.NewReader(header))
	require.ErrorIs(t, err, errGarbage)
}

func FuzzReadFrame(f *testing.F) {
	var wire bytes.Buffer
	require.NoError(f, writeFrame(&wire, frame{result, []byte("done")}))
	f.Add(wire.Bytes())
	f.Add([]byte("MTSS"))
	f.Fuzz(func(t *testing.T, data []byte) {
		in := bytes.NewReader(data)
		got, err := readFrame(in)
		if err != nil {
			return
		}
		var again bytes.Buffer
		require.NoError(t, writeFrame(&again, got))
		require.Equal(t, data[:len(data)-in.Len()], again.Bytes())
	})
}
