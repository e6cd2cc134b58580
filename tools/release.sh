#!/usr/bin/env bash
# Prepares a release: packages and their tests, notes, checksums and a tag in this clone. Nothing is published; it ends by saying how.
#   tools/release.sh               all packages, also the cuda wheel, which takes hours
#   tools/release.sh PACKAGE...    these of tools/package.sh's: wheel, tarball, deb, cuda-wheel
#   tools/release.sh --notes       only the notes, on stdout: what CHANGELOG.md says of this version
# Before it: set the version in codecs/base/version.hpp and CITATION.cff, and its day in CHANGELOG.md ("## 0.1.0 - 2026-12-01"); commit.
set -euo pipefail
cd "$(dirname "$0")/.."
usage() { sed -n '2,/^set/{/^set/d;s/^# \{0,1\}//p}' tools/release.sh; }
version=$(sed -n 's/.*GANNET_VERSION_STRING "\(.*\)"/\1/p' codecs/base/version.hpp)

# The section of this version, without its heading.
notes() {
  local text
  text=$(awk -v heading="## $version - " 'index($0, "## ") == 1 { inside = index($0, heading) == 1; next } inside' CHANGELOG.md)
  [[ -n $text ]] || { echo "release: CHANGELOG.md has no section '## $version - ...'" >&2; return 1; }
  printf '# Gannet %s\n%s\n' "$version" "$text"
}

packages=()
for word; do
  case $word in
    --help) usage; exit ;;
    --notes) notes; exit ;;
    wheel | tarball | deb | cuda-wheel) packages+=("$word") ;;
    *) usage >&2; exit 2 ;;
  esac
done
((${#packages[@]})) || packages=(wheel tarball deb cuda-wheel)

problems=()
[[ -z $(git status --porcelain) ]] || problems+=("something is not committed")
grep -qE "^## ${version//./\\.} - [0-9]{4}-[0-9]{2}-[0-9]{2}$" CHANGELOG.md || problems+=("CHANGELOG.md gives no day of $version")
grep -qx "version: $version" CITATION.cff || problems+=("CITATION.cff has another version than codecs/base/version.hpp")
if git rev-parse -q --verify "refs/tags/v$version" >/dev/null; then problems+=("the tag v$version is there already"); fi
if ((${#problems[@]})); then
  printf 'release: %s\n' "${problems[@]}" >&2
  exit 1
fi

folder=build/package/release-$version
rm -rf "$folder"
tools/package.sh --output "$folder" --check-reproducible "${packages[@]}"
python3 tests/package/made/contents_test.py "$folder"
tests/package/made/stranger.sh "$folder"
notes >"build/package/notes-$version.md"
git tag --annotate "v$version" --message "Gannet $version"
cat <<END

Gannet $version is ready, and not published:
  tag      v$version, in this clone
  files    $folder, with SHA256SUMS
  notes    build/package/notes-$version.md
To publish: git push origin v$version; upload the files, with the notes, to where the project's releases are; and the wheels, if it has an
account there, to the Python package index. To take it back: git tag --delete v$version
END
