#!/usr/bin/env bash
# Installs what is missing, builds everything and runs all tests (those that need a GPU skip without one).
#   tools/test.sh [ctest arguments]       for instance: tools/test.sh -R codecs, tools/test.sh -L gpu
# PRESET=asan tools/test.sh               another preset of CMakePresets.json (default: dev)
# TARGETS="test_index" tools/test.sh      builds these programs alone
# OPTIONS=-DGANNET_CUDA=OFF tools/test.sh  more options of CMake
# WHOLE=1 TARGETS=... tools/test.sh [GoogleTest's arguments]
#                                         runs these programs in as many parts as there are cores, not each test by
#                                         itself: starting an instrumented program takes longer than most tests
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

# Runs each of the targets in parts, side by side; fails if any part does.
run_whole() {
  local program part pid failed=0
  for program in "${targets[@]}"; do
    echo "test: $program"
    local parts=()
    for ((part = 0; part < jobs; ++part)); do
      GTEST_TOTAL_SHARDS=$jobs GTEST_SHARD_INDEX=$part "build/$preset/tests/$program" --gtest_brief=1 "$@" &
      parts+=($!)
    done
    for pid in "${parts[@]}"; do wait "$pid" || failed=1; done
  done
  return "$failed"
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
