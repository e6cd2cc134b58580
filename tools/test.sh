#!/usr/bin/env bash
# Installs what is missing, builds everything and runs all tests (those that need a GPU skip without one).
#   tools/test.sh [ctest arguments]       for instance: tools/test.sh -R codecs, tools/test.sh -L gpu
# PRESET=asan tools/test.sh               another preset of CMakePresets.json (default: dev)
# TARGETS="test_index" tools/test.sh      builds these programs alone
# OPTIONS=-DGANNET_CUDA=OFF tools/test.sh  more options of CMake
# WHOLE=1 TARGETS=... tools/test.sh [GoogleTest's arguments]
#                                         runs these programs in parts, not each test by itself: starting an
#                                         instrumented program takes longer than most tests
set -euo pipefail
cd "$(dirname "$0")/.."
source tools/prefix.sh

preset=${PRESET:-dev}
jobs=$(nproc)
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

# One part of a target: NAME/PART, then GoogleTest's arguments.
run_part() {
  GTEST_TOTAL_SHARDS=$parts GTEST_SHARD_INDEX=${1##*/} "$bin/${1%/*}" --gtest_brief=1 "${@:2}"
}
export -f run_part

# Runs each of the targets in parts, as many side by side as there are cores; fails if any part does. More parts than
# cores, since some have the longest tests.
run_whole() {
  local parts=$((4 * jobs)) bin=build/$preset/tests
  export parts bin
  local program part
  for program in "${targets[@]}"; do
    for ((part = 0; part < parts; ++part)); do echo "$program/$part"; done
  done | xargs -P "$jobs" -I{} bash -c 'run_part "$@"' run_part {} "$@"
}

result=0
if [[ -n ${WHOLE:-} ]]; then
  run_whole "$@" || result=$?
  if ((result)); then
    echo "test: FAILED" >&2
  else
    echo "test: all tests passed, $((SECONDS - start)) s with the build"
  fi
  exit "$result"
fi
ctest --test-dir "build/$preset" --output-on-failure --no-tests=error -j "$jobs" "$@" || result=$?
if ((result)); then
  echo "test: FAILED (ctest exit code $result); again: ctest --test-dir build/$preset --rerun-failed --output-on-failure" >&2
else
  echo "test: all tests passed, $((SECONDS - start)) s with the build"
fi
exit "$result"
