package isolate

import (
	"bytes"
	"encoding/gob"
	"fmt"

	"github.com/mortise-io/mortise/model"
	"github.com/mortise-io/mortise/solver"
)

// job is what a child is asked to do. Functions among the options stay behind.
type job struct {
	Problem model.Problem
	Options solver.Options
}

// encode makes a frame of a message. Our own types can always be written.
func encode(k kind, message any) frame {
	var b bytes.Buffer
	if err := gob.NewEncoder(&b).Encode(message); err != nil {
		panic(fmt.Sprintf("encode %T: %v", message, err))
	}
	return frame{k, b.Bytes()}
}

// decode reads the message of a frame.
func decode(f frame, message any) error {
	if err := gob.NewDecoder(bytes.NewReader(f.payload)).Decode(message); err != nil {
		return fmt.Errorf("decode %T: %w", message, err)
	}
	return nil
}
