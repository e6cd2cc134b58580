#include "tools/python/build_options.hpp"

#include <algorithm>
#include <string>
#include <vector>

#include "codecs/base/error.hpp"
#include "codecs/registry.hpp"
#include "corpora/documents/rows.hpp"
#include "tools/building/stop_words_option.hpp"
#include "tools/options/table/building.hpp"
#include "tools/python/option_table.hpp"

#if defined(__GLIBC__)
#include <malloc.h>
#endif

namespace gannet::python {
namespace {

namespace table = tools::options;

template <class T>
T take(const nb::dict& options, const char* name) {
  return nb::cast<T>(options[name]);
}

bool is_none(const nb::dict& options, const char* name) {
  return nb::object(options[name]).is_none();
}

/// A name that the row allows.
std::string name(const nb::dict& options, const char* option, const tools::Option& row) {
  auto given = take<std::string>(options, option);
  check_value(option, row, given);
  return given;
}

const codecs::ListCodec& list_codec(const nb::dict& options, const char* option) {
  return codecs::list_codec_named(name(options, option, table::kCodec));
}

index::AnalyzerConfig analyzer_config(const nb::dict& options, bool verbatim) {
  if (verbatim) return index::verbatim_analyzer();
  index::AnalyzerConfig config;
  config.tokenizer = name(options, "tokenizer", table::kTokenizer);
  const bool raw = config.tokenizer == "verbatim";
  config.stemmer = !is_none(options, "stemmer") ? name(options, "stemmer", table::kStemmer)
                   : raw                        ? "none"
                                                : "english";
  const nb::object stop_words = options["stop_words"];
  if (nb::isinstance<nb::str>(stop_words)) {
    tools::set_stop_words(text_value("stop_words", stop_words), config);
  } else {
    config.stopword_list = take<std::vector<std::string>>(options, "stop_words");
  }
  config.lowercase = !raw && !take<bool>(options, "keep_case");
  config.fold_accents = take<bool>(options, "fold_accents");
  return config;
}

/// Fields as `gannet index --field` spells them, and as --schema has them.
index::Schema schema_of(const nb::dict& options) {
  std::vector<index::FieldSpec> fields;
  const auto json = take<std::string>(options, "schema_json");
  if (!json.empty()) fields = index::parse_schema(json, "schema");
  for (const std::string& field : take<std::vector<std::string>>(options, "schema_fields")) {
    fields.push_back(index::parse_field(field));
  }
  return index::Schema(std::move(fields));
}

void return_free_memory() {
#if defined(__GLIBC__)
  malloc_trim(0);
#endif
}

index::BuildOptions build_options(const nb::dict& options, bool verbatim) {
  index::BuildOptions build;
  build.write.docid_codec = &list_codec(options, "codec");
  if (!is_none(options, "freq_codec")) {
    build.write.freq_codec = &list_codec(options, "freq_codec");
  }
  build.write.analyzer = analyzer_config(options, verbatim);
  build.write.defaults = {value_of<float>(options, "k1", table::kK1),
                          value_of<float>(options, "b", table::kB)};
  build.write.overwrite = take<bool>(options, "overwrite");
  build.write.store_text = take<bool>(options, "store");
  build.write.positions = take<bool>(options, "positions");
  build.memory = tools::parse_size("memory", take<std::string>(options, "memory"));
  build.threads = value_of<unsigned>(options, "threads", table::kThreads);
  build.memory_freed = return_free_memory;
  return build;
}

}  // namespace

std::unique_ptr<index::DocumentSource> BuildRequest::open_rows(const std::stop_token& stop) const {
  if (rows.empty()) return nullptr;
  corpora::ReaderOptions options = reader;
  options.schema = build.write.schema;
  options.stop = stop;
  return corpora::open_rows(rows, options);
}

BuildRequest build_request(const nb::dict& options, bool verbatim) {
  BuildRequest request;
  request.build = build_options(options, verbatim);
  request.build.write.schema = request.reader.schema = schema_of(options);
  request.reader.malformed = value_of<corpora::Malformed>(options, "on_error", table::kOnError);
  request.reader.max_record_bytes =
      std::min(request.reader.max_record_bytes, index::record_limit(request.build.memory));
  request.reader.header = take<bool>(options, "header");
  request.reader.columns = take<std::vector<std::string>>(options, "columns");
  request.reader.id_field = take<std::string>(options, "id_field");
  request.reader.encoding = take<std::string>(options, "encoding");
  request.reader.page_ids = value_of<corpora::PageIds>(options, "page_ids", table::kPageIds);
  request.reader.namespaces = take<std::vector<int>>(options, "namespaces");
  request.reader.fields = take<std::vector<std::string>>(options, "fields");
  request.build.write.contents = request.reader.fields;  // additions read the same texts
  for (const std::string& file : take<std::vector<std::string>>(options, "rows")) {
    request.rows.emplace_back(file);
  }
  if (!request.rows.empty()) request.reader.schema = index::Schema();
  request.impact_bits = value_of<unsigned>(options, "impact_bits", table::kImpactBits);
  return request;
}

}  // namespace gannet::python
