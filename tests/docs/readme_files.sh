# The files that the commands of the READMEs name; sourced in an empty folder, with gannet on the PATH.
for i in $(seq 1 40); do
  printf '{"id": "doc-%d", "contents": "Solar power number %d. The cat and the dog see wind and water.",' "$i" "$i"
  printf ' "title": "Power %d", "year": %d, "tag": ["%s", "x"], "when": "2024-%02d-01", "price": %d.5,' \
    "$i" $((1990 + i)) "$(((i % 2) ? 1 : 0))" $((1 + i % 12)) "$i"
  printf ' "meta": {"tags": ["a"]}}\n'
done | sed 's/\["1"/["a"/; s/\["0"/["b"/' >docs.jsonl
zstd -q docs.jsonl -o docs.jsonl.zst 2>/dev/null || cp docs.jsonl docs.jsonl.zst  # plain files are read under any name
printf '{"id": "new-1", "contents": "Solar news", "title": "New", "year": 2024, "tag": ["a"]}\n' >monday.jsonl.zst
printf '{"id": "doc-3", "contents": "Corrected", "title": "Right", "year": 2024, "tag": ["a"]}\n' >corrected.jsonl
gannet index --input docs.jsonl --format jsonl --output idx --store --quiet --field year:i32 --field tag:keyword:multi \
  --field when:date --field 'price:decimal(2)' --field title:text:weight=2
gannet index --input docs.jsonl --format jsonl --output idx-plain --quiet
gannet shard idx --shards 4 --output idx-shards --quiet
printf '%s' '<mediawiki xmlns="http://www.mediawiki.org/xml/export-0.10/" version="0.10" xml:lang="en"><siteinfo>' \
  '<base>https://en.wikipedia.org/wiki/Main_Page</base></siteinfo><page><title>Sun</title><ns>0</ns><id>1</id><revision><id>2</id>' \
  '<timestamp>2024-01-01T00:00:00Z</timestamp><text>Solar power.</text></revision></page></mediawiki>' >enwiki-pages-articles-multistream.xml.bz2
printf '1\tsolar power\n2\tcat dog\n' >queries.tsv
printf '1 0 doc-1 1\n2 0 doc-2 1\n' >qrels.txt
gannet run --index idx --topics queries.tsv --output bm25.run --quiet
for i in $(seq 0 255); do printf "\\x$(printf %02x $((i % 7)))\\0\\0\\0"; done >prices.i32
gannet encode --type i32 --input prices.i32 --output prices.column --quiet
