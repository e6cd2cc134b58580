#!/usr/bin/env bash
# Builds the fuzz targets (bench/fuzz) with clang and runs each for some seconds, beginning with the kept inputs.
#   tools/fuzz.sh                        every target for 60 seconds
#   tools/fuzz.sh SECONDS [TARGET...]    these targets, such as: tools/fuzz.sh 600 documents topics
# QUICK=ON: as .ci/run built the libraries, without what guides the search for new inputs.
# JOBS targets run at a time (default: the number of cores). SEED=1 tries the same inputs each time, as far as the time goes.
# What is found between runs is kept in build/fuzz/corpus; an input that fails goes to build/fuzz/found/<target>/: mend the
# defect and keep the input in tests/data/fuzz/<target>/.
set -euo pipefail
cd "$(dirname "$0")/.."

seconds=${1:-60}
shift || true
if [[ ! $seconds =~ ^[0-9]+$ ]]; then
  sed -n '2,/^set -/{/^#/s/^# \{0,1\}//p}' "$0" >&2
  exit 2
fi
clang=${CLANGXX:-}
for candidate in clang++ clang++-{20,19,18,17,16,15,14}; do
  [[ -n $clang ]] || ! command -v "$candidate" >/dev/null || clang=$candidate
done
if [[ -z $clang ]] || ! echo 'extern "C" int LLVMFuzzerTestOneInput(const unsigned char*, unsigned long) { return 0; }' |
  "$clang" -x c++ -fsanitize=fuzzer,address - -o /dev/null 2>/dev/null; then
  echo "fuzz: needs clang with libFuzzer; tools/setup.sh --dev installs it (clang, libclang-rt-dev)" >&2
  exit 2
fi

mkdir -p build/fuzz
if ! cmake --preset fuzz -DCMAKE_CXX_COMPILER="$clang" -DGANNET_QUICK="${QUICK:-OFF}" >build/fuzz/configure.log 2>&1; then
  cat build/fuzz/configure.log >&2
  exit 1
fi
targets=("$@")
if ((${#targets[@]} == 0)); then
  for header in bench/fuzz/*_target.hpp; do
    header=${header##*/}
    targets+=("${header%_target.hpp}")
  done
fi
cmake --build build/fuzz -j "$(nproc)" --target "${targets[@]/#/fuzz_}" >build/fuzz/build.log 2>&1 || {
  tail -n 40 build/fuzz/build.log >&2
  exit 1
}

# One target for the seconds; prints a line and says by its exit code whether it found something.
run() {
  local target=$1 log=build/fuzz/$1.log
  mkdir -p "build/fuzz/corpus/$target" "build/fuzz/found/$target"
  if "build/fuzz/bench/fuzz/fuzz_$target" -max_total_time="$seconds" -seed="${SEED:-0}" -timeout=20 -rss_limit_mb=4096 -print_final_stats=1 \
    -artifact_prefix="build/fuzz/found/$target/" "build/fuzz/corpus/$target" "tests/data/fuzz/$target" >"$log" 2>&1; then
    echo "fuzz: $target: $(sed -n 's/^stat::number_of_executed_units: *//p' "$log") inputs, nothing found"
  else
    echo "fuzz: $target: FAILED; the input is in build/fuzz/found/$target, the log in $log" >&2
    tail -n 30 "$log" >&2
    return 1
  fi
}
export -f run
export seconds
export UBSAN_OPTIONS=print_stacktrace=1
printf '%s\n' "${targets[@]}" | xargs -P "${JOBS:-$(nproc)}" -I{} bash -c 'run {}' || {
  echo "fuzz: FAILED" >&2
  exit 1
}
echo "fuzz: ${#targets[@]} targets, $seconds s each: nothing found"
