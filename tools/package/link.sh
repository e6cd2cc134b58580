#!/usr/bin/env bash
# Links what a build compiled with third-party libraries inside. tools/package.sh calls it.
#   tools/package/link.sh module BUILD THIRD_PARTY FILE     the Python module, for glibc 2.28 and later; the command is inside
#   tools/package/link.sh command BUILD THIRD_PARTY FILE    the command, without any shared library (of a build without CUDA)
# THIRD_PARTY is what third_party.sh made.
set -euo pipefail
usage() { sed -n '2,/^set/{/^set/d;s/^# \{0,1\}//p}' "$0"; }
[[ ${1:-} != --help ]] || { usage; exit; }
(($# == 4)) || { usage >&2; exit 2; }
what=$1 build=$2 third=$3 file=$4

libraries=(boost_program_options fmt simdjson stemmer utf8proc xxhash tbb protobuf-lite xml2 icuuc icudata zstd bz2 lzma z)
gannet=("$build"/tools/libgannet_{tools,tools_shared,measure}.a "$build"/{query/libgannet_query,corpora/libgannet_corpora}.a
  "$build"/{index/libgannet_index,codecs/libgannet_codecs}.a)
main=$build/tools/CMakeFiles/gannet_command.dir/main.cpp.o
flags=(-O2 -s -Wl,--gc-sections -Wl,-z,relro,-z,now)
scratch=$(mktemp -d)
trap 'rm -rf "$scratch"' EXIT

# Archives refer to each other in circles.
group=(-Wl,--start-group "${gannet[@]}")
for name in "${libraries[@]}"; do group+=("-l:lib$name.a"); done
nvcc=$(sed -n 's/^CMAKE_CUDA_COMPILER:[^=]*=//p' "$build/CMakeCache.txt")
# The static one has 8 KiB of thread-local data, which a module of Debian's archives would ask for where there is no room: they are
# compiled for programs in this, too. auditwheel puts the shared one beside the module.
if [[ -x $nvcc ]]; then group+=("$(dirname "$nvcc")/../lib64/libcudart.so"); fi
group+=(-Wl,--end-group)

case $what in
  command)
    # libxml2 and ICU could ask for addresses and load libraries, which warns; Gannet calls no such function.
    g++ -static "${flags[@]}" "$main" -L"$third/lib" "${group[@]}" -o "$file" 2>"$scratch/messages" ||
      { cat "$scratch/messages" >&2; exit 1; }
    ;;
  module)
    mapfile -t objects < <(find "$build/tools/python/CMakeFiles/gannet_python.dir" -name '*.o' | LC_ALL=C sort)
    # It is compiled for a program, as Debian's archives are: third_party.sh, old_glibc.c.
    objcopy --redefine-sym main=gannet_main --redefine-sym stdout=gannet_stdout --redefine-sym stderr=gannet_stderr "$main" "$scratch/main.o"
    echo '{ global: PyInit__gannet; gannet_main; local: *; };' >"$scratch/exports"
    g++ -shared "${flags[@]}" -static-libstdc++ -Wl,--version-script="$scratch/exports" -Wl,-Bsymbolic -Wl,-z,nodynamic-undefined-weak "${objects[@]}" "$scratch/main.o" \
      "$third/old/old_glibc.o" -L"$third/glibc" -L"$third/old" -L"$third/lib" "${group[@]}" -lpthread -ldl -lrt -lm -o "$file"
    # Python's names alone may be left to whoever loads it.
    missing=$(nm -D --undefined-only "$file" | awk '$1 == "U" && $2 !~ /@/ && $2 !~ /^_?Py/ { print $2 }')
    [[ -z $missing ]] || { echo "link: $file misses" $missing >&2; exit 1; }
    ;;
  *) echo "link: '$what' is neither module nor command" >&2; exit 2 ;;
esac
