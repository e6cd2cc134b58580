#!/usr/bin/env bash
# The Python package as a newcomer gets it: installs it by pip into a new environment, compiling everything, and runs the Python
# block of README.md as it stands there, in an empty folder; first without extras, as far as it needs none, then with [eval].
#   tools/python_fresh.sh [pip arguments]      for instance: tools/python_fresh.sh --config-settings=cmake.define.GANNET_CUDA=OFF
# PYTHON=python3.12 tools/python_fresh.sh     another Python
# The second install compiles nothing again if it is told where the first has left its objects:
#   tools/python_fresh.sh --config-settings=build-dir=build/pip
# CI runs README's block on the wheel that tools/python_test.sh makes; this takes as long as a build of all.
set -euo pipefail
root=$(cd "$(dirname "$0")/.." && pwd)
"$root/tools/setup.sh"
work=$(mktemp -d)
trap 'rm -rf "$work"' EXIT
python=$work/venv/bin/python
"${PYTHON:-python3}" -m venv "$work/venv"

# The block, and with "base" what stands before evaluation.
block() {
  sed -n '/^```python$/,/^```$/p' "$root/README.md" | sed '1d;$d' >"$work/block.py"
  [[ -s $work/block.py ]] || { echo "python_fresh: README.md has no Python block" >&2; exit 1; }
  if [[ $1 == base ]]; then sed -i '/evaluate(/d' "$work/block.py"; fi
}

# Runs it, and compares what it prints with what README.md says (`# -> ...`).
run_block() {
  block "$1"
  rm -rf "$work/empty" && mkdir "$work/empty"
  (cd "$work/empty" && "$python" "$work/block.py") | tee "$work/output"
  local said=0 line
  while IFS= read -r line; do
    said=$((said + 1))
    grep -qF -- "$line" "$work/output" || { echo "python_fresh: README.md says '$line'" >&2; exit 1; }
  done < <(sed -n 's/.*# -> //p' "$work/block.py")
  ((said > 0)) || { echo "python_fresh: README.md does not say what is printed" >&2; exit 1; }
  echo "python_fresh: README.md's block ran ($1): $said lines as it says"
}

start=$SECONDS
"$python" -m pip install --disable-pip-version-check "$@" "$root"
echo "python_fresh: pip install . took $((SECONDS - start)) s"
run_block base
start=$SECONDS
"$python" -m pip install --disable-pip-version-check "$@" "$root[eval]"
echo "python_fresh: pip install .[eval] took $((SECONDS - start)) s"
run_block whole
