#!/usr/bin/env bash
# Searches an index on the GPU with less memory than it wants: budgets from 64 MB upwards in steps, 16 threads, filters, columns,
# several segments, and another user of the device that comes and goes. Every answer is compared with the CPU's; no search may
# fail. Ends with a line that sums it up, and with JSON, a line a budget.
#   tools/gpu_soak.sh                        for 120 seconds, and some more to make the index and the CPU's answers
#   tools/gpu_soak.sh --seconds 600          for so long
#   tools/gpu_soak.sh --documents 10000000   an index of so many documents (default: 3,000,000)
#   tools/gpu_soak.sh --json FILE            the JSON there (default: soak.json in the folder of the program)
# TESTS=path/to/tests names another folder of programs than build/dev/tests.
set -euo pipefail

tests=${TESTS:-$(dirname "$0")/../build/dev/tests}
seconds=120
documents=3000000
json=
usage() {
  sed -n '2,/^set -/{/^#/s/^# \{0,1\}//p}' "$0" >&2
  exit 2
}
while (($#)); do
  (($# >= 2)) || usage
  if [[ $1 != --json && ! $2 =~ ^[1-9][0-9]*$ ]]; then usage; fi
  case $1 in
    --seconds) seconds=$2 ;;
    --documents) documents=$2 ;;
    --json) json=$2 ;;
    *) usage ;;
  esac
  shift 2
done
if [[ ! -x $tests/test_cuda ]]; then
  echo "gpu_soak: there is no $tests/test_cuda; build first (cmake --preset dev && cmake --build --preset dev), on a machine with nvcc" >&2
  exit 2
fi
json=${json:-$tests/soak.json}
export GANNET_GPU_SOAK_SECONDS=$seconds GANNET_GPU_SOAK_DOCUMENTS=$documents GANNET_GPU_SOAK_JSON=$json
if ! "$tests/test_cuda" --gtest_filter='CudaMemorySoak.*' --gtest_brief=1; then
  echo "gpu_soak: FAILED; what has failed is above, the JSON in $json" >&2
  exit 1
fi
echo "gpu_soak: passed; the JSON is in $json"
