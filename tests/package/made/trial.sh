# What stranger.sh runs where a package was installed: the command, on documents of scripts and encodings whose tables lie in the package.
set -euo pipefail
cd "$(mktemp -d)"
for tool in cc gcc g++ clang cmake make; do
  if command -v "$tool" >/dev/null; then echo "trial: there is a $tool here" >&2; exit 1; fi
done
if [[ ${LIBRARIES:-none} == none ]] && ldconfig -p | grep -E 'lib(tbb|icuuc|simdjson|fmt|stemmer|utf8proc|boost_program_options)\.so'; then
  echo "trial: there are libraries here that a package should have inside" >&2
  exit 1
fi
# finds ID QUERY...
finds() {
  local id=$1
  shift
  gannet search "$@" --json --k 1 >found
  grep -q "\"id\":\"$id\"" <(tr -d ' ' <found) || { echo "trial: '$*' does not find $id:" >&2; cat found >&2; exit 1; }
}
gannet version
if gannet help demo >/dev/null 2>&1; then gannet demo; fi
cat >docs.jsonl <<'END'
{"id": "sun", "contents": "Solar power comes from the sun."}
{"id": "sea", "contents": "Tidal power stations by the sea."}
{"id": "thai", "contents": "ภาษาไทยเป็นภาษาที่มีระดับเสียง"}
END
gannet index docs.jsonl -o idx --store --quiet
finds sun idx solar power
finds thai idx ระดับ
mkdir pages
printf '<meta charset=euc-jp><title>x</title>\xc5\xec\xb5\xfe\n' >pages/tokyo.html
printf '<meta charset=windows-1252><title>x</title>caf\xe9\n' >pages/cafe.html
gannet index pages --format dir -o pages-idx --quiet
finds tokyo.html pages-idx 東京
finds cafe.html pages-idx café
gannet verify idx
# Errors, and their exit codes.
result=0
gannet search nothing-here words >/dev/null 2>messages || result=$?
((result == 4)) || { echo "trial: exit code $result, not 4" >&2; cat messages >&2; exit 1; }
# Ctrl-C ends what waits for input.
result=0
timeout --preserve-status -s INT 1 gannet search idx - < <(sleep 2) >/dev/null 2>messages || result=$?
((result == 130)) || { echo "trial: exit code $result, not 130" >&2; cat messages >&2; exit 1; }
echo "trial: the command works"
