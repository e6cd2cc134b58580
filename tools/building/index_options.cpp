#include "tools/building/index_options.hpp"

#include <fmt/format.h>

#include <string>
#include <utility>
#include <vector>

#include "codecs/base/error.hpp"
#include "codecs/registry.hpp"
#include "corpora/documents/bytes/byte_stream.hpp"
#include "index/text/words/suggest.hpp"
#include "tools/building/build_input.hpp"

namespace gannet::tools {
namespace {

index::Schema schema_option(const OptionSet& options) {
  std::vector<index::FieldSpec> fields;
  if (options.has("schema")) {
    const auto& path = options.get<std::string>("schema");
    constexpr std::size_t kLargest = std::size_t{1} << 24;
    fields = index::parse_schema(corpora::read_whole_file(path, kLargest), path);
  }
  if (options.has("field")) {
    for (const std::string& field : options.get<std::vector<std::string>>("field")) {
      fields.push_back(index::parse_field(field));
    }
  }
  return index::Schema(std::move(fields));
}

const codecs::ListCodec& codec_option(const OptionSet& options, const std::string& option) {
  const auto& name = options.get<std::string>(option);
  std::vector<std::string> names;
  for (const codecs::ListCodec& codec : codecs::all_list_codecs()) {
    if (codec.name == name) return codec;
    names.emplace_back(codec.name);
  }
  throw UsageError(fmt::format("--{}: unknown codec '{}'{}; there are {}", option, name,
                               index::did_you_mean(name, names), codecs::list_codec_names()));
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
  config.stemmer = options.has("stemmer") ? options.get<std::string>("stemmer")
                   : inverted             ? "none"
                                          : "english";
  config.stopwords = options.get<std::string>("stopwords");
  config.lowercase = !options.has("keep-case");
  config.fold_accents = options.has("fold-accents");
  return config;
}

index::BuildOptions build_options(const OptionSet& options) {
  index::BuildOptions build;
  build.write.docid_codec = &codec_option(options, "codec");
  if (options.has("freq-codec")) build.write.freq_codec = &codec_option(options, "freq-codec");
  build.write.analyzer = analyzer_option(options);
  build.write.defaults = {options.get<float>("k1"), options.get<float>("b")};
  if (const auto problem =
          index::scoring_problem(build.write.defaults.k1, build.write.defaults.b)) {
    throw UsageError("--" + *problem);
  }
  build.write.overwrite = options.has("overwrite");
  build.write.store_text = options.has("store");
  return build;
}

}  // namespace

HelpText index_help() {
  return {
      "gannet index --input PATH... --format FORMAT --output IDX [OPTIONS]",
      "Builds an index (a folder) from documents. Formats:\n"
      "  jsonl     {\"id\": ..., \"contents\": ...}, one a line, one a file, or in an array\n"
      "  tsv       id<TAB>text, one document a line; with --header a table with named columns\n"
      "  csv       a table with commas, whose first line names the columns; values may be quoted\n"
      "            (files of either without such a line: --columns id,title,...). The id is in "
      "the\n"
      "            member or column that --id-field names, else in 'id', else in the first "
      "column.\n"
      "  trectext  <DOC> <DOCNO> id </DOCNO> ... </DOC>\n"
      "  json-vectors  {\"id\": ..., \"vector\": {\"term\": weight}}: terms as they are, with "
      "impacts,\n"
      "            from a learned sparse model (SPLADE, uniCOIL); scored with 'impact'\n"
      "  dir       a folder of text and HTML files, one document a file\n"
      "  warc      pages in WARC files: ClueWeb, Common Crawl (also WET); arc: in ARC files\n"
      "  trecweb   <DOC> <DOCNO> id </DOCNO> <DOCHDR> ... </DOCHDR> page </DOC>: GOV2, WT10g\n"
      "            Of warc, arc and trecweb, --fields and --field take title, body, url, host, "
      "date,\n"
      "            type and language (path=url, if the field is called otherwise).\n"
      "  ds2i      posting lists: BASE.docs, BASE.freqs, BASE.sizes (--input BASE)\n"
      "  ciff      posting lists in the Common Index File Format, one file\n"
      "  wikipedia  articles in XML dumps of MediaWiki (pages-articles): --fields and --field take "
      "the\n"
      "            same as of warc; redirects and other --namespaces are left out\n"
      "Parquet files are read by the Python package: gannet.Index.build(\"x.parquet\", \"idx\").\n"
      "gzip, bzip2 and zstd files are read as they are; a folder stands for all files in it.\n"
      "A record that is malformed stops the build with its file and line (warc, arc: byte); with\n"
      "--on-error skip it is counted, and listed in the file that --skipped names.\n"
      "The same input gives the same bytes, whatever --threads and --memory. A build that is\n"
      "interrupted leaves an index that was there before as it was. With --resume the same "
      "command\n"
      "goes on where it was interrupted, be it by a power failure: what was read stays in\n"
      "OUTPUT.unfinished, --step bytes of input at a time, until all is merged into OUTPUT, with "
      "the\n"
      "bytes of a build at once, and with gannet-resume.json, by which the command knows that all "
      "is\n"
      "done, until the next one writes there. It is refused if the input or an option changed "
      "meanwhile.\n\n"
      "The index remembers how its text was analysed: queries need no such options.\n\n"
      "Fields are values beside the text, to filter, sort and count by: --field NAME:TYPE, once "
      "for\n"
      "each. Types: i8 i16 i32 i64 u8 u16 u32 u64 decimal(DIGITS) f32 f64 date time bool keyword\n"
      "stored (a text to be shown, not searched; codecs that take bytes, as body:stored:deflate) "
      "text.\n"
      "Behind the type, with colons between: multi (a document may have several values), a codec\n"
      "(default: auto, the smallest for each block; gpu-for and gpu-bp128 are larger and decoded\n"
      "faster), and at the end path=WHERE, if the member or column is not called NAME: dots lead\n"
      "into objects. Dates and times are ISO 8601. Documents may\n"
      "lack a field: no member, null, an empty column. A field of type text is searched, beside "
      "the\n"
      "main text and by title:word; behind the type: weight=2 (what its scores count; 0: only\n"
      "title:word searches it), stemmer=, stopwords=, tokenizer=NAME, keep-case, fold-accents, "
      "where\n"
      "it is not analysed as the main text, which may then be missing. --schema reads the same "
      "from "
      "a JSON file:\n"
      "  [{\"name\": \"year\", \"type\": \"i32\"},\n"
      "   {\"name\": \"tag\", \"type\": \"keyword\", \"multi\": true, \"path\": \"meta.tags\"}]\n"
      "With --rows the fields of any format come from a table beside the documents: record i of "
      "it\n"
      "belongs to document i of the input (of ds2i and ciff: docid i), so there must be as many.",
      "  gannet index --input docs.jsonl.gz --format jsonl --output idx --store\n"
      "  gannet index --input news/*.gz --format trectext --output idx --memory 8G\n"
      "  gannet index --input mails.jsonl --format jsonl --fields subject,body --output idx \\\n"
      "               --stemmer german --on-error skip\n"
      "  gannet index --input books.jsonl --format jsonl --output idx \\\n"
      "               --field year:i32 --field tag:keyword:multi:path=meta.tags "
      "--field price:decimal(2)\n"
      "  gannet index --input news.jsonl --format jsonl --output idx \\\n"
      "               --field title:text:weight=2:stemmer=none\n"
      "  gannet index --input shop.csv --format csv --fields title,text --output idx "
      "--schema shop.json\n"
      "  gannet index --input splade/*.jsonl.gz --format json-vectors --output idx\n"
      "  gannet index --input clueweb/*.warc.gz --format warc --output idx --fields title,body \\\n"
      "               --field url:keyword --field date:date --on-error skip\n"
      "  gannet index --input collection.tsv --format tsv --output msmarco-passage\n"
      "  gannet index --input msmarco-docs.tsv.gz --format tsv --columns docid,url,title,body \\\n"
      "               --fields title,body --field url:stored --output msmarco-doc\n"
      "  gannet index --input msmarco_v2_passage --format jsonl --id-field pid --fields passage "
      "\\\n"
      "               --output msmarco-v2-passage --memory 16G --resume\n"
      "  gannet index --input msmarco_v2_doc --format jsonl --id-field docid \\\n"
      "               --fields title,headings,body --field url:stored --output msmarco-v2-doc\n"
      "  gannet index --input enwiki-latest-pages-articles-multistream.xml.bz2 --format wikipedia "
      "\\\n"
      "               --field title:text:weight=2 --field url:stored --output enwiki\n"
      "  gannet index --input gov2 --format ds2i --output idx --codec gpu-vbyte128\n"
      "  gannet index --input gov2 --format ds2i --output idx --rows gov2.csv.gz \\\n"
      "               --field host:keyword --field crawled:date\n"
      "  mpirun -n 4 gannet index --mpi --input clueweb/*.warc.gz --format warc --output "
      "idx-shards"};
}

void declare_index_options(OptionSet& options) {
  declare_build_input(options);
  options.add("output", text()->required(), "the index to make (a folder)");
  options.flag("overwrite", "replace the index that is there");
  options.flag("resume",
               "build in steps that survive an interruption, and go on with what one left");
  options.add("step", text(),
              "with --resume: how much input makes a step: 512M, 64G (default: 4G)");
  options.add("codec", text("gpu-bp128"), "of docids: " + codecs::list_codec_names());
  options.add("freq-codec", text(),
              "of frequencies (default: that of docids; gpu-bp128 for gpu-dfor)");
  options.flag("store", "keep the text, compressed, to show it with hits");
  options.add("tokenizer", text("unicode"), "unicode (runs of letters and digits) or whitespace");
  options.add("stemmer", text(),
              "a Snowball language, or none (default: english; none for ds2i and ciff, whose terms "
              "are taken "
              "as they are: name the stemmer that made them, and queries will be stemmed so)");
  options.add("stopwords", text("none"), "none or english");
  options.flag("keep-case", "do not fold case");
  options.flag("fold-accents", "drop accents of Latin, Greek and Cyrillic letters: cafe is café");
  options.add("fields", text(),
              "the text to index, with commas between (jsonl: contents; tables: all columns but "
              "those of --field)");
  options.add("field", texts()->composing(),
              "a field, as year:i32, tag:keyword:multi or title:text; may be repeated");
  options.add("schema", text(), "a JSON file with fields");
  options.add("impact-bits", number<unsigned>(8),
              "json-vectors: bits of impacts, 1 to 16, if the weights are no whole numbers");
  options.add("order", text(),
              "the order of the documents (gannet help reorder): bisection, id, url, "
              "field:NAME, random, file:PATH; default: the order of the input");
  options.add("k1", number(0.9f), "BM25 default of the index");
  options.add("b", number(0.4f), "BM25 default of the index, 0 to 1");
  options.flag("mpi",
               "the processes that mpirun started take files of the input each; the output becomes "
               "a set of shards");
}

IndexSetup index_setup(const OptionSet& options) {
  const auto& format = options.get<std::string>("format");
  IndexSetup setup{build_options(options), reader_options(options)};
  if (options.has("fields")) {
    setup.reader.fields = split_commas(options.get<std::string>("fields"));
    if (setup.reader.fields.empty()) throw UsageError("--fields names no field");
    setup.build.write.contents = setup.reader.fields;
  }
  setup.build.write.schema = setup.reader.schema = schema_option(options);
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
  check_range("--impact-bits", bits, 1, 16);
  setup.reader.quantization = corpora::quantization_for(weights, bits);
  setup.build.write.defaults.payload = {true, setup.reader.quantization};
}

}  // namespace gannet::tools
