#!/usr/bin/env bash
# Runs clang-tidy over the host code.
#   tools/tidy.sh                 everything that .clang-tidy asks for
#   tools/tidy.sh 'query/.*'      of these files
#   tools/tidy.sh --quick         without the static analyzer, which takes most of the time
set -euo pipefail
cd "$(dirname "$0")/.."

command -v clang-tidy >/dev/null || { echo "tidy: clang-tidy is missing; run tools/setup.sh --dev" >&2; exit 1; }
cmake --preset tidy -DGANNET_TIDY=OFF >/dev/null
checks=()
if [[ ${1:-} == --quick ]]; then
  checks=(--checks='-clang-analyzer-*')
  shift
fi
pattern=${1:-.*}
# Those that a build without CUDA compiles. GoogleTest's macros expand to code that no one here writes: tests are left to
# the compiler's warnings.
sed -n 's|^ *"file": "\(.*\)",\{0,1\}$|\1|p' build/tidy/compile_commands.json | sed "s|^$PWD/||" |
  grep -E '^(codecs|index|corpora|query|tools)/' | grep -E -- "$pattern" | sort -u |
  xargs -P "$(nproc)" -n 4 clang-tidy --quiet "${checks[@]}" -p build/tidy --warnings-as-errors='*' \
    --extra-arg=-Wno-unknown-warning-option
