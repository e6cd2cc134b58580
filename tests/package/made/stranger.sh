#!/usr/bin/env bash
# Installs, tries and removes packages where a stranger would: in a bare Debian without compilers and without the libraries that Gannet is
# built with. As root, with debootstrap.
#   tests/package/made/stranger.sh [--suite NAME] FOLDER [PACKAGE...]
# FOLDER has what tools/package.sh made; PACKAGE is wheel, tarball or deb, and without any all that are there. NAME is a Debian: bookworm
# (Python 3.11; the default), trixie (3.13), bullseye (glibc 2.31; its Python is too old for the wheel).
set -euo pipefail
usage() { sed -n '2,/^set/{/^set/d;s/^# \{0,1\}//p}' "$0"; }
root_of_tree=$(cd "$(dirname "$0")/../../.." && pwd)
suite=bookworm
while [[ ${1:-} == --* ]]; do
  case $1 in
    --suite) suite=$2; shift 2 ;;
    --help) usage; exit ;;
    *) usage >&2; exit 2 ;;
  esac
done
(($#)) || { usage >&2; exit 2; }
folder=$(cd "$1" && pwd)
shift
packages=("$@")
if ((${#packages[@]} == 0)); then
  if compgen -G "$folder/*.whl" >/dev/null; then packages+=(wheel); fi
  if compgen -G "$folder/*.tar.gz" >/dev/null; then packages+=(tarball); fi
  if compgen -G "$folder/*.deb" >/dev/null; then packages+=(deb); fi
fi

cd "$root_of_tree"
bare=$PWD/build/package/bare-$suite
root=$PWD/build/package/stranger-$suite
tools/package/root.sh make "$bare" "$suite" python3 python3-venv procps
in_root() { tools/package/root.sh run "$root" "$@"; }

# A machine that nobody has used.
fresh() {
  rm -rf "$root"
  cp -a --reflink=auto "$bare" "$root"
  mkdir "$root/packages"
  cp "$folder"/* "$root/packages/"
  cp tests/package/made/trial.* "$root/"
}

# Shows what a command prints only if it fails.
quietly() {
  local result=0
  "$@" >"$root.log" 2>&1 || result=$?
  ((result == 0)) || cat "$root.log" >&2
  return "$result"
}

# What is left of an installation, by the names of its files.
left() { in_root find / -xdev -not -path '/packages/*' -not -path '/tmp/*' -not -path '/var/*' -iname '*gannet*'; }
expect_gone() {
  local found
  found=$(left)
  [[ -z $found ]] || { echo "stranger: left behind: $found" >&2; exit 1; }
}

try_wheel() {
  local name start=$SECONDS
  in_root python3 -m venv /venv
  for wheel in "$folder"/*.whl; do
    name=$(basename "$wheel")
    start=$SECONDS
    in_root /venv/bin/pip install --quiet "/packages/$name"
    echo "stranger: pip install $name took $((SECONDS - start)) s"
    in_root sh -c 'PATH=/venv/bin:$PATH bash /trial.sh'
    in_root bash -ec "test -s /venv/share/man/man1/gannet.1; source /venv/share/bash-completion/completions/gannet; complete -p gannet" >/dev/null
    in_root sh -c 'cd /tmp && /venv/bin/python /trial.py'
    in_root /venv/bin/pip uninstall --quiet --yes "${name%%-*}"
    expect_gone
  done
}

try_tarball() {
  local name
  name=$(basename "$folder"/*.tar.gz .tar.gz)
  in_root tar -C /opt -xf "/packages/$name.tar.gz"
  in_root sh -c "PATH=/opt/$name/bin:\$PATH bash /trial.sh"
  in_root bash -ec "source /opt/$name/share/bash-completion/completions/gannet; complete -p gannet" >/dev/null
  in_root rm -r "/opt/$name"
  expect_gone
}

# The command, then a program that is built with the library.
try_deb() {
  local apt=(apt-get -qq -o APT::Sandbox::User=root -y --no-install-recommends)
  quietly in_root bash -c "${apt[*]} install /packages/gannet_*.deb"
  in_root sh -c 'LIBRARIES=debian bash /trial.sh'
  quietly in_root bash -c "${apt[*]} install g++ make cmake /packages/libgannet-dev_*.deb"
  cp -r tests/package/query "$root/program"
  quietly in_root bash -ec 'cmake -S /program -B /program/build && cmake --build /program/build && /program/build/query_user /tmp/index'
  rm -r "$root/program"
  quietly in_root "${apt[@]}" purge gannet libgannet-dev
  expect_gone
}

for package in "${packages[@]}"; do
  case $package in
    wheel | tarball | deb) fresh; "try_$package" ;;
    *) usage >&2; exit 2 ;;
  esac
  echo "stranger: $package on $suite: installed, tried, removed"
done
rm -rf "$root" "$root.log"
