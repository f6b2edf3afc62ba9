package isolate

import (
	"bytes"
	"encoding/binary"
	"errors"
	"fmt"
	"hash/crc32"
	"io"
)

// kind says what the payload of a frame is.
type kind byte

const (
	request   kind = iota + 1 // a job
	heartbeat                 // nothing: the child is alive
	progress                  // a solver.Progress
	result                    // a solver.Result
	failure                   // the text of an error
)

// frame is one message between parent and child.
type frame struct {
	kind    kind
	payload []byte
}

// A header is magic, kind, length of the payload, and checksum of kind and payload.
const (
	magic      = 0x4d545353 // "MTSS"
	headerSize = 4 + 1 + 4 + 4
	maxPayload = 1 << 30
)

var errGarbage = errors.New("garbage instead of a message")

var castagnoli = crc32.MakeTable(crc32.Castagnoli)

func (f frame) checksum() uint32 {
	return crc32.Update(crc32.Checksum([]byte{byte(f.kind)}, castagnoli), castagnoli, f.payload)
}

// writeFrame writes f with one call of Write.
func writeFrame(w io.Writer, f frame) error {
	if len(f.payload) > maxPayload {
		return fmt.Errorf("write message: %d bytes, at most %d can be sent", len(f.payload), maxPayload)
	}
	out := make([]byte, 0, headerSize+len(f.payload))
	out = binary.BigEndian.AppendUint32(out, magic)
	out = append(out, byte(f.kind))
	out = binary.BigEndian.AppendUint32(out, uint32(len(f.payload)))
	out = binary.BigEndian.AppendUint32(out, f.checksum())
	if _, err := w.Write(append(out, f.payload...)); err != nil {
		return fmt.Errorf("write message: %w", err)
	}
	return nil
}

// readFrame returns io.EOF where the stream ends between two frames, and
// errGarbage where it holds something else.
func readFrame(r io.Reader) (frame, error) {
	var header [headerSize]byte
	if _, err := io.ReadFull(r, header[:]); err != nil {
		if errors.Is(err, io.EOF) {
			return frame{}, io.EOF
		}
		return frame{}, fmt.Errorf("read message: %w", err)
	}
	length := binary.BigEndian.Uint32(header[5:])
	if binary.BigEndian.Uint32(header[:]) != magic || length > maxPayload {
		return frame{}, errGarbage
	}
	// The buffer grows with what arrives: a header that lies takes no memory.
	var payload bytes.Buffer
	if _, err := io.CopyN(&payload, r, int64(length)); errors.Is(err, io.EOF) {
		return frame{}, fmt.Errorf("read message: %w", io.ErrUnexpectedEOF)
	} else if err != nil {
		return frame{}, fmt.Errorf("read message: %w", err)
	}
	f := frame{kind(header[4]), payload.Bytes()}
	if f.checksum() != binary.BigEndian.Uint32(header[9:]) {
		return frame{}, errGarbage
	}
	return f, nil
}
