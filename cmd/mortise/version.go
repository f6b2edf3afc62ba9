package main

import (
	"fmt"
	"runtime/debug"

	"github.com/spf13/cobra"

	"github.com/mortise-io/mortise/cmd/mortise/text"
	"github.com/mortise-io/mortise/planner"
	"github.com/mortise-io/mortise/provider/catalog"
)

// version is set by the linker; a binary built without it knows its module's version.
var version string

// versionInfo is what the version command tells.
type versionInfo struct {
	Version  string         `json:"version"`
	Go       string         `json:"go"`
	Engines  []engineInfo   `json:"engines"`
	Catalogs []catalog.Info `json:"catalogs"`
}

// engineInfo is an engine of this binary.
type engineInfo struct {
	Name    string `json:"name"`
	Version string `json:"version"`
}

func newVersion(std streams) *cobra.Command {
	cmd := &cobra.Command{
		Use:     "version",
		Short:   "Print the version, the engines and the dates of the catalogs",
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
	info.Engines = []engineInfo{{Name: planner.EngineBuiltin, Version: v}}
	return info
}
