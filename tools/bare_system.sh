# shellcheck shell=bash
# Sourced by the tests that want a bare machine: a fresh Debian 12 in a folder, and commands run in it. Needs root and
# debootstrap.
#
#   make_bare_system PACKAGE,...   a minimal system with these packages, in $system, which goes when the script ends
#   inside [unshare option...] -- COMMAND...   the command in it, in name spaces of its own
#
# MIRROR is the Debian mirror to take packages from, KEEP=1 keeps the system afterwards, WORK is where it is put.
# Proxy settings and certificates of this machine are passed on, so that packages arrive as they do here.

say() { printf '\n== [%(%H:%M:%S)T] %s\n' -1 "$*"; }

clean_up() {
  if [[ ${KEEP:-0} == 1 ]]; then echo "Kept: $system"; else rm -rf --one-file-system "$system"; fi
}

make_bare_system() {
  local packages=$1 command name
  if [[ $(id -u) != 0 ]]; then echo "Needs root." >&2; exit 1; fi
  for command in debootstrap unshare ip git; do
    if ! command -v "$command" >/dev/null; then echo "Needs the command $command." >&2; exit 1; fi
  done
  work=${WORK:-$(mktemp -d)}
  system=$work/debian
  trap clean_up EXIT
  say "A Debian 12 with ${packages//,/, }"
  debootstrap --variant=minbase --include="$packages" bookworm "$system" ${MIRROR:+"$MIRROR"} |
    grep -vE '^I: (Retrieving|Validating|Extracting|Unpacking|Configuring) [a-z0-9]'
  apt-config dump | grep -E '^Acquire::(http|https|Check-Valid-Until|Retries)' \
    >"$system/etc/apt/apt.conf.d/99host" || true
  cp -L /etc/resolv.conf /etc/hosts "$system/etc/"
  variables=(HOME=/root PATH=/usr/sbin:/usr/bin:/sbin:/bin LANG=C.UTF-8 TERM=dumb DEBIAN_FRONTEND=noninteractive)
  for name in http_proxy https_proxy no_proxy; do
    if [[ -n ${!name:-} ]]; then variables+=("$name=${!name}"); fi
  done
  if [[ -n ${NODE_EXTRA_CA_CERTS:-} ]]; then
    cp -L "$NODE_EXTRA_CA_CERTS" "$system/root/host-certificates.pem"
    variables+=(NODE_EXTRA_CA_CERTS=/root/host-certificates.pem)
  fi
}

# The name spaces end with the command, and its mounts and processes with them. SHARED=FOLDER shows a folder of this machine at
# /shared.
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
    if [[ -n ${SHARED:-} ]]; then mkdir -p "$system/shared" && mount --bind "$SHARED" "$system/shared"; fi
    exec chroot "$system" env -i "$@"' \
    inside "$system" "${variables[@]}" bash -euo pipefail -c "$*"
}
