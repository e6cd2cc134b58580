#!/usr/bin/env bash
# Runs clang-tidy over the host code; arguments narrow it down: tools/tidy.sh 'query/.*'
set -euo pipefail
cd "$(dirname "$0")/.."

command -v clang-tidy >/dev/null || { echo "tidy: clang-tidy is missing; run tools/setup.sh --dev" >&2; exit 1; }
cmake --preset cpu >/dev/null
pattern=${1:-.*}
# GoogleTest's macros expand to code that no one here writes: tests are left to the compiler's warnings.
git ls-files 'codecs/*.cpp' 'index/*.cpp' 'corpora/*.cpp' 'query/*.cpp' 'tools/*.cpp' |
  grep -E -- "$pattern" |
  xargs -P "$(nproc)" -n 4 clang-tidy --quiet -p build/cpu --warnings-as-errors='*' \
    --extra-arg=-Wno-unknown-warning-option
