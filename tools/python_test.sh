#!/usr/bin/env bash
# Builds the Python package's wheel, installs it into an environment of its own (build/python/venv) and runs its tests.
#   tools/python_test.sh [pytest arguments]     for instance: tools/python_test.sh -k search
#   tools/python_test.sh --build-only           compiles the module, and makes and tests nothing of it
# PRESET=cpu tools/python_test.sh               links the libraries of another preset's build (default: dev); nothing in it is compiled again
# PYTHON=python3.12 tools/python_test.sh        another Python
# EXTRAS=test,pt tools/python_test.sh           more optional packages (pt: PyTerrier, which wants Java; types: pyright, as in CI); default: test
# Packages come from PyPI (or where pip is configured to look); without it this fails with exit code 75.
set -euo pipefail
cd "$(dirname "$0")/.."
source tools/prefix.sh

build_only=
case ${1:-} in
  --help) sed -n '2,/^set/{/^set/d;s/^# \{0,1\}//p}' tools/python_test.sh; exit ;;
  --build-only) build_only=1; shift ;;
esac
preset=${PRESET:-dev}
extras=${EXTRAS:-test}
tools/setup.sh
work=build/python
python=$work/venv/bin/python
mkdir -p "$work"

version='import sys; print(sys.version)'
if [[ -x $python && -n ${PYTHON:-} ]]; then
  wanted=$("$PYTHON" -c "$version") || {
    echo "python_test: PYTHON=$PYTHON is no Python that runs" >&2
    exit 2
  }
  [[ $("$python" -c "$version") == "$wanted" ]] || rm -rf "$work/venv"
fi
[[ -x $python ]] || "${PYTHON:-python3}" -m venv "$work/venv" || {
  echo "python_test: ${PYTHON:-python3} makes no environment; on Debian the package python3-venv is missing" >&2
  exit 1
}

# The packages in these lists of pyproject.toml, separated by |.
packages_of() {
  sed -nE "/^($1) = \[/s/^[^[]*\[(.*)\]/\1/p" pyproject.toml | grep -o '"[^"]*"' | tr -d '"'
}

# What the package and its tests need; and apart from it, as in `pip install`, what builds it: PYTHONPATH leads there.
install_packages() {
  local wanted=() builds=() pip=("$python" -m pip install --quiet --disable-pip-version-check --no-compile)
  mapfile -t wanted < <(packages_of "${extras//,/|}|dependencies")
  mapfile -t builds < <(packages_of requires)
  "${pip[@]}" "${wanted[@]}" || return
  local made="${builds[*]} $("$python" -c "$version")"
  if [[ ! -f $work/builds/made || $(<"$work/builds/made") != "$made" ]]; then
    rm -rf "$work/builds"
    "${pip[@]}" --target "$work/builds" "${builds[@]}" ninja || return
    printf '%s\n' "$made" >"$work/builds/made"
  fi
}
if ! install_packages; then
  if ! "$python" -m pip download --quiet --no-deps --dest "$work/reached" ninja; then
    echo "python_test: FAILED: there is no PyPI (https://pypi.org), nor a mirror that pip is configured for" >&2
    exit 75
  fi
  echo "python_test: FAILED: packages could not be installed" >&2
  exit 1
fi

start=$SECONDS
# Only while it is built: the package and its tests go without.
build() { PYTHONPATH=$PWD/$work/builds "$@"; }
stamp=build/$preset/python-version  # of the Python that CMake found; it remembers that one
fresh=()
if [[ ! -f $stamp || $(<"$stamp") != "$("$python" -c "$version")" ]]; then
  fresh=(-U 'Python_*' -U '_Python_*' -U 'NB_*' -U nanobind_DIR)
fi
configure=(cmake "build/$preset")  # as it was configured before
if [[ ! -f build/$preset/CMakeCache.txt ]]; then
  read -ra more <<<"${OPTIONS:-}"
  configure=(cmake --preset "$preset" "${more[@]}")
  [[ -n ${CI:-} ]] || configure+=(-DGANNET_WERROR=OFF)
fi
if ! build "${configure[@]}" "${fresh[@]}" -DGANNET_PYTHON=ON -DPython_EXECUTABLE="$PWD/$python" >"$work/configure.log" 2>&1; then
  cat "$work/configure.log"
  echo "python_test: configuring failed" >&2
  exit 1
fi
"$python" -c "$version" >"$stamp"
build cmake --build "build/$preset" -j "$(nproc)" --target gannet_python gannet_command gannet_reference
[[ -z $build_only ]] || exit 0

rm -rf "$work/dist"
build "$python" -m pip wheel --quiet --disable-pip-version-check --no-deps --no-build-isolation --wheel-dir "$work/dist" \
  --config-settings=cmake.define.GANNET_PYTHON_MODULE="$PWD/build/$preset/tools/python/gannet" .
"$python" -m pip install --quiet --disable-pip-version-check --no-deps --force-reinstall "$work"/dist/*.whl
echo "python_test: $(basename "$work"/dist/*.whl) built and installed in $((SECONDS - start)) s"

GANNET_COMMAND="$PWD/build/$preset/gannet" "$python" -m pytest "$@"
