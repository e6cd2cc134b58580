#!/usr/bin/env bash
# Installs what is missing, builds everything and runs all tests (those that need a GPU skip without one).
#   tools/test.sh [ctest arguments]       for instance: tools/test.sh -R codecs, tools/test.sh -L gpu
# PRESET=asan tools/test.sh               another preset of CMakePresets.json (default: dev)
# TARGETS="test_index" tools/test.sh      builds these programs alone
# OPTIONS=-DGANNET_CUDA=OFF tools/test.sh  more options of CMake
#   tools/test.sh --build-only              builds and runs nothing
# ctest runs each program of tests in some parts; build/dev/tests/test_index --gtest_filter="Merge*" runs what one wants of it.
set -euo pipefail
cd "$(dirname "$0")/.."
source tools/prefix.sh

preset=${PRESET:-dev}
jobs=$(nproc)
build_only=
case ${1:-} in
  --help) sed -n '2,/^set/{/^set/d;s/^# \{0,1\}//p}' tools/test.sh; exit ;;
  --build-only) build_only=1; shift ;;
esac
tools/setup.sh

options=()
# A compiler that nobody here has seen yet may warn of more; that is no reason to fail on a user's machine.
[[ -n ${CI:-} ]] || options+=(-DGANNET_WERROR=OFF)
read -ra more <<<"${OPTIONS:-}"
options+=("${more[@]}")
if [[ $preset == dev ]] && nvidia-smi -L >/dev/null 2>&1; then
  options+=(-DCMAKE_CUDA_ARCHITECTURES=native)
fi
echo "test: configuring (preset $preset, log in build/$preset/configure.log)"
mkdir -p "build/$preset"
if ! cmake --preset "$preset" "${options[@]}" >"build/$preset/configure.log" 2>&1; then
  cat "build/$preset/configure.log"
  echo "test: configuring failed" >&2
  exit 1
fi
grep -- "-- gannet:" "build/$preset/configure.log" || true

start=$SECONDS
read -ra targets <<<"${TARGETS:-all}"
cmake --build "build/$preset" -j "$jobs" --target "${targets[@]}"
echo "test: built in $((SECONDS - start)) s"

[[ -z $build_only ]] || exit 0

# Programs that are not built are not run.
only=()
[[ ${targets[*]} == all ]] || only=(-R "^($(IFS='|'; echo "${targets[*]}"))([.]|\$)")

start=$SECONDS
result=0
ctest --test-dir "build/$preset" --output-on-failure --no-tests=error -j "$jobs" "${only[@]}" "$@" || result=$?
if ((result)); then
  echo "test: FAILED (ctest exit code $result); again: ctest --test-dir build/$preset --rerun-failed --output-on-failure" >&2
else
  echo "test: all tests passed in $((SECONDS - start)) s"
fi
exit "$result"
