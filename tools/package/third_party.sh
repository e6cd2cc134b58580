#!/usr/bin/env bash
# Makes the libraries that packages have inside, as archives, and what links them for an old glibc. tools/package.sh calls it.
#   tools/package/third_party.sh FOLDER
# FOLDER gets lib/ (archives that Debian does not have), old/ (Debian's, for a shared object and an old glibc), glibc/ (the symbols of
# glibc 2.28, as libraries) and licenses/. Nothing is done again where FOLDER has
# what these versions make. Wanted: the packages of tools/package/packages.txt, and PYTHON with tools/package/requirements.txt.
set -euo pipefail
usage() { sed -n '2,/^set/{/^set/d;s/^# \{0,1\}//p}' "$0"; }
[[ ${1:-} != --help ]] || { usage; exit; }
(($# == 1)) || { usage >&2; exit 2; }
mkdir -p "$1"
folder=$(cd "$1" && pwd)
here=$(cd "$(dirname "$0")" && pwd)
python=${PYTHON:-python3}
glibc=2.28
system=/usr/lib/$(gcc -dumpmachine)
# Debian has these as archives.
archives=(libboost_program_options libbz2 libicuuc liblzma libprotobuf-lite libstemmer libutf8proc libxml2 libxxhash libz libzstd)
developer=(libboost-program-options1.74-dev libbz2-dev libicu-dev liblzma-dev libprotobuf-dev libstemmer-dev libutf8proc-dev
  libxml2-dev libxxhash-dev zlib1g-dev libzstd-dev)
# And not these, which are compiled of the source packages of what is installed.
declare -A sources=([fmtlib]=libfmt-dev [simdjson]=libsimdjson-dev [onetbb]=libtbb-dev)
headers=(libfmt-dev libsimdjson-dev libtbb-dev nlohmann-json3-dev)

versions() {
  dpkg-query -W "${developer[@]}" "${headers[@]}" gcc g++ icu-devtools
  "$python" -m ziglang version
  cat "$here"/third_party.sh "$here/old_glibc.c"
}
made=$(versions | sha256sum)
if [[ -f $folder/made && $(<"$folder/made") == "$made" ]]; then
  exit
fi
rm -rf "$folder"
mkdir -p "$folder"/{lib,old,glibc,licenses,work}
cd "$folder/work"

compile() { g++ -O2 -DNDEBUG -fPIC -ffile-prefix-map="$PWD"=. -ffile-prefix-map="$folder"=. "$@"; }

# An archive of objects: the same bytes for the same objects.
archive() { rm -f "$1" && ar rcsD "$@"; }

# What addresses variables of the C library directly gets copies of them: old_glibc.c.
take_archives() {
  local name variable renamed=()
  for variable in stdin stdout stderr environ tzname __timezone; do renamed+=(--redefine-sym "$variable=gannet_$variable"); done
  for name in "${archives[@]}"; do objcopy -D "${renamed[@]}" "$system/$name.a" "$folder/old/$name.a"; done
  gcc -O2 -fPIC -fvisibility=hidden -c "$here/old_glibc.c" -o "$folder/old/old_glibc.o"
}

# Source packages of the versions that are installed, by sources of Debian that only this script sees.
fetch_sources() {
  local lists=$PWD/apt source version
  mkdir -p "$lists/lists/partial"
  cat >"$lists/sources.list" <<END
deb-src ${DEBIAN_MIRROR:-http://deb.debian.org/debian} $(. /etc/os-release && echo "$VERSION_CODENAME") main
END
  local apt=(apt-get -qq -o "Dir::Etc::SourceList=$lists/sources.list" -o Dir::Etc::SourceParts=/dev/null -o "Dir::State::Lists=$lists/lists"
    -o APT::Sandbox::User=root)
  "${apt[@]}" update
  for source in "${!sources[@]}"; do
    version=$(dpkg-query -W -f '${source:Version}' "${sources[$source]}")
    "${apt[@]}" source --download-only "$source=$version" >/dev/null || { echo "third_party: the mirror has no $source $version" >&2; return 1; }
    dpkg-source --no-check -x "${source}"_*.dsc "$source" >/dev/null 2>&1
  done
}

compile_sources() {
  (cd fmtlib && compile -std=c++17 -Iinclude -c src/format.cc src/os.cc && archive "$folder/lib/libfmt.a" format.o os.o)
  (cd simdjson && compile -std=c++17 -Iinclude -Isrc -c src/simdjson.cpp && archive "$folder/lib/libsimdjson.a" simdjson.o)
  local flags=(-DNDEBUG -D__TBB_BUILD=1 -D__TBB_USE_ITT_NOTIFY=0 -D__TBB_DYNAMIC_LOAD_ENABLED=0 -D__TBB_SOURCE_DIRECTLY_INCLUDED=1)
  (cd onetbb/src/tbb && ls *.cpp | xargs -P "$(nproc)" -n 4 g++ -O2 -std=c++17 -fPIC "${flags[@]}" -mrtm -mwaitpkg \
    -ffile-prefix-map="$PWD"=. -I../../include -c && archive "$folder/lib/libtbb.a" ./*.o)
}

# Converters and break iterators are used. Names of languages, regions, units and times, collation and the like are 26 of 31 MB.
filter_icu() {
  local name
  ar x "$system/libicudata.a"
  name=$(nm -- *_dat.o | sed -n 's/.* R //p')
  objcopy -O binary --only-section=.rodata -- *_dat.o all.dat
  # icupkg and ICU know the version by the file's name.
  mkdir icu
  mv all.dat "${name%_dat}l.dat"
  PATH=$PATH:/usr/sbin icupkg -l "${name%_dat}l.dat" |
    grep -E '^((coll|curr|lang|rbnf|region|translit|unit|zone)/|[^/]*\.res$|.*\.spp$|unames|confusables)' |
    grep -vE '^(root|icuver|icustd|res_index|pool)\.res$' >dropped.txt
  PATH=$PATH:/usr/sbin icupkg -r dropped.txt "${name%_dat}l.dat" "icu/${name%_dat}l.dat"
  printf '.section .rodata\n.balign 16\n.globl %s\n%s:\n.incbin "icu/%sl.dat"\n.section .note.GNU-stack,"",@progbits\n' "$name" "$name" "${name%_dat}" |
    gcc -x assembler -c -o icudata.o -
  archive "$folder/lib/libicudata.a" icudata.o
}

# The C library's symbols as they were in that version, without code: zig makes them to link for it.
make_glibc() {
  export ZIG_GLOBAL_CACHE_DIR=$PWD/zig ZIG_LOCAL_CACHE_DIR=$PWD/zig-local
  echo 'int nothing(void) { return 0; }' >nothing.c
  "$python" -m ziglang cc -target "$(uname -m)-linux-gnu.$glibc" -shared -fPIC nothing.c -o nothing.so
  find zig -name 'lib*.so.*' -exec cp {} "$folder/glibc/" \;
  find zig -name 'libc_nonshared.a' -exec cp {} "$folder/glibc/" \;
  (cd "$folder/glibc" && for name in m pthread dl rt; do ln -s "lib$name".so.* "lib$name.so"; done)
  # Relative names: where the linker finds this script.
  echo 'GROUP ( libc.so.6 libc_nonshared.a libld.so.2 )' >"$folder/glibc/libc.so"
}

licenses() {
  local package
  for package in "${developer[@]}" "${headers[@]}" libstdc++-12-dev libc6-dev; do
    cp -L "/usr/share/doc/$package/copyright" "$folder/licenses/$package.txt"
  done
}

take_archives
filter_icu
make_glibc
fetch_sources
compile_sources
licenses
cd /
rm -rf "$folder/work"
echo "$made" >"$folder/made"
