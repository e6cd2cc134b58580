#!/usr/bin/env bash
# Runs histories of an index at random against a plain model (tests/soak): adds, deletes, updates, commits, merges, crashes,
# full disks, damaged copies, shards, with readers beside. Stops at the first that fails, and says how to repeat it.
#   tools/soak.sh                        for 60 seconds
#   tools/soak.sh --seconds 3600         for so long
#   tools/soak.sh --preset asan          built with this preset of CMakePresets.json (default: dev); so tsan, fuzz
#   tools/soak.sh --seed 17 --rounds 1   this history alone; --seed S without --rounds goes on from it
#   tools/soak.sh --crashes 1000         changes that crash, so many times, counted by kind; no time limit
#   tools/soak.sh --equality 5000        histories against one build, so many; on a GPU too where there is one
#   tools/soak.sh --expressions 100000   so many queries of random expressions against a loop over the documents; on a GPU too
# Each round is a history of a seed of its own: the first has S (default 1), the next S + 1. What a history does follows from
# its seed alone, but not when its readers look. --program FILE takes a test_soak that is built, and builds nothing.
set -euo pipefail
cd "$(dirname "$0")/.."

preset=dev
program=
seconds=
seed=1
rounds=
filter='Soak.*'
crashes=
histories=
expressions=
again=tools/soak.sh
usage() {
  sed -n '2,/^set -/{/^#/s/^# \{0,1\}//p}' "$0" >&2
  exit 2
}
while (($#)); do
  (($# >= 2)) || usage
  if [[ $1 != --preset && $1 != --program && ! $2 =~ ^[0-9]+$ ]]; then usage; fi
  case $1 in
    --preset) preset=$2 again+=" $1 $2" ;;
    --program) program=$2 again+=" $1 $2" ;;
    --seconds) seconds=$2 ;;
    --seed) seed=$2 ;;
    --rounds) rounds=$2 ;;
    --crashes) filter='Crashes.*' crashes=$2 ;;
    --equality) filter='*Equality*' histories=$2 ;;
    --expressions) filter='*Expressions*' expressions=$2 ;;
    *) usage ;;
  esac
  shift 2
done
if [[ -z $program ]]; then
  mkdir -p "build/$preset"
  if [[ ! -f build/$preset/CMakeCache.txt ]] && ! cmake --preset "$preset" >"build/$preset/configure.log" 2>&1; then
    cat "build/$preset/configure.log" >&2
    exit 1
  fi
  if ! cmake --build "build/$preset" -j "$(nproc)" --target test_soak >"build/$preset/soak-build.log" 2>&1; then
    tail -n 40 "build/$preset/soak-build.log" >&2
    exit 1
  fi
  program=build/$preset/tests/test_soak
fi

if [[ ! -x $program ]]; then
  echo "soak: there is no program $program" >&2
  exit 2
fi

export UBSAN_OPTIONS=print_stacktrace=1 TSAN_OPTIONS="halt_on_error=1 second_deadlock_stack=1"
# So many rounds take the time that they take.
[[ -n $rounds ]] || seconds=${seconds:-60}
export GANNET_SOAK_SEED=$seed GANNET_SOAK_SECONDS=$seconds GANNET_SOAK_ROUNDS=$rounds
if [[ -n $crashes ]]; then
  export GANNET_SOAK_SECONDS= GANNET_SOAK_CRASHES=$crashes GANNET_SOAK_ROUNDS=${rounds:-$crashes}
  again+=" --crashes $crashes"
elif [[ -n $histories ]]; then
  export GANNET_SOAK_SECONDS= GANNET_SOAK_ROUNDS=${rounds:-$histories}
  again+=" --equality 1"
fi
export GANNET_SOAK_AGAIN="$again --rounds 1 --seed"
if [[ -n $expressions ]]; then
  export GANNET_SOAK_SECONDS= GANNET_SOAK_EXPRESSIONS=$expressions GANNET_SOAK_AGAIN="$again --expressions 1 --seed"
fi
# A sanitizer ends the program at once: which history it was in, the program has said before.
if ! "$program" --gtest_filter="$filter"; then
  echo "soak: FAILED; what has failed, and the way to repeat it, is above (after a sanitizer's report: $GANNET_SOAK_AGAIN, and the last seed that was begun)" >&2
  exit 1
fi
