#!/usr/bin/env bash
# Makes a fresh Debian 12 that has only git and make, clones the last commit into it, and runs make targets there, each
# a second time without a network. Needs root, debootstrap and some 5 GB; takes tens of minutes.
#
#   tools/bare_machine_test.sh [target...]       default: demo test
#
# MIRROR, KEEP and WORK are as tools/bare_system.sh says.
set -euo pipefail
root=$(cd "$(dirname "$0")/.." && pwd)
targets=("$@")
if [[ $# == 0 ]]; then targets=(demo test); fi

# shellcheck source=tools/bare_system.sh
source "$root/tools/bare_system.sh"
make_bare_system git,make

say "A clone of $(git -C "$root" log -1 --format='%h %s')"
git clone --quiet --no-hardlinks "$root" "$system/root/ictus"

for target in "${targets[@]}"; do
  start=$SECONDS
  say "make $target"
  inside -- cd /root/ictus "&&" make "$target"
  say "make $target took $((SECONDS - start)) s; again, without a network"
  start=$SECONDS
  inside --net -- cd /root/ictus "&&" make "$target"
  say "make $target took $((SECONDS - start)) s the second time"
done
say "A bare machine can do: ${targets[*]}"
