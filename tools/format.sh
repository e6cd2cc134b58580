#!/usr/bin/env bash
# Formats all sources with clang-format; with --check, only says which are not formatted.
set -euo pipefail
cd "$(dirname "$0")/.."

command -v clang-format >/dev/null || { echo "format: clang-format is missing; run tools/setup.sh --dev" >&2; exit 1; }
mode=(-i)
case "${1:-}" in
  "") ;;
  --check) mode=(--dry-run --Werror) ;;
  *) echo "usage: tools/format.sh [--check]" >&2; exit 2 ;;
esac
git ls-files '*.hpp' '*.cpp' '*.cu' '*.cuh' | xargs clang-format "${mode[@]}"
