#!/usr/bin/env bash
# What .ci/run leaves out, stopping at the first part that fails: clang-tidy, which also compiles each source by itself; all tests as users
# compile them, and every host test compiled with the sanitizers of addresses and undefined behaviour; fuzzing; the tests with several
# threads under the thread sanitizer; histories of an index; the Python package as a newcomer builds it; packages; the manual. About three
# and a half hours on two cores.
#   FUZZ=60 SOAK=600 tools/nightly.sh     seconds for each fuzz target, and of histories (these are the defaults)
set -euo pipefail
cd "$(dirname "$0")/.."
source tools/steps.sh

step "Packages" tools/setup.sh --dev
step "Format" tools/format.sh --check
step "clang-tidy" tools/tidy.sh --quick
PRESET=ci OPTIONS="-DGANNET_LIBRARY_TESTS=ON -DGANNET_QUICK=OFF -DCMAKE_CUDA_ARCHITECTURES=90" step "All tests" tools/test.sh
# clang compiles them faster than g++ does, and the fuzz targets take the same libraries.
PRESET=fuzz OPTIONS="-DGANNET_PLAIN_TESTS=OFF -DGANNET_QUICK=OFF" step "Host tests with sanitizers" tools/test.sh
step "Fuzz targets" tools/fuzz.sh "${FUZZ:-60}"
PRESET=tsan TARGETS="test_index test_query test_soak" step "Tests with several threads, thread sanitizer" tools/test.sh -L concurrent
step "Histories of an index" tools/soak.sh --seconds "${SOAK:-600}"
GANNET_RANDOM_RUNS=5000 step "Python package" tools/python_test.sh
step "Python package, as a newcomer builds it" tools/python_fresh.sh
rm -rf build/package/nightly
step "Packages, made twice" tools/package.sh --check-reproducible --output build/package/nightly
step "What packages have" python3 tests/package/made/contents_test.py build/package/nightly
step "Packages, on a bare Debian" tests/package/made/stranger.sh build/package/nightly
step "Manual" tools/docs.sh

dearest_steps
