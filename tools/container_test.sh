#!/usr/bin/env bash
# Does what the Containerfile says in fresh Debian 12 systems in folders, for machines without podman and docker, and runs a
# case in the last. Needs root, debootstrap and some 6 GB; takes a few minutes and the time of a build.
#
#   tools/container_test.sh
#
# MIRROR is as tools/bare_system.sh says. What ccache knows here (CCACHE, a folder) serves the build there.
set -euo pipefail
root=$(cd "$(dirname "$0")/.." && pwd)
# shellcheck source=tools/bare_system.sh
source "$root/tools/bare_system.sh"
base=$(mktemp -d "${WORK:-/tmp}/ictus-container.XXXX")

# FROM: the images of Debian are its minimal system.
begin_stage() {
  [[ $1 == docker.io/library/debian:bookworm* ]] || { echo "Knows no image $1" >&2; exit 1; }
  stage=$base/${3:-last}
  WORK=$stage make_bare_system ca-certificates
  trap 'rm -rf --one-file-system "$base"' EXIT
}

# COPY: the tree less what .containerignore names, or files of an earlier stage.
copy() {
  if [[ $1 == --from=* ]]; then
    mkdir -p "$system/$3"
    # shellcheck disable=SC2086  # a pattern
    cp "$base/${1#--from=}/debian"$2 "$system/$3"
  else
    mkdir -p "$system/$2"
    tar -C "$root/$1" --anchored -X <(sed -n 's#^[^*]#./&#p' "$root/.containerignore") \
      --no-anchored -X <(sed -n 's#^\*\*/##p' "$root/.containerignore") -cf - . | tar -C "$system/$2" -xf -
  fi
}

mkdir -p "$base"
while read -r instruction words; do
  read -ra word <<<"$words"
  case $instruction in
    FROM) begin_stage "${word[@]}" ;;
    RUN)
      say "RUN $words"
      SHARED=${CCACHE:-} inside -- "if [[ -d /shared ]]; then export CCACHE_DIR=/shared; fi; $words" </dev/null
      ;;
    COPY) copy "${word[@]}" ;;
    WORKDIR) mkdir -p "$system/$words" && folder=$words ;;
    ENTRYPOINT) entry=$(tr -d '[]",' <<<"$words") ;;
    '' | '#'*) ;;
    *) echo "Does not know $instruction" >&2; exit 1 ;;
  esac
done <"$root/Containerfile"

say "What the image does"
inside --net -- "cd $folder && $entry run two-bars/steel --out run && $entry --version && test -s run/report.html"
inside --net -- "cd /tmp && python3 -c 'import ictus; assert ictus.load(\"two-bars/steel\").run(progress=False).as_expected'"
say "The Containerfile makes an image that runs"
