#!/usr/bin/env bash
# Makes a fresh Debian 12 that has only git and make, clones the last commit into it, and runs make targets there, each
# a second time without a network. Needs root, debootstrap and some 5 GB; takes tens of minutes.
#
#   tools/bare_machine_test.sh [target...]       default: demo test
#
# MIRROR is the Debian mirror to take packages from, KEEP=1 keeps the system afterwards, WORK is where it is put.
# Proxy settings and certificates of this machine are passed on, so that packages arrive as they do here.
set -euo pipefail
root=$(cd "$(dirname "$0")/.." && pwd)
targets=("$@")
if [[ $# == 0 ]]; then targets=(demo test); fi

if [[ $(id -u) != 0 ]]; then echo "Needs root." >&2; exit 1; fi
for command in debootstrap unshare ip git; do
  if ! command -v "$command" >/dev/null; then echo "Needs the command $command." >&2; exit 1; fi
done

work=${WORK:-$(mktemp -d)}
system=$work/debian
clean_up() {
  if [[ ${KEEP:-0} == 1 ]]; then echo "Kept: $system"; else rm -rf --one-file-system "$system"; fi
}
trap clean_up EXIT

say() { printf '\n== [%(%H:%M:%S)T] %s\n' -1 "$*"; }

say "A Debian 12 with git and make"
debootstrap --variant=minbase --include=git,make bookworm "$system" ${MIRROR:+"$MIRROR"} |
  grep -vE '^I: (Retrieving|Validating|Extracting|Unpacking|Configuring) [a-z0-9]'
apt-config dump | grep -E '^Acquire::(http|https|Check-Valid-Until|Retries)' \
  >"$system/etc/apt/apt.conf.d/99host" || true
cp -L /etc/resolv.conf /etc/hosts "$system/etc/"
variables=(HOME=/root PATH=/usr/sbin:/usr/bin:/sbin:/bin LANG=C.UTF-8 TERM=dumb)
for name in http_proxy https_proxy no_proxy; do
  if [[ -n ${!name:-} ]]; then variables+=("$name=${!name}"); fi
done
if [[ -n ${NODE_EXTRA_CA_CERTS:-} ]]; then
  cp -L "$NODE_EXTRA_CA_CERTS" "$system/root/host-certificates.pem"
  variables+=(NODE_EXTRA_CA_CERTS=/root/host-certificates.pem)
fi

say "A clone of $(git -C "$root" log -1 --format='%h %s')"
git clone --quiet --no-hardlinks "$root" "$system/root/ictus"

# inside [unshare option...] -- command: in the system, in name spaces of its own, so that its mounts and processes end with it.
inside() {
  local options=()
  while [[ $1 != -- ]]; do options+=("$1"); shift; done
  shift
  # shellcheck disable=SC2016
  unshare --mount --pid --fork --kill-child "${options[@]}" bash -c '
    system=$1; shift
    ip link set lo up || true
    mount -t proc proc "$system/proc"
    mount -t tmpfs dev "$system/dev"
    mkdir "$system/dev/shm"
    mount -t tmpfs shm "$system/dev/shm"
    mkdir "$system/dev/pts"
    mount -t devpts -o newinstance,ptmxmode=0666,mode=0620 devpts "$system/dev/pts"
    ln -s pts/ptmx "$system/dev/ptmx"
    for name in null zero full random urandom tty; do
      touch "$system/dev/$name" && mount --bind "/dev/$name" "$system/dev/$name"
    done
    ln -s /proc/self/fd "$system/dev/fd"
    ln -s /proc/self/fd/0 "$system/dev/stdin"
    ln -s /proc/self/fd/1 "$system/dev/stdout"
    ln -s /proc/self/fd/2 "$system/dev/stderr"
    mount -t sysfs -o ro sysfs "$system/sys" || true
    exec chroot "$system" env -i "$@"' \
    inside "$system" "${variables[@]}" bash -euo pipefail -c "cd /root/ictus && $*"
}

for target in "${targets[@]}"; do
  start=$SECONDS
  say "make $target"
  inside -- make "$target"
  say "make $target took $((SECONDS - start)) s; again, without a network"
  start=$SECONDS
  inside --net -- make "$target"
  say "make $target took $((SECONDS - start)) s the second time"
done
say "A bare machine can do: ${targets[*]}"
