# The files that the commands of the READMEs name; sourced in an empty folder, with gannet on the PATH.
for i in $(seq 1 40); do
  printf '{"id": "doc-%d", "contents": "Solar power number %d. The cat and the dog see wind and water.",' "$i" "$i"
  printf ' "year": %d, "tag": ["%s", "x"], "when": "2024-%02d-01", "price": %d.5}\n' \
    $((1990 + i)) "$( ((i % 2)) && echo a || echo b)" $((1 + i % 12)) "$i"
done >docs.jsonl
gannet index --input docs.jsonl --format jsonl --output idx --store --quiet --field year:i32 --field tag:keyword:multi \
  --field when:date --field 'price:decimal(2)'
printf '1\tsolar power\n2\tcat dog\n' >queries.tsv
printf '1 0 doc-1 1\n2 0 doc-2 1\n' >qrels.txt
gannet run --index idx --topics queries.tsv --output bm25.run --quiet
gannet demo --output gannet-demo >demo.txt
