# Sourced by .ci/run and tools/nightly.sh: runs what they consist of step by step, and says in the end which steps took longest.
step_times=()

# step <name> <command>...: prints a heading, runs the command, keeps its time. The script ends where a step fails. 75, by which a
# script says that it cannot reach PyPI, counts as skipped.
step() {
  local name=$1 start=$SECONDS result=0
  shift
  printf '\n==== %s (%d min %02d s)\n' "$name" $((SECONDS / 60)) $((SECONDS % 60))
  "$@" || result=$?
  end_step "$name" "$start" "$result"
}

end_step() {
  local name=$1 start=$2 result=$3
  step_times+=("$((SECONDS - start)) $name")
  if ((result == 75)); then
    echo "SKIPPED: no PyPI"
  elif ((result)); then
    echo "FAILED: $name (exit code $result)" >&2
    exit "$result"
  fi
}

# step_beside <name> <command>...: begins a step that runs beside those that follow, one at a time. end_step_beside waits for it, and
# prints what it printed. It is stopped if another step fails.
step_beside() {
  beside_name=$1 beside_start=$SECONDS beside_log=$(mktemp)
  shift
  setsid "$BASH" -c 'source tools/steps.sh; "$@"' bash "$@" >"$beside_log" 2>&1 &
  beside_process=$!
  trap 'kill -- -"$beside_process" 2>/dev/null || true' EXIT
}

end_step_beside() {
  local result=0
  wait "$beside_process" || result=$?
  trap - EXIT
  printf '\n==== %s (ran beside the others)\n' "$beside_name"
  cat "$beside_log"
  rm -f "$beside_log"
  end_step "$beside_name" "$beside_start" "$result"
}

# unless_passed <name> <file or folder>... -- <command>...: runs the command, unless it has passed on this machine with these files as
# they are committed now. Their hash is kept in ~/.cache/gannet, so that a machine without that folder runs everything.
unless_passed() {
  local name=$1 paths=() hash passed=${XDG_CACHE_HOME:-$HOME/.cache}/gannet/passed result=0
  shift
  while [[ $1 != -- ]]; do
    paths+=("$1")
    shift
  done
  shift
  hash=$(git ls-tree -r HEAD -- "${paths[@]}" | sha256sum | cut -d' ' -f1)
  if [[ -z $(git status --porcelain -- "${paths[@]}") && -f $passed/$name && $(<"$passed/$name") == "$hash" ]]; then
    echo "passed before, and nothing that it depends on has changed: ${paths[*]}"
    return
  fi
  "$@" || return
  mkdir -p "$passed"
  echo "$hash" >"$passed/$name"
}

# dearest_steps: the ten that took longest.
dearest_steps() {
  printf '\nThe longest steps, of %d min %02d s:\n' $((SECONDS / 60)) $((SECONDS % 60))
  printf '%s\n' "${step_times[@]}" | sort -rn | head -n 10 | while read -r seconds name; do printf '%6d s  %s\n' "$seconds" "$name"; done
}
