#!/usr/bin/env bash
# Makes packages for machines that have no compiler: of the last commit, in a Debian of their own, with pinned versions of all that
# builds them and all that is inside.
#   tools/package.sh                        the wheel gannet, the tarball and the Debian packages
#   tools/package.sh PACKAGE...             some: wheel, tarball, deb, or cuda-wheel (gannet-cu13, by the toolkit's major version)
#   --output FOLDER                         where they go, with SHA256SUMS; default: build/package/dist
#   --architectures LIST                    kernels of the cuda wheel for these alone, such as 90-real; default: all of 75 to 120
#   --check-reproducible                    makes them twice, in two folders, and compares the bytes
#   --build FOLDER                          only `wheel`, of what tools/python_test.sh compiled there (build/ci), with what this system has
# The Debian is made by debootstrap in build/package, about 1 GB, and stays for the next time; as root. Debian's mirror keeps no old
# versions: where it has newer ones than tools/package/packages.txt, DEBIAN_MIRROR=http://snapshot.debian.org/archive/debian/DATE has
# them. The cuda wheel takes the toolkit in CUDA_HOME (/usr/local/cuda), and 40 minutes of a core for all architectures.
# tests/package/made/contents_test.py and tests/package/made/stranger.sh test what was made.
set -euo pipefail
cd "$(dirname "$0")/.."
usage() { sed -n '2,/^set/{/^set/d;s/^# \{0,1\}//p}' tools/package.sh; }

output=build/package/dist build="" twice="" options=() packages=()
while (($#)); do
  case $1 in
    --help) usage; exit ;;
    --output) output=$2; shift 2 ;;
    --architectures) options+=("$1" "$2"); shift 2 ;;
    --build) build=$2; shift 2 ;;
    --check-reproducible) twice=yes; shift ;;
    wheel | tarball | deb | cuda-wheel) packages+=("$1"); shift ;;
    *) usage >&2; exit 2 ;;
  esac
done
((${#packages[@]})) || packages=(wheel tarball deb)

if [[ -n $build && ${packages[*]} != wheel ]]; then
  echo "package: --build makes a wheel alone" >&2
  exit 2
fi
mkdir -p "$output"
output=$(cd "$output" && pwd)
export SOURCE_DATE_EPOCH=$(git log -1 --format=%ct)

# Of all files that are there, but of themselves.
sums() { (cd "$output" && find . -type f ! -name 'SHA256SUMS*' -printf '%P\0' | sort -z | xargs -0 sha256sum >SHA256SUMS.new && mv SHA256SUMS.new SHA256SUMS); }

if [[ -n $build ]]; then
  tools/package/build.sh --build "$build" --output "$output" wheel
  sums
  ls -l "$output"
  exit
fi

((EUID == 0)) || { echo "package: run this as root; debootstrap and chroot need it" >&2; exit 1; }
command -v debootstrap >/dev/null || { echo "package: apt-get install debootstrap" >&2; exit 1; }
if [[ -n $(git status --porcelain) ]]; then echo "package: what is not committed is left out" >&2; fi

# The Debian, named by what is in it.
pins=$(cat tools/package/{packages,requirements}.txt | sha256sum | cut -c1-12)
root=$PWD/build/package/root-$pins
mapfile -t debian < <(grep -v '^#' tools/package/packages.txt)
tools/package/root.sh make "$root" bookworm "${debian[@]}"
in_root() { tools/package/root.sh run "$root" "$@"; }
if [[ ! -f $root/venv/made ]]; then
  in_root python3 -m venv /venv
  cp tools/package/requirements.txt "$root/venv/"
  in_root /venv/bin/pip install --quiet --requirement /venv/requirements.txt
  touch "$root/venv/made"
fi
in_root dpkg-query -W >"$(dirname "$output")/debian-versions.txt"

# make FOLDER: compiles the last commit in this folder of the Debian; packages go to FOLDER/dist.
make() {
  local cuda=${CUDA_HOME:-/usr/local/cuda}
  rm -rf "${root:?}/$1"
  mkdir -p "$root/$1"
  git archive HEAD | tar -x -C "$root/$1"
  if [[ " ${packages[*]} " == *" cuda-wheel "* ]]; then
    cuda=$(realpath "$cuda")
    ln -sfn "$cuda" "$root/usr/local/cuda"
    export BIND=$cuda
  fi
  in_root env PYTHON=/venv/bin/python "/$1/tools/package/build.sh" --output "/$1/dist" --third-party "/$1-third-party" "${options[@]}" "${packages[@]}"
}

make gannet
cp "$root"/gannet/dist/* "$output/"
if [[ -n $twice ]]; then
  make somewhere-else
  for file in "$root"/somewhere-else/dist/*; do
    cmp "$file" "$root/gannet/dist/$(basename "$file")" || { echo "package: not the same twice" >&2; exit 1; }
  done
  echo "package: the same bytes twice"
fi
sums
ls -l "$output"
