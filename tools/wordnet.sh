#!/usr/bin/env bash
# Makes a collection and a query log of WordNet, as Debian's and Ubuntu's wordnet-base package installs it.
#   tools/wordnet.sh OUTPUT_FOLDER
# docs.jsonl: one synset a line, id "<first lemma>.<part of speech>.<offset>", contents its gloss (definition and
# examples). queries.tsv: every lemma, "<number><TAB><lemma>".
set -euo pipefail

source=${WORDNET:-/usr/share/wordnet}
output=${1:?usage: tools/wordnet.sh OUTPUT_FOLDER}
[[ -r $source/data.noun ]] || { echo "wordnet: $source/data.noun is missing; run tools/setup.sh" >&2; exit 1; }
mkdir -p "$output"
export LC_ALL=C

# A line of data.*: offset lex_file pos count(hex) lemma lex_id ... pointers ... | gloss
documents() {
  for part in noun verb adj adv; do
    awk -v part="$part" '
      /^  / { next }  # the licence
      {
        lemma = $5
        sub(/\([a-z]+\)$/, "", lemma)  # adjectives carry their position: galore(ip)
        gloss = substr($0, index($0, " | ") + 3)
        sub(/ +$/, "", gloss)
        gsub(/\\/, "\\\\", gloss)
        gsub(/"/, "\\\"", gloss)
        printf "{\"id\": \"%s.%s.%s\", \"contents\": \"%s\"}\n", lemma, substr(part, 1, part == "adv" ? 3 : 1), $1, gloss
      }' "$source/data.$part"
  done
}

lemmas() {
  for part in noun verb adj adv; do
    awk '!/^  / { gsub(/_/, " ", $1); print $1 }' "$source/index.$part"
  done | sort -u | awk '{ print NR "\t" $0 }'
}

documents >"$output/docs.jsonl.part"
lemmas >"$output/queries.tsv.part"
mv "$output/docs.jsonl.part" "$output/docs.jsonl"
mv "$output/queries.tsv.part" "$output/queries.tsv"
