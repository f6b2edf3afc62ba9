package isolate

import (
	"bufio"
	"errors"
	"fmt"
	"io"
	"os"
	"os/exec"
	"sync"
	"time"
)

// child is a process that solves, as its parent sees it.
type child struct {
	cmd    *exec.Cmd
	input  io.WriteCloser
	frames chan frame // what the child says; closed once it is gone
	quit   chan struct{}
	once   sync.Once
	words  lastWords
	buried func()
	// lost says why the child is gone, once frames is closed.
	lost error
	// solves is how many answers it gave.
	solves int
}

// start starts a child. Whoever holds it has to kill it in the end; buried is
// called when nothing is left of it.
func start(o Options, buried func()) (*child, error) {
	cmd, err := command(o)
	if err != nil {
		return nil, err
	}
	c := &child{cmd: cmd, frames: make(chan frame), quit: make(chan struct{}), buried: buried}
	c.cmd.Stdout, c.cmd.Stderr = &c.words, &c.words
	input, err := c.cmd.StdinPipe()
	if err != nil {
		return nil, err
	}
	answers, theirs, err := os.Pipe()
	if err != nil {
		_ = input.Close()
		return nil, err
	}
	c.input, c.cmd.ExtraFiles = input, []*os.File{theirs}
	err = c.cmd.Start() // closes all of its pipes if it fails
	_ = theirs.Close()
	if err != nil {
		_ = answers.Close()
		return nil, err
	}
	go c.listen(answers)
	return c, nil
}

// command is a child's command line and environment.
func command(o Options) (*exec.Cmd, error) {
	line := o.Command
	if line == nil {
		var err error
		if line, err = itself(); err != nil {
			return nil, err
		}
	}
	cmd := exec.Command(line[0], line[1:]...)
	cmd.Env = append(os.Environ(), o.Env...)
	if o.MemoryLimit > 0 {
		cmd.Env = append(cmd.Env, fmt.Sprintf("GOMEMLIMIT=%d", o.MemoryLimit/4*3))
	}
	cmd.SysProcAttr = attributes()
	cmd.WaitDelay = time.Second // for what a killed child may have started
	return cmd, nil
}

// listen passes on what the child says until it ends or talks garbage, and buries it.
func (c *child) listen(answers *os.File) {
	err := c.pass(bufio.NewReader(answers))
	_ = answers.Close()
	_ = c.cmd.Process.Kill()
	_ = c.cmd.Wait() // says no more than ProcessState does
	switch cause := c.words.cause(); {
	case errors.Is(err, errGarbage):
		c.lost = err
	case cause != "":
		c.lost = fmt.Errorf("it ended: %s: %s", c.cmd.ProcessState, cause)
	default:
		c.lost = fmt.Errorf("it ended: %s", c.cmd.ProcessState)
	}
	close(c.frames)
	c.buried()
}

func (c *child) pass(answers io.Reader) error {
	for {
		f, err := readFrame(answers)
		if err != nil {
			return err
		}
		select {
		case c.frames <- f:
		case <-c.quit:
			return io.EOF
		}
	}
}

// kill ends the child, whatever it does. It does not wait for it.
func (c *child) kill() {
	c.once.Do(func() {
		close(c.quit)
		_ = c.cmd.Process.Kill()
	})
}

// gone says whether the child is known to have ended.
func (c *child) gone() bool {
	select {
	case _, open := <-c.frames:
		return !open
	default:
		return false
	}
}

// send gives the child a message, in the background. A child that takes no
// message is found out by its silence.
func (c *child) send(f frame) {
	go func() {
		if writeFrame(c.input, f) != nil {
			c.kill()
		}
	}()
}

func (c *child) pid() int { return c.cmd.Process.Pid }
