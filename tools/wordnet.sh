#!/usr/bin/env bash
# Makes a collection and a query log of WordNet, as Debian's and Ubuntu's wordnet-base package installs it.
#   tools/wordnet.sh OUTPUT_FOLDER
# docs.jsonl: one synset a line, id "<first lemma>.<part of speech>.<offset>", contents its gloss (definition and
# examples), pos its part of speech (noun, verb, adj, adv), lexfile the lexicographer file that it comes from (noun.animal).
# queries.tsv: every lemma, "<number><TAB><lemma>".
set -euo pipefail

source=${WORDNET:-/usr/share/wordnet}
output=${1:?usage: tools/wordnet.sh OUTPUT_FOLDER}
[[ -r $source/data.noun ]] || { echo "wordnet: $source/data.noun is missing; run tools/setup.sh" >&2; exit 1; }
mkdir -p "$output"
export LC_ALL=C

# Lexicographer files in the order of their numbers, as the manual page lexnames(5WN) has them; the package has no table.
lexfiles="adj.all adj.pert adv.all noun.Tops noun.act noun.animal noun.artifact noun.attribute noun.body noun.cognition
  noun.communication noun.event noun.feeling noun.food noun.group noun.location noun.motive noun.object noun.person
  noun.phenomenon noun.plant noun.possession noun.process noun.quantity noun.relation noun.shape noun.state noun.substance
  noun.time verb.body verb.change verb.cognition verb.communication verb.competition verb.consumption verb.contact
  verb.creation verb.emotion verb.motion verb.perception verb.possession verb.social verb.stative verb.weather adj.ppl"

# A line of data.*: offset lex_file pos count(hex) lemma lex_id ... pointers ... | gloss
documents() {
  for part in noun verb adj adv; do
    awk -v part="$part" -v lexfiles="$(tr -s '\n' ' ' <<<"$lexfiles")" '
      BEGIN { count = split(lexfiles, lexfile, " ") }
      /^  / { next }  # the licence
      $2 + 0 >= count || lexfile[$2 + 1] !~ "^" part "\\." {
        print "wordnet: no lexicographer file of " part " has the number " $2 | "cat >&2"
        failed = 1
        exit
      }
      {
        lemma = $5
        sub(/\([a-z]+\)$/, "", lemma)  # adjectives carry their position: galore(ip)
        gloss = substr($0, index($0, " | ") + 3)
        sub(/ +$/, "", gloss)
        gsub(/\\/, "&&", gloss)
        gsub(/"/, "\\\"", gloss)
        printf "{\"id\": \"%s.%s.%s\", \"contents\": \"%s\", \"pos\": \"%s\", \"lexfile\": \"%s\"}\n",
          lemma, substr(part, 1, part == "adv" ? 3 : 1), $1, gloss, part, lexfile[$2 + 1]
      }
      END { exit failed }' "$source/data.$part"
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
