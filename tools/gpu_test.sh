#!/usr/bin/env bash
# Runs the tests that need a GPU, then again under compute-sanitizer, in parts side by side: all of test_cuda, and those of
# test_query and test_soak that have Cuda in their names (what both back ends must do, by the cuda one).
#   tools/gpu_test.sh                       tests, memcheck, racecheck of these programs in build/dev/tests
#   tools/gpu_test.sh --filter 'CudaScan*'  a part of them (GoogleTest's patterns), of all programs
#   tools/gpu_test.sh --tools memcheck      tests and this tool alone; --tools '' for the tests alone
#   tools/gpu_test.sh --processes 4         processes at a time (default: half of the cores)
# TESTS=path/to/tests names another folder of programs. The tests are cut into eight parts a process, so that slow ones do not
# all come at the end; a part that takes longer than LIMIT seconds (900) fails. LOGS=folder keeps the parts' output.
set -euo pipefail

tests=${TESTS:-$(dirname "$0")/../build/dev/tests}
limit=${LIMIT:-900}
filter=
tools='memcheck racecheck'
processes=$((($(nproc) + 1) / 2))
while (($#)); do
  case $1 in
    --filter) filter=$2 ;;
    --tools) tools=$2 ;;
    --processes) processes=$2 ;;
    *) sed -n '2,/^set -/{/^#/s/^# \{0,1\}//p}' "$0" >&2; exit 2 ;;
  esac
  shift 2
done
declare -A filters=([test_cuda]=${filter:-*} [test_query]=${filter:-*Cuda*} [test_soak]=${filter:-*Cuda*})
programs=(test_cuda test_query test_soak)
for program in "${programs[@]}"; do
  if [[ ! -x $tests/$program ]]; then
    echo "gpu_test: there is no $tests/$program; build first (cmake --preset dev && cmake --build --preset dev), on a machine with nvcc" >&2
    exit 2
  fi
done
if [[ -n ${LOGS:-} ]]; then
  logs=$LOGS
  mkdir -p "$logs"
else
  logs=$(mktemp -d)
  trap 'rm -rf "$logs"' EXIT
fi
failed=0

for program in "${programs[@]}"; do
  echo "gpu_test: $program"
  timeout "$limit" "$tests/$program" --gtest_brief=1 --gtest_filter="${filters[$program]}" || failed=1
done

# run_part <tool> <program> <pattern> <number>: one part of the program's tests under the tool; says how it ended.
run_part() {
  local tool=$1 program=$2 pattern=$3 number=$4 log=$logs/$1.$2.$4 result=0 start=$SECONDS
  local options=(--tool "$tool" --error-exitcode 9)
  # Tests provoke errors of the API (no memory, a launch while a graph is captured) and look at what becomes of them.
  [[ $tool != memcheck ]] || options+=(--report-api-errors no)
  GTEST_TOTAL_SHARDS=$parts GTEST_SHARD_INDEX=$number timeout "$limit" compute-sanitizer "${options[@]}" \
    "$tests/$program" --gtest_filter="$pattern" >"$log" 2>&1 || result=$?
  # racecheck warns of asynchronous copies into rooms that the warp has just read (it does not see __syncwarp and the proxy
  # fence between them): warnings are shown, errors fail.
  if ((result == 9)) && grep -q "(0 errors, " "$log" && ! grep -q FAILED "$log"; then result=0; fi
  echo "$tool of $program, part $((number + 1)) of $parts, $((SECONDS - start)) s: $(grep -E 'SUMMARY|PASSED|FAILED' "$log" | sed 's/^=* *//' | paste -sd ' ')"
  if ((result)); then
    echo "gpu_test: $tool of $program, part $((number + 1)) of $parts: exit code $result" >&2
    tail -n 40 "$log" >&2
  fi
  return "$result"
}

# run_parts <tool> <program>: all of the program's tests under the tool.
run_parts() {
  local tool=$1 program=$2 pattern=${filters[$2]} i
  parts=$("$tests/$program" --gtest_list_tests --gtest_filter="$pattern" | grep -c '^  ' || true)
  parts=$((parts < 8 * processes ? parts : 8 * processes))
  # A CODAG warp and its prefetching warp meet by flags in shared memory, which racecheck takes for races; and it forgets what a
  # barrier has seen once that is initialised again, as it is when loaders follow one another in the same memory.
  if [[ $tool == racecheck ]]; then
    [[ $pattern == *-* ]] || pattern+=":-"
    pattern+=":*Prefetching*:*LoadersFollowOneAnother*"
  fi
  for ((i = 0; i < parts; ++i)); do
    if ((i >= processes)); then wait -n || failed=1; fi
    run_part "$tool" "$program" "$pattern" "$i" &
  done
  for ((i = 0; i < (processes < parts ? processes : parts); ++i)); do wait -n || failed=1; done
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
