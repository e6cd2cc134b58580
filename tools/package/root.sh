#!/usr/bin/env bash
# A Debian system in a folder, apart from this one: what packages are built in, and what they are tried in. As root; Debian's
# debootstrap makes it.
#   tools/package/root.sh make FOLDER SUITE [PACKAGE[=VERSION]...]   where FOLDER is not there yet; DEBIAN_MIRROR says from where
#   tools/package/root.sh run FOLDER COMMAND...                      runs a command in it, without this system's environment
# Name servers, certificates and the settings of pip are this system's. BIND names folders of this system that are mounted in it.
set -euo pipefail
usage() { sed -n '2,/^set/{/^set/d;s/^# \{0,1\}//p}' "$0"; }
[[ ${1:-} != --help ]] || { usage; exit; }
(($# >= 3)) || { usage >&2; exit 2; }
what=$1 folder=$2
shift 2

run() {
  local keep=() name
  for name in SOURCE_DATE_EPOCH DEBIAN_MIRROR http_proxy https_proxy PIP_INDEX_URL PIP_EXTRA_INDEX_URL; do
    if [[ -n ${!name:-} ]]; then keep+=("$name=${!name}"); fi
  done
  if [[ -f $folder/etc/ssl/certs/ca-certificates.crt ]]; then keep+=(PIP_CERT=/etc/ssl/certs/ca-certificates.crt); fi
  # What is mounted is seen by this process and its children alone, and is gone with them.
  unshare --mount --propagation private bash -c '
    folder=$1
    shift
    mount -t proc proc "$folder/proc"
    for bound in ${BIND:-}; do
      mkdir -p "$folder/$bound"
      mount --bind "$bound" "$folder/$bound"
    done
    exec chroot "$folder" "$@"' bash "$folder" env -i HOME=/root LC_ALL=C.UTF-8 DEBIAN_FRONTEND=noninteractive \
    PATH=/usr/local/sbin:/usr/local/bin:/usr/sbin:/usr/bin:/sbin:/bin PIP_DISABLE_PIP_VERSION_CHECK=1 PIP_ROOT_USER_ACTION=ignore "${keep[@]}" "$@"
}

make() {
  local suite=$1 mirror=${DEBIAN_MIRROR:-http://deb.debian.org/debian} log
  shift
  log=$(mktemp)
  if [[ ! -f $folder/made ]]; then
    rm -rf "$folder"
    debootstrap --variant=minbase "$suite" "$folder" "$mirror" >"$log" 2>&1 || { cat "$log" >&2; return 1; }
    cp -L /etc/resolv.conf "$folder/etc/"
    if (($#)) && ! run apt-get -qq -o APT::Sandbox::User=root install -y --no-install-recommends "$@" >"$log" 2>&1 </dev/null; then
      cat "$log" >&2
      return 1
    fi
    if [[ -f /etc/ssl/certs/ca-certificates.crt ]]; then
      mkdir -p "$folder/etc/ssl/certs"
      cp -L /etc/ssl/certs/ca-certificates.crt "$folder/etc/ssl/certs/"
    fi
    touch "$folder/made"
  fi
  rm -f "$log"
}

case $what in
  make | run) "$what" "$@" ;;
  *) usage >&2; exit 2 ;;
esac
