"""Takes the libraries of the system that a package needs along in its folder, so that a wheel runs where they are not installed.

Each gets a name of its own, with a digest of what is in it, and everything finds the others from where it lies: the libraries
that another package loads, of another version perhaps, stay apart. Needs patchelf and ldd.
"""

import hashlib
import os
import pathlib
import re
import shutil
import subprocess

# What every system with this C library has: glibc itself and the run time of the compiler.
OF_EVERY_SYSTEM = re.compile(r"^(ld-linux.*|lib(c|m|mvec|dl|rt|pthread|resolv|util|gcc_s|stdc\+\+)\.so\..*)$")


def output(*command):
    return subprocess.run([str(part) for part in command], check=True, capture_output=True, text=True).stdout


def platform():
    """The tag of wheels that ask for this version of the C library."""
    major, minor = os.confstr("CS_GNU_LIBC_VERSION").split()[1].split(".")[:2]
    return f"manylinux_{major}_{minor}_{os.uname().machine}"


def needed(file):
    return output("patchelf", "--print-needed", file).split()


def found(file):
    """Where the loader finds each library that a file needs, directly or not."""
    lines = (line.split() for line in output("ldd", file).splitlines() if "=>" in line)
    return {words[0]: pathlib.Path(words[2]) for words in lines if words[2].startswith("/")}


def take_along(package, name):
    """Puts what the ELF files of `package` need into its folder `name`."""
    if shutil.which("patchelf") is None:
        raise SystemExit("Taking libraries along needs patchelf; scripts/setup packages installs it.")
    files = [path for path in package.rglob("*") if path.is_file() and path.read_bytes()[:4] == b"\x7fELF"]
    where = {}
    for file in files:
        where.update(found(file))
    where = {library: path for library, path in where.items() if not OF_EVERY_SYSTEM.match(library)}
    folder = package / name
    folder.mkdir()
    renamed = {}
    for library, path in where.items():
        digest = hashlib.sha256(path.read_bytes()).hexdigest()[:8]
        stem, _, version = library.partition(".so")
        renamed[library] = f"{stem}-{digest}.so{version}"
        shutil.copyfile(path, folder / renamed[library])
        (folder / renamed[library]).chmod(0o755)
    for file in [*files, *sorted(folder.iterdir())]:
        # One change at a time: patchelf 0.14 confuses several.
        changes = [["--replace-needed", library, renamed[library]] for library in needed(file) if library in renamed]
        if file.parent == folder:
            changes.append(["--set-soname", file.name])
        changes.append(["--force-rpath", "--set-rpath", "$ORIGIN/" + os.path.relpath(folder, file.parent)])
        for change in changes:
            subprocess.run(["patchelf", *change, str(file)], check=True)
