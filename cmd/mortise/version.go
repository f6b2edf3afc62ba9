package main

import (
	"cmp"
	"fmt"
	"runtime/debug"

	"github.com/spf13/cobra"

	"github.com/mortise-io/mortise/cmd/mortise/text"
	"github.com/mortise-io/mortise/provider/catalog"
	"github.com/mortise-io/mortise/solver"
	"github.com/mortise-io/mortise/solver/lp"
)

// version is set by the linker; a binary built without it knows its module's version.
var version string

// versionInfo is what the version command tells.
type versionInfo struct {
	Version   string         `json:"version"`
	Go        string         `json:"go"`
	Engines   []engineInfo   `json:"engines"`
	Libraries []libraryInfo  `json:"libraries"`
	Catalogs  []catalog.Info `json:"catalogs"`
}

// engineInfo is an engine of this binary.
type engineInfo struct {
	Name    string `json:"name"`
	Version string `json:"version"`
}

// libraryInfo is a native library that engines use, or why there is none.
type libraryInfo struct {
	Name    string `json:"name"`
	Version string `json:"version,omitempty"`
	Path    string `json:"path,omitempty"`
	Missing string `json:"missing,omitempty"`
}

func newVersion(std streams) *cobra.Command {
	cmd := &cobra.Command{
		Use:     "version",
		Short:   "Print the version, the engines, their libraries and the dates of the catalogs",
		Example: "  mortise version\n  mortise version -o json",
		Args:    cobra.NoArgs,
	}
	output := newOutput(cmd, formatText, formatJSON, formatYAML)
	cmd.RunE = func(*cobra.Command, []string) error {
		info := readVersion()
		if output.value != formatText {
			return printDocument(std.out, output.value, info)
		}
		if _, err := fmt.Fprintf(std.out, "mortise %s (%s)\n", info.Version, info.Go); err != nil {
			return failed(err)
		}
		for _, e := range info.Engines {
			if _, err := fmt.Fprintf(std.out, "engine  %s %s\n", e.Name, e.Version); err != nil {
				return failed(err)
			}
		}
		for _, l := range info.Libraries {
			if _, err := fmt.Fprintf(std.out, "library %s %s\n", l.Name, cmp.Or(l.Version, "missing: "+l.Missing)); err != nil {
				return failed(err)
			}
		}
		return failed(text.CatalogDates(std.out, info.Catalogs, pageOf(std.out)))
	}
	return cmd
}

func readVersion() versionInfo {
	v := version
	info := versionInfo{Catalogs: catalog.List()}
	if build, ok := debug.ReadBuildInfo(); ok {
		info.Go = build.GoVersion
		if v == "" {
			v = build.Main.Version
		}
	}
	if v == "" {
		v = "unknown"
	}
	info.Version = v
	info.Engines = []engineInfo{{Name: solver.EngineBuiltin, Version: v}}
	for _, l := range lp.Libraries() {
		found := libraryInfo{Name: l.Name, Version: l.Version, Path: l.Path}
		if l.Err != nil {
			found.Missing = l.Err.Error()
		}
		info.Libraries = append(info.Libraries, found)
	}
	return info
}
