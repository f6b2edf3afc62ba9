#!/usr/bin/env python3
"""Runs an outside scenario suite over the binary and holds the result against the cases expected to pass.

The suite is a folder with a run.py that takes --binary, --case and --json. Only expected cases are run:
what a later version will plan is not listed yet.
"""
import argparse
import json
import pathlib
import subprocess
import sys


def main():
    a = argparse.ArgumentParser(description=__doc__)
    a.add_argument("--suite", required=True, type=pathlib.Path)
    a.add_argument("--binary", required=True, type=pathlib.Path)
    a.add_argument("--expected", required=True, type=pathlib.Path)
    o = a.parse_args()

    expected = [line.split("#")[0].strip() for line in o.expected.read_text().splitlines()]
    expected = [name for name in expected if name]
    command = [sys.executable, str(o.suite / "run.py"), "--json", "--binary", str(o.binary.resolve())]
    for name in expected:
        command += ["--case", name]
    done = subprocess.run(command, stdout=subprocess.PIPE, text=True)
    try:
        results = {r["case"]: r for r in json.loads(done.stdout)["results"]}
    except (ValueError, KeyError):
        sys.exit(f"scenarios: {command[1]} printed no results (exit status {done.returncode})")

    failed = 0
    for name in expected:
        if name not in results:
            print(f"MISSING {name}")
        elif not results[name]["pass"]:
            print(f"FAIL {name}  {results[name]['title']}: {'; '.join(results[name]['reasons'][:3])}")
        else:
            continue
        failed += 1
    print(f"scenarios: {len(expected) - failed} of {len(expected)} expected cases pass")
    return 1 if failed else 0


if __name__ == "__main__":
    sys.exit(main())
