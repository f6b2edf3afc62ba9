// Command measure runs the benchmarks from the module's folder, and writes what
// they have found and taken into benchmarks/results.
//
//	measure plan     instances, with the mortise binary, as a user would
//	measure solve    instances, each in a process of its own
//	measure vbp      published packings
//	measure random   random problems, by every engine
package main

import (
	"flag"
	"fmt"
	"log"
	"os"
)

var commands = map[string]func(args []string) error{"plan": plan, "solve": solve, "vbp": vbp, "random": random}

func main() {
	log.SetFlags(0)
	if len(os.Args) < 2 || commands[os.Args[1]] == nil {
		log.Fatal("usage: measure plan|solve|vbp|random [flags]")
	}
	if err := commands[os.Args[1]](os.Args[2:]); err != nil {
		log.Fatalf("measure %s: %v", os.Args[1], err)
	}
}

// flagsOf are the flags of a command, and the folder that its results go to.
func flagsOf(command string) (*flag.FlagSet, *string) {
	flags := flag.NewFlagSet(command, flag.ExitOnError)
	return flags, flags.String("out", "benchmarks/results", "folder of the results")
}

// publish writes the page, and prints it.
func publish(path string, page []byte) error {
	fmt.Print(string(page))
	return os.WriteFile(path, page, 0o644)
}
