#include "tools/building/index_options.hpp"

#include <fmt/format.h>

#include <string>
#include <utility>
#include <vector>

#include "codecs/base/error.hpp"
#include "codecs/registry.hpp"
#include "corpora/documents/bytes/byte_stream.hpp"
#include "tools/building/build_input.hpp"
#include "tools/building/stop_words_option.hpp"
#include "tools/terminal/screen.hpp"

namespace gannet::tools {
namespace {

index::Schema schema_option(const OptionSet& options) {
  std::vector<index::FieldSpec> fields;
  if (options.has("schema")) {
    const auto& path = options.get<std::string>("schema");
    constexpr std::size_t kMax = std::size_t{1} << 24;
    fields = index::parse_schema(corpora::read_whole_file(path, kMax), path);
  }
  if (options.has("field")) {
    for (const std::string& field : options.get<std::vector<std::string>>("field")) {
      fields.push_back(index::parse_field(field));
    }
  }
  return index::Schema(std::move(fields));
}

const codecs::ListCodec& codec_option(const OptionSet& options, const char* option) {
  return codecs::list_codec_named(options.get<std::string>(option));
}

/// Throws for an option that would change terms.
void check_verbatim(const OptionSet& options) {
  const auto refuse = [](const char* option) {
    throw UsageError(fmt::format(
        "--{}: --tokenizer verbatim takes terms as they are; leave one of the two out", option));
  };
  if (options.has("stemmer") && options.get<std::string>("stemmer") != "none") refuse("stemmer");
  if (options.get<std::string>("stop-words") != "none") refuse("stop-words");
  if (options.has("fold-accents")) refuse("fold-accents");
}

index::AnalyzerConfig analyzer_option(const OptionSet& options) {
  index::AnalyzerConfig config;
  const bool inverted = is_inverted(options.get<std::string>("format"));
  if (options.get<std::string>("format") == "json-vectors") {
    for (const char* option : {"stemmer", "keep-case", "fold-accents", "fields"}) {
      if (options.has(option)) {
        throw UsageError(fmt::format("--{}: json-vectors takes terms as they are", option));
      }
    }
    return index::verbatim_analyzer();
  }
  config.tokenizer = options.get<std::string>("tokenizer");
  const bool verbatim = config.tokenizer == "verbatim";
  if (verbatim) check_verbatim(options);
  config.stemmer = options.has("stemmer") ? options.get<std::string>("stemmer")
                   : inverted || verbatim ? "none"
                                          : "english";
  set_stop_words(options.get<std::string>("stop-words"), config);
  config.lowercase = !verbatim && !options.has("keep-case");
  config.fold_accents = options.has("fold-accents");
  return config;
}

index::BuildOptions build_options(const OptionSet& options) {
  index::BuildOptions build;
  build.write.docid_codec = &codec_option(options, "codec");
  if (options.has("freq-codec")) build.write.freq_codec = &codec_option(options, "freq-codec");
  build.write.analyzer = analyzer_option(options);
  build.write.defaults = {options.get<float>("k1"), options.get<float>("b")};
  build.write.overwrite = options.has("overwrite");
  build.write.store_text = options.has("store");
  build.write.positions = !options.has("no-positions");
  return build;
}

/// Only cells of tables are cut into values: JSON has arrays.
void check_split(const OptionSet& options, const index::Schema& schema) {
  const auto& format = options.get<std::string>("format");
  if (format == "csv" || format == "tsv" || options.has("rows")) return;
  for (const index::FieldSpec& field : schema.fields()) {
    if (field.split.empty()) continue;
    throw UsageError(
        fmt::format("field '{}': split= is for cells of csv and tsv; {}", field.name,
                    format == "jsonl" ? "in jsonl several values are an array" : "leave it out"));
  }
}

}  // namespace

HelpText index_help() {
  constexpr std::size_t kColumns = 96;
  static const std::string description = R"(
Builds an index (a folder) from documents. The format is what --format says, else what the
endings of the input's names say (docs.jsonl.zst, news.warc.gz), else its first bytes; what may
be of two formats is refused. Without --output the index is called after the first input, in
the current folder: docs.gannet. Formats:
  jsonl     {"id": ..., "contents": ...}, one a line, one a file, or in an array
  tsv       id<TAB>text, one document a line; with --header a table with named columns
  csv       a table with commas, whose first line names the columns; values may be quoted
            (files of either without such a line: --columns id,title,...). The id is in the
            member or column that --id-field names, else in 'id', else in the first column;
            one called docno, docid, doc_id or _id is not passed over, but asked for.
  trectext  <DOC> <DOCNO> id </DOCNO> ... </DOC>
  json-vectors  {"id": ..., "vector": {"term": weight}}: terms as they are, with impacts,
            from a learned sparse model (SPLADE, uniCOIL); scored with 'impact'
  dir       a folder of text and HTML files, one document a file
  warc      pages in WARC files: ClueWeb, Common Crawl (also WET); arc: in ARC files
  trecweb   <DOC> <DOCNO> id </DOCNO> <DOCHDR> ... </DOCHDR> page </DOC>: GOV2, WT10g
            Of warc, arc and trecweb, --fields and --field take title, body, url, host, date,
            type and language (path=url, if the field is called otherwise).
  ds2i      posting lists: BASE.docs, BASE.freqs, BASE.sizes (--input BASE)
  ciff      posting lists in the Common Index File Format, one file
  wikipedia  articles in XML dumps of MediaWiki (pages-articles): --fields and --field take the
            same as of warc; redirects and other --namespaces are left out
Parquet files are read by the Python package: gannet.Index.build("x.parquet", "idx").
gzip, bzip2 and zstd files are read as they are; a folder stands for all files in it, but for
those with endings that no format has (.png, .pdf) beside others: a note counts them; and for
.json files beside .jsonl ones with an object that is no document: a note names them.
A record that is malformed stops the build with its file and line (warc, arc: byte); with
--on-error skip it is counted, and listed in the file that --skipped names. So does a file that
is cut off or cannot be read; with skip the records before that are kept, a warning names the
file, and the exit code is 8.
The same input gives the same bytes, whatever --threads and --memory. A build that is
interrupted leaves an index that was there before as it was. With --resume the same command
goes on where it was interrupted, be it by a power failure: what was read stays in
OUTPUT.unfinished, --step bytes of input at a time, until all is merged into OUTPUT, with the
bytes of a build at once, and with gannet-resume.json, by which the command knows that all is
done, until the next one writes there. It is refused if the input or an option changed meanwhile.

The index remembers how its text was analysed: queries need no such options.

Fields are values beside the text, to filter, sort and count by: --field NAME:TYPE, once for
each. The types are
)" + wrapped(index::type_names(), 0, kColumns) +
                                         R"(.
A stored text is shown, not searched; its codecs take bytes, as body:stored:deflate does.
Behind the type, with colons between: multi (a document may have several values), a codec
(default: auto, the smallest for each block; gpu-for and gpu-bp128 are larger and decoded
faster), split=SEPARATOR of cells in csv and tsv that have several values (tag:keyword:multi:split=;),
and at the end path=WHERE, if the member or column is not called NAME: dots lead into objects. Dates and times are ISO 8601. Documents may
lack a field: no member, null, an empty column. A field of type text is searched, beside the
main text and by title:word; behind the type: weight=2 (what its scores count; 0: only
title:word searches it), stemmer=, stop-words=, tokenizer=NAME, keep-case, fold-accents, where
it is not analysed as the main text, which may then be missing. --schema reads the same from a JSON file:
  [{"name": "year", "type": "i32"},
   {"name": "tag", "type": "keyword", "multi": true, "path": "meta.tags"}]
With --rows the fields of any format come from a table beside the documents: record i of it
belongs to document i of the input (of ds2i and ciff: docid i), so there must be as many.)";
  return {"gannet index PATH... [--output IDX] [OPTIONS]", description, R"(
  gannet index docs.jsonl.gz                          # makes docs.gannet
  gannet index docs.jsonl.gz -o idx --store
  zcat docs.jsonl.gz | gannet index - -f jsonl -o idx
  gannet index news/*.gz -f trectext -o idx --memory 8G
  gannet index --input mails.jsonl --format jsonl --fields subject,body --output idx \
               --stemmer german --on-error skip
  gannet index --input books.jsonl --format jsonl --output idx \
               --field year:i32 --field tag:keyword:multi:path=meta.tags --field price:decimal(2)
  gannet index --input news.jsonl --format jsonl --output idx \
               --field title:text:weight=2:stemmer=none
  gannet index --input shop.csv --format csv --fields title,text --output idx --schema shop.json
  gannet index --input splade/*.jsonl.gz --format json-vectors --output idx
  gannet index --input clueweb/*.warc.gz --format warc --output idx --fields title,body \
               --field url:keyword --field date:date --on-error skip
  gannet index --input collection.tsv --format tsv --output msmarco-passage
  gannet index --input msmarco-docs.tsv.gz --format tsv --columns docid,url,title,body \
               --fields title,body --field url:stored --output msmarco-doc
  gannet index --input msmarco_v2_passage --format jsonl --id-field pid --fields passage \
               --output msmarco-v2-passage --memory 16G --resume
  gannet index --input msmarco_v2_doc --format jsonl --id-field docid \
               --fields title,headings,body --field url:stored --output msmarco-v2-doc
  gannet index --input enwiki-latest-pages-articles-multistream.xml.bz2 --format wikipedia \
               --field title:text:weight=2 --field url:stored --output enwiki
  gannet index --input gov2 --format ds2i --output idx --codec gpu-vbyte128
  gannet index --input gov2 --format ds2i --output idx --rows gov2.csv.gz \
               --field host:keyword --field crawled:date
  mpirun -n 4 gannet index --mpi --input clueweb/*.warc.gz --format warc --output idx-shards)"};
}

IndexSetup index_setup(const OptionSet& options) {
  const auto& format = options.get<std::string>("format");
  IndexSetup setup{build_options(options), reader_options(options)};
  if (options.has("fields")) {
    setup.reader.fields = split_commas(options.get<std::string>("fields"));
    if (setup.reader.fields.empty()) throw UsageError("--fields names no field");
    setup.build.write.contents = setup.reader.fields;
    setup.reader.field_use = std::make_shared<corpora::FieldUse>(setup.reader.fields.size());
  }
  setup.build.write.schema = setup.reader.schema = schema_option(options);
  check_split(options, setup.reader.schema);
  if (setup.build.write.store_text && is_inverted(format)) {
    throw UsageError("--store: posting lists have no text to keep");
  }
  if (setup.build.write.store_text && format == "json-vectors") {
    throw UsageError("--store: vectors have no text to keep");
  }
  return setup;
}

void set_impacts(const OptionSet& options, const corpora::VectorWeights& weights,
                 IndexSetup& setup) {
  const auto bits = options.get<unsigned>("impact-bits");
  setup.reader.quantization = corpora::quantization_for(weights, bits);
  setup.build.write.defaults.payload = {true, setup.reader.quantization};
}

}  // namespace gannet::tools
