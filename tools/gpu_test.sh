#!/usr/bin/env bash
# Runs the tests that need a GPU, then again under compute-sanitizer, in parts side by side.
#   tools/gpu_test.sh                       tests, memcheck, racecheck of build/dev/tests/test_cuda
#   tools/gpu_test.sh --filter 'CudaScan*'  a part of them (GoogleTest's patterns)
#   tools/gpu_test.sh --tools memcheck      tests and this tool alone; --tools '' for the tests alone
#   tools/gpu_test.sh --parts 4             processes at a time (default: half of the cores)
# TEST_CUDA=path/to/test_cuda names another program. A part that takes longer than LIMIT seconds (600) fails.
set -euo pipefail

program=${TEST_CUDA:-$(dirname "$0")/../build/dev/tests/test_cuda}
limit=${LIMIT:-600}
filter='*'
tools='memcheck racecheck'
parts=$((($(nproc) + 1) / 2))
while (($#)); do
  case $1 in
    --filter) filter=$2 ;;
    --tools) tools=$2 ;;
    --parts) parts=$2 ;;
    *) sed -n '2,/^set -/{/^#/s/^# \{0,1\}//p}' "$0" >&2; exit 2 ;;
  esac
  shift 2
done
if [[ ! -x $program ]]; then
  echo "gpu_test: there is no $program; build first (cmake --preset dev && cmake --build --preset dev), on a machine with nvcc" >&2
  exit 2
fi
logs=$(mktemp -d)
trap 'rm -rf "$logs"' EXIT
failed=0

echo "gpu_test: tests"
timeout "$limit" "$program" --gtest_brief=1 --gtest_filter="$filter" || failed=1

# The tests that a CODAG warp and its prefetching warp share meet by flags in shared memory, which racecheck takes for races.
# It warns of asynchronous copies into rooms that the warp has just read (it does not see __syncwarp and the proxy fence between
# them): warnings are shown, errors fail.
race_filter="$filter:-*Prefetching*"
if [[ $filter == *-* ]]; then race_filter="$filter:*Prefetching*"; fi

for tool in $tools; do
  command -v compute-sanitizer >/dev/null || { echo "gpu_test: compute-sanitizer is not on PATH (it comes with CUDA)" >&2; exit 2; }
  patterns=$filter
  if [[ $tool == racecheck ]]; then patterns=$race_filter; fi
  echo "gpu_test: $tool, $parts parts"
  pids=()
  for ((i = 0; i < parts; ++i)); do
    GTEST_TOTAL_SHARDS=$parts GTEST_SHARD_INDEX=$i timeout "$limit" compute-sanitizer --tool "$tool" --error-exitcode 9 \
      "$program" --gtest_brief=1 --gtest_filter="$patterns" >"$logs/$tool.$i" 2>&1 &
    pids+=($!)
  done
  for ((i = 0; i < parts; ++i)); do
    result=0
    wait "${pids[i]}" || result=$?
    if ((result == 9)) && grep -q "(0 errors, " "$logs/$tool.$i" && ! grep -q FAILED "$logs/$tool.$i"; then result=0; fi
    grep -E "SUMMARY|PASSED|FAILED" "$logs/$tool.$i" || true
    if ((result)); then
      failed=1
      echo "gpu_test: $tool, part $i of $parts: exit code $result" >&2
      tail -n 40 "$logs/$tool.$i" >&2
    fi
  done
done
if ((failed)); then
  echo "gpu_test: FAILED" >&2
else
  echo "gpu_test: passed"
fi
exit "$failed"
