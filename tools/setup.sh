#!/usr/bin/env bash
# Installs the Debian or Ubuntu packages that building Gannet needs; does nothing if they are there.
#   tools/setup.sh          to build, test and run the demo
#   tools/setup.sh --dev    also what continuous integration needs: clang-format, clang-tidy, clang with its sanitizers, MPI, and
#                         what makes and tests packages (tools/package.sh)
#   tools/setup.sh --mpi    also an MPI, for building over several hosts (gannet index --mpi, gannet run --mpi)
#   tools/setup.sh --peers  also the libraries that some benchmarks compare with, and what bench/peers.sh runs on
# Nothing else is downloaded. Works as root or with sudo; Debian 12, Ubuntu 24.04 and later. With GANNET_PREFIX set nothing is
# installed: tools/prefix.sh says where the packages then are.
set -euo pipefail

packages=(
  # tools
  cmake g++ ninja-build ccache pkg-config time
  # libraries
  libboost-program-options-dev libsimdjson-dev libstemmer-dev libutf8proc-dev
  libxxhash-dev libtbb-dev libfmt-dev libzstd-dev zlib1g-dev libbz2-dev libicu-dev libxml2-dev libprotobuf-dev
  nlohmann-json3-dev
  # tests and benchmarks
  libgtest-dev libgmock-dev libbenchmark-dev gnuplot-nox
  # the Python package
  python3-dev python3-venv
  # the demo's collection
  wordnet-base
)
case "${1:-}" in
  "") ;;
  --mpi) packages+=(libboost-mpi-dev libopenmpi-dev openmpi-bin) ;;
  --dev) packages+=(libboost-mpi-dev libopenmpi-dev openmpi-bin clang-format clang-tidy clang libclang-rt-dev python3 python3-jsonschema
    debootstrap dpkg-dev icu-devtools liblzma-dev) ;;
  --peers) packages+=(libroaring-dev libdeflate-dev libabsl-dev python3 python3-venv gnuplot-nox) ;;
  *) echo "usage: tools/setup.sh [--dev | --mpi | --peers]" >&2; exit 2 ;;
esac

source "$(dirname "$0")/prefix.sh"
if [[ -n ${GANNET_PREFIX:-} ]]; then
  echo "setup: nothing is installed; packages are looked for below $GANNET_PREFIX"
  exit
fi

if ! command -v dpkg-query >/dev/null || ! command -v apt-get >/dev/null; then
  echo "setup: this is not Debian or Ubuntu (no apt-get). Install the equivalents of these packages yourself:" >&2
  echo "  ${packages[*]}" >&2
  echo "and say GANNET_PREFIX=/ to skip this step." >&2
  exit 1
fi

missing=()
for package in "${packages[@]}"; do
  status=$(dpkg-query -W -f '${Status}' "$package" 2>/dev/null || true)
  [[ $status == "install ok installed" ]] || missing+=("$package")
done

if ((${#missing[@]})); then
  echo "setup: installing ${missing[*]}"
  as_root=()
  if ((EUID != 0)); then
    command -v sudo >/dev/null || { echo "setup: run this as root, or install sudo" >&2; exit 1; }
    as_root=(sudo)
  fi
  apt() {
    "${as_root[@]}" env DEBIAN_FRONTEND=noninteractive apt-get -o DPkg::Lock::Timeout=120 -qq "$@" </dev/null
  }
  apt update || echo "setup: the package lists could not be refreshed; trying with those at hand" >&2
  log=$(mktemp)
  if ! apt install --no-install-recommends -y "${missing[@]}" >"$log" 2>&1; then
    cat "$log" >&2
    echo "setup: installation failed. On Ubuntu, some of these packages live in 'universe':" >&2
    echo "  sudo add-apt-repository universe" >&2
    exit 1
  fi
  rm -f "$log"
fi

if command -v nvcc >/dev/null || [[ -x /usr/local/cuda/bin/nvcc ]]; then
  echo "setup: complete; a CUDA compiler is here, so the cuda back end can be built"
else
  echo "setup: complete; no CUDA compiler, so only the cpu back end will be built" \
    "(CUDA 12.8 or later: https://developer.nvidia.com/cuda-downloads)"
fi
