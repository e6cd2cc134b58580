#!/usr/bin/env bash
# Compiles Gannet, and makes packages of it on the system on which this runs. tools/package.sh runs it in a clean one.
#   tools/package/build.sh [OPTIONS] PACKAGE...      PACKAGE: wheel, cuda-wheel, tarball or deb
#   --output FOLDER       where packages go
#   --third-party FOLDER  what third_party.sh makes; it is made where it is missing
#   --architectures LIST  for the cuda wheel, as CMAKE_CUDA_ARCHITECTURES; without it, those of tools/cmake/Cuda.cmake
#   --build FOLDER        compiles nothing: `wheel` takes what is compiled there, by tools/python_test.sh
# PYTHON names a Python with the packages of requirements.txt, SOURCE_DATE_EPOCH the time of all files (default: of the last commit).
set -euo pipefail
usage() { sed -n '2,/^set/{/^set/d;s/^# \{0,1\}//p}' "$0"; }
tree=$(cd "$(dirname "$0")/../.." && pwd)
output=$tree/build/package/dist third=$tree/build/package/third-party architectures="" build="" packages=()
while (($#)); do
  case $1 in
    --help) usage; exit ;;
    --output) output=$2; shift 2 ;;
    --third-party) third=$2; shift 2 ;;
    --architectures) architectures=$2; shift 2 ;;
    --build) build=$(cd "$2" && pwd); shift 2 ;;
    wheel | cuda-wheel | tarball | deb) packages+=("$1"); shift ;;
    *) usage >&2; exit 2 ;;
  esac
done
((${#packages[@]})) || { usage >&2; exit 2; }
export PYTHON=${PYTHON:-python3}
export SOURCE_DATE_EPOCH=${SOURCE_DATE_EPOCH:-$(git -C "$tree" log -1 --format=%ct)}
mkdir -p "$output"
output=$(cd "$output" && pwd)
cd "$tree"
version=$(sed -n 's/.*GANNET_VERSION_STRING "\(.*\)"/\1/p' codecs/base/version.hpp)
platform=manylinux_2_28_$(uname -m)
stage=$(mktemp -d)
trap 'rm -rf "$stage"' EXIT

# compile cpu|cuda: into build/package-cpu or build/package-cuda. No path of this machine gets into what is compiled.
compile() {
  local python more=() maps
  [[ -z $build ]] || return 0
  python=$("$PYTHON" -c 'import nanobind, pathlib; print(pathlib.Path(nanobind.__file__).parent.parent)')
  maps="-ffile-prefix-map=$tree=gannet -ffile-prefix-map=$python=python"
  if [[ $1 == cuda ]]; then
    more+=(-DCMAKE_CUDA_FLAGS="-Xcompiler=${maps// /,} --compress-mode=size" -DGANNET_LINEINFO=OFF)
    if [[ -n $architectures ]]; then more+=(-DCMAKE_CUDA_ARCHITECTURES="${architectures//,/;}"); fi
  fi
  cmake --preset "$1" -B "build/package-$1" -DCMAKE_CXX_FLAGS="$maps" -DGANNET_BUILD_TESTS=OFF -DGANNET_BUILD_BENCHMARKS=OFF -DGANNET_MPI=OFF \
    -DGANNET_PYTHON=ON -DPython_EXECUTABLE="$(command -v "$PYTHON")" -DCMAKE_INSTALL_PREFIX=/usr "${more[@]}" >"$stage/configured" ||
    { cat "$stage/configured"; return 1; }
  cmake --build "build/package-$1" --target gannet_python gannet_command gannet_reference
}
compiled() { echo "${build:-build/package-$1}"; }

# The licenses of what is inside, as Debian gives them. That of Boost's package has all of Boost; its own license is one of them.
third_party_licenses() {
  local file
  for file in "$third"/licenses/*; do
    printf '==== %s\n\n' "$(basename "$file" .txt)"
    if [[ $file == *boost* ]]; then awk -v RS= '/^License: BSL-1.0/ { print; exit }' "$file"; else cat "$file"; fi
  done
}

# What pip makes the wheel of: Python's files, and a module that is linked already.
stage_wheel() {
  local name=$1 from=$2 folder=$3
  mkdir -p "$folder/module" "$folder/codecs/base" "$folder/tools"
  cp README.md LICENSE "$folder/"
  cp codecs/base/version.hpp "$folder/codecs/base/"
  cp -r tools/python "$folder/tools/"
  find "$folder" -name __pycache__ -exec rm -rf {} +
  sed "s/^name = \"gannet\"/name = \"$name\"/" pyproject.toml >"$folder/pyproject.toml"
  third_party_licenses >"$folder/NOTICE.third-party"
  if [[ $name != gannet ]]; then
    printf '==== %s\n\n%s\n' "CUDA runtime" \
      "By NVIDIA's CUDA Toolkit End User License Agreement, https://docs.nvidia.com/cuda/eula/, whose attachment A names it." >>"$folder/NOTICE.third-party"
  fi
  cp "$from/tools/python/gannet/_gannet.pyi" tools/python/command/gannet "$folder/module/"
  mkdir "$folder/module/share"
  cp -r "$from"/reference/{man,bash-completion,zsh,fish} "$folder/module/share/"
  tools/package/link.sh module "$from" "$third" "$folder/module/_gannet.abi3.so"
}

# wheel NAME BUILD
wheel() {
  local folder=$stage/$1
  stage_wheel "$1" "$2" "$folder"
  "$PYTHON" -m pip wheel --quiet --no-deps --no-build-isolation --wheel-dir "$folder/raw" \
    --config-settings=cmake.define.GANNET_PYTHON_MODULE="$folder/module" "$folder"
  PATH=$(dirname "$(command -v "$PYTHON")"):$PATH LD_LIBRARY_PATH=${CUDA_HOME:-/usr/local/cuda}/lib64 "$PYTHON" -m auditwheel repair --plat "$platform" --only-plat --wheel-dir "$output" "$folder"/raw/*.whl >"$stage/audit" 2>&1 ||
    { cat "$stage/audit" >&2; return 1; }
}

tarball() {
  local from name=gannet-$version-linux-$(uname -m)
  from=$(compiled cpu)
  mkdir -p "$stage/$name"/{bin,share}
  tools/package/link.sh command "$from" "$third" "$stage/$name/bin/gannet"
  cp -r "$from"/reference/{man,bash-completion,zsh,fish} "$stage/$name/share/"
  cp LICENSE README.md CHANGELOG.md "$stage/$name/"
  third_party_licenses >"$stage/$name/NOTICE.third-party"
  tar -C "$stage" --sort=name --owner=0 --group=0 --numeric-owner --mode=u=rwX,go=rX --mtime="@$SOURCE_DATE_EPOCH" -c "$name" |
    gzip -9n >"$output/$name.tar.gz"
}

deb() {
  local from
  from=$(compiled cpu)
  cmake --build "$from" >"$stage/built"
  (cd "$from" && rm -rf package && cpack -G DEB -B package >"$stage/packed") || { cat "$stage/packed" >&2; return 1; }
  cp "$from"/package/*.deb "$output/"
}

cuda_name() {
  local release
  release=$(sed -n 's/^set(CMAKE_CUDA_COMPILER_VERSION "\([0-9]*\).*/\1/p' "$1"/CMakeFiles/*/CMakeCUDACompiler.cmake 2>/dev/null || true)
  if [[ -n $release ]]; then echo "gannet-cu$release"; else echo gannet; fi
}

tools/package/third_party.sh "$third"
if [[ " ${packages[*]} " =~ \ (wheel|tarball|deb)\  ]]; then compile cpu; fi
if [[ " ${packages[*]} " == *" cuda-wheel "* ]]; then compile cuda; fi
for package in "${packages[@]}"; do
  case $package in
    wheel) wheel "$(cuda_name "$(compiled cpu)")" "$(compiled cpu)" ;;
    cuda-wheel) wheel "$(cuda_name "$(compiled cuda)")" "$(compiled cuda)" ;;
    *) "$package" ;;
  esac
done
