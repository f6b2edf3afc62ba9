//go:build linux && (amd64 || arm64)

package native

import "github.com/ebitengine/purego"

// supported says that there are libraries for this platform.
const supported = true

func load(path string) (uintptr, error) {
	return purego.Dlopen(path, purego.RTLD_NOW|purego.RTLD_LOCAL)
}

func bind(handle uintptr, symbol string, f any) error {
	address, err := purego.Dlsym(handle, symbol)
	if err != nil {
		return err
	}
	purego.RegisterFunc(f, address)
	return nil
}
