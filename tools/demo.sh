#!/usr/bin/env bash
# Gannet on a real collection: builds, indexes, runs a query log, shows hits, and measures decoding.
#   tools/demo.sh                              WordNet's glosses (117,659 documents), its lemmas as queries
#   tools/demo.sh COLLECTION FORMAT TOPICS     any collection and topics that gannet reads, for instance
#                                              tools/demo.sh docs.jsonl.zst jsonl queries.tsv
set -euo pipefail
case $# in
  0) ;;
  3) collection=$(realpath -e "$1") format=$2 topics=$(realpath -e "$3") ;;
  *) sed -n '3,5s/^# *//p' "$0" >&2; exit 2 ;;
esac
cd "$(dirname "$0")/.."
source tools/prefix.sh

section() { printf '\n== %s\n' "$*"; }

section "Packages"
tools/setup.sh

section "Build (release, in build/demo)"
# The kernels for the GPU at hand, if there is one; tests and benchmarks have a script of their own.
options=(-DGANNET_BUILD_TESTS=OFF -DGANNET_BUILD_BENCHMARKS=OFF)
if nvidia-smi -L >/dev/null 2>&1; then
  options+=(-DCMAKE_CUDA_ARCHITECTURES=native)
else
  echo "no GPU here: building the cpu back end only"
  options+=(-DGANNET_CUDA=OFF -DGANNET_UNITY_BATCH=40)
fi
mkdir -p build/demo
cmake --preset release -B build/demo "${options[@]}" >build/demo/configure.log || { cat build/demo/configure.log; exit 1; }
cmake --build build/demo -j "$(nproc)" --target gannet_command
gannet=build/demo/gannet
data=build/demo/data
index=$data/index

section "Collection"
fields=()
if (($# == 0)); then
  fields=(--field pos:keyword --field lexfile:keyword)
  tools/wordnet.sh "$data"
  collection=$data/docs.jsonl format=jsonl topics=$data/queries.tsv
  echo "WordNet: a document is a synset's gloss, a query is a lemma; its part of speech and its lexicographer file are fields"
fi
mkdir -p "$data"
"$gannet" index --input "$collection" --format "$format" --output "$index" --store --overwrite "${fields[@]}"

section "The index"
"$gannet" inspect "$index"

section "The query log in batch: throughput"
"$gannet" run --index "$index" --topics "$topics" --output "$data/batch.run" --overwrite --k 10

section "The query log, one query at a time: latency"
"$gannet" run --index "$index" --topics "$topics" --output "$data/single.run" --overwrite --k 10 --batch 1 --limit 10000

section "The run file (query, Q0, document, rank, score, run)"
head -n 3 "$data/batch.run"

section "Check of every byte"
"$gannet" verify "$index"

section "Decode throughput per list length"
"$gannet" bench decode --quick

section "Some queries"
if (($# == 0)); then
  queries=("large wild cat with stripes" "+frozen +water -ice" "(bird OR fish) AND tropical AND bright")
else
  # Titles of TREC topics, or what follows the tab; as plain words, not in the query language.
  mapfile -t queries < <({ sed -n 's/.*<title>[[:space:]]*//p' "$topics"; cut -sf2- "$topics"; } | grep . | head -n 3 | tr 'A-Z()+-' 'a-z    ')
fi
search() {
  printf '\n$ gannet search --index %s' "$index"
  printf " %s" "${@@Q}"
  printf '\n'
  "$gannet" search --index "$index" "$@"
}
for query in "${queries[@]}"; do
  search --k 3 -- "$query"
done

if (($# == 0)); then
  section "Fields: a filter, counts over all matches, the best of each group"
  search --k 3 --filter 'pos:verb' --fields pos,lexfile -- "cut with a sharp tool"
  search --k 1 --facet pos --facet lexfile:5 -- "water"
  search --k 3 --group lexfile:1 --filter 'lexfile:noun.*' --fields lexfile -- "bird OR fish"
fi

printf '\nThe index is in %s. Ask it: %s search --index %s your words\n' "$index" "$gannet" "$index"
