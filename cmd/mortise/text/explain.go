package text

import (
	"fmt"
	"io"

	corev1 "k8s.io/api/core/v1"
)

// Printer is where an explanation is printed.
type Printer struct {
	To      io.Writer
	Options Options
}

// amounts is cpu and memory, then what else there is.
func amounts(r corev1.ResourceList) string {
	text := fmt.Sprintf("%s cpu, %s memory", r.Cpu(), gibibytes(r.Memory()))
	return text + prefixed(", ", extended(r))
}
