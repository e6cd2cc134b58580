#!/usr/bin/env bash
# Runs the tests that need a GPU, then again under compute-sanitizer, in parts side by side: all of test_cuda, and those of
# test_query that have Cuda in their names (what both back ends must do, by the cuda one).
#   tools/gpu_test.sh                       tests, memcheck, racecheck of both programs in build/dev/tests
#   tools/gpu_test.sh --filter 'CudaScan*'  a part of them (GoogleTest's patterns), of both programs
#   tools/gpu_test.sh --tools memcheck      tests and this tool alone; --tools '' for the tests alone
#   tools/gpu_test.sh --parts 4             processes at a time (default: half of the cores)
# TESTS=path/to/tests names another folder of programs. A part that takes longer than LIMIT seconds (600) fails.
set -euo pipefail

tests=${TESTS:-$(dirname "$0")/../build/dev/tests}
limit=${LIMIT:-600}
filter=
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
declare -A filters=([test_cuda]=${filter:-*} [test_query]=${filter:-*Cuda*})
programs=(test_cuda test_query)
for program in "${programs[@]}"; do
  if [[ ! -x $tests/$program ]]; then
    echo "gpu_test: there is no $tests/$program; build first (cmake --preset dev && cmake --build --preset dev), on a machine with nvcc" >&2
    exit 2
  fi
done
logs=$(mktemp -d)
trap 'rm -rf "$logs"' EXIT
failed=0

for program in "${programs[@]}"; do
  echo "gpu_test: $program"
  timeout "$limit" "$tests/$program" --gtest_brief=1 --gtest_filter="${filters[$program]}" || failed=1
done

# run_parts <tool> <program>: the program's tests under the tool.
run_parts() {
  local tool=$1 program=$2 patterns=${filters[$2]} log i result pids=()
  # A CODAG warp and its prefetching warp meet by flags in shared memory, which racecheck takes for races; and it forgets what a
  # barrier has seen once that is initialised again, as it is when loaders follow one another in the same memory.
  if [[ $tool == racecheck ]]; then
    [[ $patterns == *-* ]] || patterns+=":-"
    patterns+=":*Prefetching*:*LoadersFollowOneAnother*"
  fi
  echo "gpu_test: $tool of $program, $parts parts"
  for ((i = 0; i < parts; ++i)); do
    GTEST_TOTAL_SHARDS=$parts GTEST_SHARD_INDEX=$i timeout "$limit" compute-sanitizer --tool "$tool" --error-exitcode 9 \
      "$tests/$program" --gtest_brief=1 --gtest_filter="$patterns" >"$logs/$tool.$program.$i" 2>&1 &
    pids+=($!)
  done
  for ((i = 0; i < parts; ++i)); do
    log=$logs/$tool.$program.$i
    result=0
    wait "${pids[i]}" || result=$?
    # racecheck warns of asynchronous copies into rooms that the warp has just read (it does not see __syncwarp and the proxy
    # fence between them): warnings are shown, errors fail.
    if ((result == 9)) && grep -q "(0 errors, " "$log" && ! grep -q FAILED "$log"; then result=0; fi
    grep -E "SUMMARY|PASSED|FAILED" "$log" || true
    if ((result)); then
      failed=1
      echo "gpu_test: $tool of $program, part $i of $parts: exit code $result" >&2
      tail -n 40 "$log" >&2
    fi
  done
}

for tool in $tools; do
  command -v compute-sanitizer >/dev/null || { echo "gpu_test: compute-sanitizer is not on PATH (it comes with CUDA)" >&2; exit 2; }
  for program in "${programs[@]}"; do run_parts "$tool" "$program"; done
done
if ((failed)); then
  echo "gpu_test: FAILED" >&2
else
  echo "gpu_test: passed"
fi
exit "$failed"
