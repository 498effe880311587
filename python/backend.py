"""What pip asks to build the package: a wheel with the package, the library and the program, made by CMake.

Needs no package of Python. The environment chooses: ICTUS_ARCH the processor (-march), `native`, the fastest on this
machine, unless it is given, empty for one that runs on any; ICTUS_BUNDLE=1 a wheel with the libraries of the system that it
needs, for other machines; ICTUS_BUILD_FOLDER and ICTUS_JOBS where and with how many jobs it is compiled.
"""

import base64
import hashlib
import os
import pathlib
import re
import shutil
import subprocess
import sys
import sysconfig
import tarfile
import tempfile
import zipfile

import bundle

ROOT = pathlib.Path(__file__).resolve().parent.parent
VERSION = re.search(r"project\(ictus VERSION ([0-9.]+)", (ROOT / "CMakeLists.txt").read_text()).group(1)
NAME = f"ictus-{VERSION}"
METADATA = f"""Metadata-Version: 2.1
Name: ictus
Version: {VERSION}
Summary: Structure-preserving simulation of impacts of elastic and rigid bodies
Requires-Python: >=3.9
Requires-Dist: numpy>=1.22
Provides-Extra: plots
Requires-Dist: matplotlib; extra == "plots"
Provides-Extra: tables
Requires-Dist: pandas; extra == "tables"
"""
#: The command `ictus`: the program beside the package, with the libraries that it finds there.
LAUNCHER = """#!python
import importlib.util
import os
import sys

package = os.path.dirname(importlib.util.find_spec("ictus").origin)
os.execv(os.path.join(package, "_program", "ictus"), sys.argv)
"""


def get_requires_for_build_wheel(config_settings=None):
    return []


def get_requires_for_build_sdist(config_settings=None):
    return []


BUNDLED = os.environ.get("ICTUS_BUNDLE") == "1"


def tag():
    version = f"cp{sys.version_info.major}{sys.version_info.minor}"
    platform = bundle.platform() if BUNDLED else sysconfig.get_platform()
    return f"{version}-{version}-{platform.replace('-', '_').replace('.', '_')}"


def write_metadata(folder):
    folder.mkdir(parents=True)
    (folder / "METADATA").write_text(METADATA)
    (folder / "WHEEL").write_text(f"Wheel-Version: 1.0\nGenerator: ictus\nRoot-Is-Purelib: false\nTag: {tag()}\n")


def prepare_metadata_for_build_wheel(metadata_directory, config_settings=None):
    name = f"{NAME}.dist-info"
    write_metadata(pathlib.Path(metadata_directory) / name)
    return name


def run(*command):
    try:
        subprocess.run([str(part) for part in command], check=True, cwd=ROOT)
    except FileNotFoundError:
        raise SystemExit(f"Building ictus needs {command[0]}; scripts/setup build python installs all that it needs.")


def build(stage):
    """Builds the package into `stage`, ready to be zipped."""
    arch = os.environ.get("ICTUS_ARCH", "native")
    folder = pathlib.Path(os.environ.get("ICTUS_BUILD_FOLDER", ROOT / "build" / "wheel"))
    generator = ["-G", "Ninja"] if shutil.which("ninja") else []
    run("cmake", "-S", ROOT, "-B", folder, *generator, "-DCMAKE_BUILD_TYPE=Release", f"-DICTUS_ARCH={arch}",
        "-DICTUS_BUILD_TESTS=OFF", "-DICTUS_BUILD_PYTHON=ON",
        "-DICTUS_SHARED=OFF", "-DICTUS_PYTHON_FOLDER=.", f"-DPython_EXECUTABLE={sys.executable}")
    run("cmake", "--build", folder, "--parallel", os.environ.get("ICTUS_JOBS", os.cpu_count() or 1))
    run("cmake", "--install", folder, "--component", "python", "--prefix", stage, "--strip")
    run("cmake", "--install", folder, "--component", "program", "--prefix", folder / "program", "--strip")
    program = stage / "ictus" / "_program" / "ictus"
    program.parent.mkdir()
    shutil.copy2(folder / "program" / "bin" / "ictus", program)
    scripts = stage / f"{NAME}.data" / "scripts"
    scripts.mkdir(parents=True)
    (scripts / "ictus").write_text(LAUNCHER)
    (scripts / "ictus").chmod(0o755)
    man = stage / f"{NAME}.data" / "data" / "share" / "man" / "man1"
    man.mkdir(parents=True)
    shutil.copy2(folder / "program" / "share" / "man" / "man1" / "ictus.1.gz", man)
    if BUNDLED:
        bundle.take_along(stage / "ictus", "_libraries")


def build_wheel(wheel_directory, config_settings=None, metadata_directory=None):
    wheel = pathlib.Path(wheel_directory) / f"{NAME}-{tag()}.whl"
    with tempfile.TemporaryDirectory() as temporary:
        stage = pathlib.Path(temporary)
        build(stage)
        write_metadata(stage / f"{NAME}.dist-info")
        record = []
        with zipfile.ZipFile(wheel, "w", zipfile.ZIP_DEFLATED) as archive:
            for path in sorted(path for path in stage.rglob("*") if path.is_file()):
                name, data = path.relative_to(stage).as_posix(), path.read_bytes()
                entry = zipfile.ZipInfo(name, (1980, 1, 1, 0, 0, 0))
                entry.external_attr = (0o100000 | path.stat().st_mode & 0o777) << 16
                entry.compress_type = zipfile.ZIP_DEFLATED
                archive.writestr(entry, data)
                digest = base64.urlsafe_b64encode(hashlib.sha256(data).digest()).rstrip(b"=").decode()
                record.append(f"{name},sha256={digest},{len(data)}\n")
            listed = f"{NAME}.dist-info/RECORD"
            archive.writestr(zipfile.ZipInfo(listed, (1980, 1, 1, 0, 0, 0)), "".join(record) + f"{listed},,\n")
    return wheel.name


def build_sdist(sdist_directory, config_settings=None):
    """The files that git knows."""
    files = subprocess.run(["git", "ls-files", "-z"], cwd=ROOT, check=True, capture_output=True).stdout.decode()
    path = pathlib.Path(sdist_directory) / f"{NAME}.tar.gz"
    with tarfile.open(path, "w:gz", format=tarfile.PAX_FORMAT) as archive:
        for name in files.split("\0")[:-1]:
            archive.add(ROOT / name, f"{NAME}/{name}")
        with tempfile.TemporaryDirectory() as temporary:
            info = pathlib.Path(temporary) / "PKG-INFO"
            info.write_text(METADATA)
            archive.add(info, f"{NAME}/PKG-INFO")
    return path.name
