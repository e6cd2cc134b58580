#!/usr/bin/env bash
# Measures retrieval on this machine's GPU and CPU, and compares their results.
#   bench/retrieval.sh differential    pruned and exhaustive runs of both back ends, byte for byte
#   bench/retrieval.sh texts           the same of indexes of two and four texts, with deletions and three segments
#   bench/retrieval.sh learned-sparse  makes, indexes and searches vectors of impacts
#   bench/retrieval.sh pipeline        gannet run from topics to run file, beside the device's rate
#   bench/retrieval.sh collections     indexes and searches real collections
#   bench/retrieval.sh steps           what each step of the GPU's pruned search is worth
#   bench/retrieval.sh curves          by batch size, memory of bounds and length: tables and figures
#   bench/retrieval.sh segments        an index that was added to, or cut into shards: the same runs, what adding takes
#   bench/retrieval.sh WHAT --help     what it needs, does and prints
# Without a GPU each measures the CPU alone. bench/retrieval/ does the work (Python, its standard
# library).
set -euo pipefail
bench=$(cd "$(dirname "$0")" && pwd)
if ! python3 -c 'import sys; sys.exit(sys.version_info < (3, 11))' 2>/dev/null; then
  echo "bench/retrieval.sh: this needs python3, 3.11 or later; install Debian 12's or Ubuntu 24.04's python3" >&2
  exit 6
fi
# No .pyc files in the source tree.
export PYTHONPATH=$bench PYTHONDONTWRITEBYTECODE=1
exec python3 -m retrieval "$@"
