#!/usr/bin/env bash
# Compares Gannet's CPU back end with PISA, tantivy, bm25s and Lucene: the same postings, the same queries, one command.
#   bench/peers.sh --quick      a few minutes, a small collection
#   bench/peers.sh              the full comparison
#   bench/peers.sh --game F     the query classes of the Search Benchmark Game, whose queries.txt is F
#   bench/peers.sh --help       what it needs, does and prints
# The work is done by bench/peers/ (Python, its standard library; the peers have a virtual environment of their own).
set -euo pipefail
bench=$(cd "$(dirname "$0")" && pwd)
if ! python3 -c 'import sys; sys.exit(sys.version_info < (3, 11))' 2>/dev/null; then
  echo "bench/peers.sh: this needs python3, 3.11 or later; tools/setup.sh --peers installs it on Debian 12 and Ubuntu 24.04" >&2
  exit 6
fi
# No .pyc files in the source tree.
export PYTHONPATH=$bench PYTHONDONTWRITEBYTECODE=1
exec python3 -m peers "$@"
