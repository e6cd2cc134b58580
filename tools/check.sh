#!/usr/bin/env bash
# What tools/test.sh leaves out, stopping at the first part that fails: format, clang-tidy, the host tests under the
# address and undefined-behaviour sanitizers, seconds of every fuzz target, and the tests with several threads under the
# thread sanitizer. About an hour on two cores.
set -euo pipefail
cd "$(dirname "$0")/.."

heading() {
  printf '\n==== %s (%d min %02d s)\n' "$1" $((SECONDS / 60)) $((SECONDS % 60))
}

heading "Packages"
tools/setup.sh --dev

heading "Format"
tools/format.sh --check

heading "clang-tidy"
tools/tidy.sh --quick

heading "Host tests, address and undefined-behaviour sanitizers"
# clang compiles them faster than g++ does, and the fuzz targets take the same libraries.
PRESET=fuzz tools/test.sh

heading "Fuzz targets, 5 seconds each"
tools/fuzz.sh 5

heading "Tests with several threads, thread sanitizer"
PRESET=tsan TARGETS="test_index test_query test_soak" tools/test.sh -L concurrent
