#include "tools/python/build_options.hpp"

#include <algorithm>
#include <string>
#include <vector>

#include "codecs/base/error.hpp"
#include "codecs/registry.hpp"
#include "tools/options/option_set.hpp"

#if defined(__GLIBC__)
#include <malloc.h>
#endif

namespace gannet::python {
namespace {

template <class T>
T take(const nb::dict& options, const char* name) {
  return nb::cast<T>(options[name]);
}

bool is_none(const nb::dict& options, const char* name) {
  return nb::object(options[name]).is_none();
}

std::string text_or(const nb::dict& options, const char* name, const char* otherwise) {
  return is_none(options, name) ? otherwise : take<std::string>(options, name);
}

index::AnalyzerConfig analyzer(const nb::dict& options, bool verbatim) {
  if (verbatim) return index::verbatim_analyzer();
  index::AnalyzerConfig config;
  config.tokenizer = take<std::string>(options, "tokenizer");
  config.stemmer = text_or(options, "stemmer", "english");
  config.stopwords = take<std::string>(options, "stopwords");
  config.lowercase = !take<bool>(options, "keep_case");
  config.fold_accents = take<bool>(options, "fold_accents");
  return config;
}

/// Fields as `gannet index --field` spells them, and as --schema has them.
index::Schema schema(const nb::dict& options) {
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
  build.write.docid_codec = &codecs::list_codec_named(take<std::string>(options, "codec"));
  if (!is_none(options, "freq_codec")) {
    build.write.freq_codec = &codecs::list_codec_named(take<std::string>(options, "freq_codec"));
  }
  build.write.analyzer = analyzer(options, verbatim);
  build.write.defaults = {take<float>(options, "k1"), take<float>(options, "b")};
  if (const auto problem =
          index::scoring_problem(build.write.defaults.k1, build.write.defaults.b)) {
    throw UsageError(*problem);
  }
  build.write.overwrite = take<bool>(options, "overwrite");
  build.write.store_text = take<bool>(options, "store");
  build.memory = tools::parse_size("memory", take<std::string>(options, "memory"));
  build.threads = take<unsigned>(options, "threads");
  build.memory_freed = return_free_memory;
  return build;
}

}  // namespace

BuildRequest build_request(const nb::dict& options, bool verbatim) {
  BuildRequest request;
  request.build = build_options(options, verbatim);
  request.build.write.schema = request.reader.schema = schema(options);
  const auto policy = take<std::string>(options, "on_error");
  if (policy != "stop" && policy != "skip") {
    throw UsageError("on_error: '" + policy + "' is neither 'stop' nor 'skip'");
  }
  request.reader.malformed =
      policy == "skip" ? corpora::Malformed::kSkip : corpora::Malformed::kStop;
  request.reader.max_record_bytes =
      std::min(request.reader.max_record_bytes, index::record_limit(request.build.memory));
  request.reader.header = take<bool>(options, "header");
  request.reader.columns = take<std::vector<std::string>>(options, "columns");
  request.reader.id_field = take<std::string>(options, "id_field");
  request.reader.encoding = take<std::string>(options, "encoding");
  request.reader.fields = take<std::vector<std::string>>(options, "fields");
  request.impact_bits = take<unsigned>(options, "impact_bits");
  tools::check_range("impact_bits", request.impact_bits, 1, 16);
  return request;
}

}  // namespace gannet::python
