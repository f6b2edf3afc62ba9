//go:build !linux || !(amd64 || arm64)

package native

// supported says that there are libraries for this platform.
const supported = false

func load(string) (uintptr, error) { return 0, ErrMissing }

func bind(uintptr, string, any) error { return ErrMissing }
