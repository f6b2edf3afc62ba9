"""Fetches the native solver libraries: fetch.py FOLDER GOOS/GOARCH.

The wheels are OR-Tools' own, pinned by hash. What the solver needs of them is
kept in FOLDER; a folder that is there is left alone. Whatever goes wrong is one
line, and no failure: the built-in engine needs no library.
"""

import pathlib
import subprocess
import sys
import tempfile
import zipfile

PLATFORMS = {"linux/amd64": "manylinux_2_28_x86_64", "linux/arm64": "manylinux_2_28_aarch64"}

# One wheel for every machine: the libraries are the same for all versions of Python.
TAGS = ["--python-version=3.12", "--implementation=cp", "--abi=cp312"]

REQUIREMENTS = pathlib.Path(__file__).with_name("requirements.txt")


def download(platform, into):
    pip = [sys.executable, "-m", "pip", "--disable-pip-version-check", "--retries=2", "--timeout=20", "download"]
    wanted = ["--no-deps", "--only-binary=:all:", "--require-hashes", f"--requirement={REQUIREMENTS}"]
    command = [*pip, *wanted, *TAGS, f"--platform={platform}", f"--dest={into}"]
    done = subprocess.run(command, stdout=subprocess.PIPE, stderr=subprocess.STDOUT, text=True)
    if done.returncode != 0:
        lines = [line for line in done.stdout.splitlines() if line.strip()]
        raise RuntimeError(lines[-1].replace("ERROR: ", "") if lines else "pip says nothing")


def needed(name):
    """Says whether a file of a wheel is a library, a message definition, or what they stand on."""
    return name.startswith(("ortools/.libs/", "ortools.libs/", "google/")) or (
        name.startswith("ortools/") and name.endswith(("_pb2.py", "/__init__.py")) or "LICENSE" in name
    )


def extract(wheels, into):
    for wheel in wheels:
        with zipfile.ZipFile(wheel) as archive:
            archive.extractall(into, members=[name for name in archive.namelist() if needed(name)])


def fetch(folder, platform):
    folder.parent.mkdir(parents=True, exist_ok=True)
    with tempfile.TemporaryDirectory(dir=folder.parent, prefix="fetch-") as temporary:
        wheels, content = pathlib.Path(temporary, "wheels"), pathlib.Path(temporary, "content")
        download(platform, wheels)
        extract(sorted(wheels.glob("*.whl")), content)
        try:
            content.rename(folder)  # whole or not at all
        except OSError:
            if not folder.is_dir():  # else somebody was faster
                raise


def main():
    folder, platform = pathlib.Path(sys.argv[1]), sys.argv[2]
    if folder.is_dir():
        return
    try:
        if platform not in PLATFORMS:
            raise RuntimeError(f"there are none for {platform}")
        fetch(folder, PLATFORMS[platform])
    except Exception as fault:
        print(f"native solver libraries: not fetched ({fault}); the built-in engine will be used")


main()
