#!/usr/bin/env bash
# Runs the Python package's tests of the GPU (tests/python/test_gpu*.py) on a machine that has one, with Python, PyTorch, CuPy,
# NumPy, Ray and pytest, but need not have anything that Gannet is built with.
#   tools/python_gpu_test.sh                        the package of tools/python_test.sh, on this machine
#   tools/python_gpu_test.sh --pack FILE.tar.xz     puts that package and the libraries that it needs into an archive, for another
#                                                   machine with the same Python (PYTHON=python3.12 tools/python_test.sh builds one for 3.12)
#   tools/python_gpu_test.sh --from FILE.tar.xz     the package in the archive, there
# WHEEL=FILE takes another wheel than that in build/python/dist. PYTHON=python3 names the Python, further arguments go to pytest. Skipped tests count as
# failed with STRICT=1: nothing of PyTorch, CuPy, Ray and the GPU may be missing then, but a second GPU.
set -euo pipefail
cd "$(dirname "$0")/.."

the_wheel() {
  local wheels=(${WHEEL:-build/python/dist/*.whl})
  [[ -f ${wheels[0]} ]] || { echo "python_gpu_test: there is no ${wheels[0]}; tools/python_test.sh builds it" >&2; exit 2; }
  echo "${wheels[0]}"
}

# The shared libraries of a module, without those of the C and C++ runtimes.
libraries_of() {
  ldd "$1" | awk '$2 == "=>" && $3 ~ /^\// { print $3 }' |
    grep -vE '/(libc|libm|libdl|librt|libpthread|libgcc_s|libstdc\+\+)\.so'
}

# The package, and what its module wants of Python's version.
unpack() {
  "${PYTHON:-python3}" -m zipfile -e "$(the_wheel)" "$stage"
  "${PYTHON:-python3}" -m pip install --quiet --disable-pip-version-check --no-deps --target "$stage" nanobind-backend
}

stage=$(mktemp -d)
trap 'rm -rf "$stage"' EXIT
mode=${1:-}
case $mode in
  --pack)
    archive=${2:?the archive to be written}
    unpack
    mkdir "$stage/lib"
    for library in $(libraries_of "$stage"/gannet/_gannet*.so); do cp -L "$library" "$stage/lib/"; done
    tar -C "$stage" -cJf "$archive" .
    echo "python_gpu_test: $archive, $(du -h "$archive" | cut -f1), with $(ls "$stage/lib" | wc -l) libraries"
    exit
    ;;
  --from)
    tar -C "$stage" -xf "${2:?the archive}"
    shift 2
    # What the machine has itself is used.
    for library in "$stage"/lib/*; do
      if ldconfig -p 2>/dev/null | grep -qF "$(basename "$library") "; then rm "$library"; fi
    done
    export PYTHONPATH=$stage${PYTHONPATH:+:$PYTHONPATH} LD_LIBRARY_PATH=$stage/lib${LD_LIBRARY_PATH:+:$LD_LIBRARY_PATH}
    ;;
  *) unpack && export PYTHONPATH=$stage ;;
esac

if [[ ${STRICT:-0} == 1 ]] && ! "${PYTHON:-python3}" -c 'import cupy, numpy, ray, torch'; then
  echo "python_gpu_test: FAILED: STRICT=1 wants all of these packages" >&2
  exit 1
fi
result=0
"${PYTHON:-python3}" -m pytest -p no:cacheprovider -rs tests/python/test_gpu.py tests/python/test_gpu_device.py tests/python/test_gpu_ray.py \
  --junitxml="$stage/report.xml" "$@" || result=$?
skipped=$(grep -oE 'skipped="[0-9]+"' "$stage/report.xml" | head -1 | tr -dc 0-9)
if [[ ${STRICT:-0} == 1 ]] && ((result == 0 && skipped > 2)); then  # one is for machines without a GPU, one wants two
  echo "python_gpu_test: FAILED: $skipped tests were skipped" >&2
  exit 1
fi
exit "$result"
