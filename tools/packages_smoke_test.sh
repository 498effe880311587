#!/usr/bin/env bash
# Installs what `make packages` made into a fresh Debian 12 that has nothing else, and uses it: the Debian packages as the
# Containerfile does, then, once they are gone, the wheel, then `pip install .` of the last commit with Debian's own tools.
# Needs root, debootstrap and some 4 GB; takes ten minutes and the time of a build.
#
#   tools/packages_smoke_test.sh [FOLDER]        with the packages; default: dist
#
# MIRROR, KEEP and WORK are as tools/bare_system.sh says. What ccache knows here (CCACHE, a folder) serves the build there.
set -euo pipefail
root=$(cd "$(dirname "$0")/.." && pwd)
packages=$(realpath "${1:-$root/dist}")
if ! ls "$packages"/ictus_*.deb "$packages"/ictus-*.whl >/dev/null; then
  echo "There is nothing to install in $packages: make packages" >&2
  exit 1
fi

# shellcheck source=tools/bare_system.sh
source "$root/tools/bare_system.sh"
make_bare_system ca-certificates
cp -r "$packages" "$system/packages"
cp -r "$root/tests/install" "$system/root/consumer"
install='apt-get install -y -q --no-install-recommends'

say "The Debian packages"
inside -- "$(sed -n '/bookworm-slim/,$ s/^RUN //p' "$root/Containerfile" | sed 's/&& rm -rf .*//')"

say "The program, its manual page and the Python package"
inside --net -- 'cd /tmp && ictus --version && ictus run two-bars/steel --out program && zgrep -q "^.TH ICTUS 1" /usr/share/man/man1/ictus.1.gz'
use='import ictus
run = ictus.load("two-bars/steel").run(progress=False)
assert run.status == "completed" and run.as_expected and run.history.rows > 10 and run.report.exists()
print("ictus", ictus.__version__, "from", ictus.__file__)'
inside --net -- "cd /tmp && python3 -c '$use'"
inside --net -- 'cmp <(cut -d, -f1-4 /tmp/program/history.csv) <(cd /tmp && python3 -c "
import ictus
run = ictus.load(\"two-bars/steel\").run(\"python\", progress=False)" && cut -d, -f1-4 /tmp/python/history.csv)'

say "A project that uses the library"
inside -- "$install g++ cmake ninja-build"
inside --net -- 'cd /root/consumer && cmake -S . -B build -G Ninja -DCMAKE_BUILD_TYPE=Release && cmake --build build && build/consumer /tmp/consumer'

say "Without the packages"
inside -- 'apt-get purge -y -q --autoremove ictus libictus libictus-dev python3-ictus'
left=$(inside -- 'find / -xdev -name "*ictus*" -not -path "/proc/*" -not -path "/packages*" -not -path "/tmp/*" -not -path "/root/*" -not -path "/var/cache/*" -not -path "/var/log/*"')
if [[ -n $left ]]; then echo "Left behind: $left" >&2; exit 1; fi

say "The wheel, with the libraries in it"
inside -- "$install python3-venv python3-numpy"
inside --net -- 'python3 -m venv --system-site-packages /tmp/wheel && /tmp/wheel/bin/pip install --no-index /packages/*.whl'
inside --net -- "cd /tmp && wheel/bin/ictus run two-bars/steel --out from-wheel && wheel/bin/python -c '$use'"

say "pip install . of $(git -C "$root" log -1 --format='%h %s')"
git clone --quiet --no-hardlinks "$root" "$system/root/ictus"
inside -- 'cd /root/ictus && scripts/setup notebooks'
SHARED=${CCACHE:-} inside --net -- 'cd /root/ictus && if [[ -d /shared ]]; then export CCACHE_DIR=/shared; fi
  python3 -m venv --system-site-packages /tmp/source && /tmp/source/bin/pip install --no-index .'
inside --net -- "cd /tmp && source/bin/ictus run two-bars/steel --out from-source && source/bin/python -c '$use'"

say "The first notebook draws"
inside --net -- 'cd /tmp && source/bin/python -m ipykernel install --sys-prefix &&
  source/bin/python -m nbconvert --execute --to html --output-dir /tmp/drawn /root/ictus/docs/notebooks/1-first-impact.ipynb'
inside -- 'grep -o "src=\"data:image/png;base64" /tmp/drawn/1-first-impact.html | wc -l | grep -qx 2'
say "A bare machine can use the packages, the wheel and pip install ."
