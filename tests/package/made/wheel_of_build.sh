#!/usr/bin/env bash
# Makes a wheel of what tools/python_test.sh has compiled, and tests it: what lies in it, and on a machine without compilers.
#   tests/package/made/wheel_of_build.sh BUILD      for instance build/ci; what is missing there is compiled
# What continuous integration can afford of tools/package.sh: libraries that were compiled are used as they are. As root, with the packages of
# `tools/setup.sh --dev`; the packages of tools/package/requirements.txt go to build/package/venv.
set -euo pipefail
if [[ ${1:-} == --help || $# != 1 ]]; then
  sed -n '2,/^set/{/^set/d;s/^# \{0,1\}//p}' "$0"
  [[ ${1:-} == --help ]] && exit || exit 2
fi
build=$1
cd "$(dirname "$0")/../../.."
venv=$PWD/build/package/venv dist=build/package/of-build
if [[ ! -f $venv/made || $(<"$venv/made") != "$(<tools/package/requirements.txt)" ]]; then
  rm -rf "$venv"
  python3 -m venv "$venv"
  "$venv/bin/pip" install --quiet --disable-pip-version-check --requirement tools/package/requirements.txt
  cp tools/package/requirements.txt "$venv/made"
fi
PRESET=$(basename "$build") tools/python_test.sh --build-only
rm -rf "$dist"
PYTHON=$venv/bin/python tools/package.sh --build "$build" --output "$dist" wheel
python3 tests/package/made/contents_test.py --compiled-here "$dist"
tests/package/made/stranger.sh "$dist"
