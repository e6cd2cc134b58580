#!/usr/bin/env bash
# Writes the tables of bench/RESULTS.md and of the front page, and their plots, from the JSON files in bench/results.
#   bench/report.sh            writes them
#   bench/report.sh --check    says what differs from the JSON files, and writes nothing (exit code 1)
# bench/report/ does the work (Python, its standard library).
set -euo pipefail
bench=$(cd "$(dirname "$0")" && pwd)
if ! python3 -c 'import sys; sys.exit(sys.version_info < (3, 11))' 2>/dev/null; then
  echo "bench/report.sh: this needs python3, 3.11 or later; install Debian 12's or Ubuntu 24.04's python3" >&2
  exit 6
fi
# No .pyc files in the source tree.
export PYTHONPATH=$bench PYTHONDONTWRITEBYTECODE=1
exec python3 -m report "$@"
