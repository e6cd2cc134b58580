#!/usr/bin/env bash
# Builds the manual (tools/docs) into build/docs; open build/docs/index.html.
#   tools/docs.sh                  with the command of the build `dev`, which is built if it is not there
#   PRESET=cpu tools/docs.sh       with that of another build
#   tools/docs.sh --serve          shows the manual at http://127.0.0.1:8000 and follows changes
# Packages come from PyPI (or where pip is configured to look); without it this fails with exit code 75. They are in an
# environment of their own (build/docs-venv), as tools/docs/requirements.txt pins them.
set -euo pipefail
cd "$(dirname "$0")/.."
source tools/prefix.sh

case "${1:-}" in
  "") action=(build --strict --quiet) ;;
  --serve) action=(serve) ;;
  *) sed -n '2,6s/^# *//p' "$0" >&2; exit 2 ;;
esac
preset=${PRESET:-dev}
work=build/docs-venv
python=$work/bin/python

[[ -x $python ]] || "${PYTHON:-python3}" -m venv "$work" || {
  echo "docs: ${PYTHON:-python3} makes no environment; on Debian the package python3-venv is missing" >&2
  exit 1
}
if ! "$python" -m pip install --quiet --disable-pip-version-check --no-compile -r tools/docs/requirements.txt; then
  if ! "$python" -m pip download --quiet --no-deps --dest "$work/reached" mkdocs; then
    echo "docs: FAILED: there is no PyPI (https://pypi.org), nor a mirror that pip is configured for" >&2
    exit 75
  fi
  echo "docs: FAILED: packages could not be installed" >&2
  exit 1
fi

# The reference of commands is what the command says of itself.
if [[ ! -x build/$preset/gannet ]]; then
  read -ra more <<<"${OPTIONS:-}"
  [[ -f build/$preset/CMakeCache.txt ]] || cmake --preset "$preset" "${more[@]}"
  cmake --build "build/$preset" -j "$(nproc)" --target gannet_command
fi
export GANNET_COMMAND="$PWD/build/$preset/gannet" NO_MKDOCS_2_WARNING=1 PYTHONDONTWRITEBYTECODE=1
"$python" -m mkdocs "${action[@]}" --config-file tools/docs/mkdocs.yml
echo "docs: the manual is in build/docs/index.html"
