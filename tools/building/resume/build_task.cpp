#include "tools/building/resume/build_task.hpp"

#include <fmt/format.h>
#include <fmt/ranges.h>
#include <simdjson.h>

#include <chrono>
#include <string>
#include <system_error>
#include <utility>

#include "codecs/base/error.hpp"
#include "corpora/documents/bytes/byte_stream.hpp"
#include "index/manifest/manifest.hpp"
#include "tools/building/build_input.hpp"
#include "tools/building/stop_words_option.hpp"

namespace gannet::tools {
namespace {

namespace fs = std::filesystem;

/// Memory and threads change nothing of an index, and neither does where a step ends.
constexpr const char* kTexts[] = {"format",     "encoding",  "page-ids", "namespaces",
                                  "columns",    "id-field",  "on-error", "codec",
                                  "freq-codec", "tokenizer", "stemmer",  "fields"};
constexpr const char* kFlags[] = {"header", "store", "no-positions", "keep-case", "fold-accents"};

void check_task(const OptionSet& options) {
  if (is_inverted(options.get<std::string>("format"))) {
    throw UsageError("--resume: posting lists are not read in steps");
  }
  if (options.has("rows")) {
    throw UsageError("--resume: --rows are read to their end before the documents");
  }
}

std::vector<std::pair<std::string, std::string>> settings_of(const OptionSet& options) {
  std::vector<std::pair<std::string, std::string>> settings;
  for (const char* name : kTexts) {
    settings.emplace_back(name, options.has(name) ? options.get<std::string>(name) : "");
  }
  for (const char* name : kFlags) settings.emplace_back(name, options.has(name) ? "given" : "");
  settings.emplace_back("impact-bits", std::to_string(options.get<unsigned>("impact-bits")));
  settings.emplace_back("k1", fmt::format("{}", options.get<float>("k1")));
  settings.emplace_back("b", fmt::format("{}", options.get<float>("b")));
  std::string fields;
  if (options.has("field")) {
    for (const std::string& field : options.get<std::vector<std::string>>("field")) {
      fields += field + '\n';
    }
  }
  settings.emplace_back("field", fields);
  index::AnalyzerConfig stop_words;
  set_stop_words(options.get<std::string>("stop-words"), stop_words);
  settings.emplace_back("stop-words", fmt::format("{} {}", stop_words.stopwords,
                                                  fmt::join(stop_words.stopword_list, " ")));
  constexpr std::size_t kMaxSchema = std::size_t{1} << 24;
  settings.emplace_back(
      "schema", options.has("schema")
                    ? corpora::read_whole_file(options.get<std::string>("schema"), kMaxSchema)
                    : "");
  return settings;
}

/// Names of files may have any bytes; what is kept of them is compared, and shown.
std::string as_utf8(const std::string& name) {
  if (simdjson::validate_utf8(name)) return name;
  std::string text;
  for (const char c : name) {
    const auto byte = static_cast<unsigned char>(c);
    text += byte < 0x80 ? std::string(1, c) : fmt::format("\\x{:02X}", byte);
  }
  return text;
}

BuildTask::Input input_of(const corpora::InputFile& file) {
  std::error_code error;
  if (!fs::is_regular_file(file.path, error)) {
    throw UsageError("--resume: " + file.path.string() +
                     ": is a pipe or a device, which cannot be read again after an interruption: "
                     "only files can. Write it to a file first, or build without --resume");
  }
  const auto modified = fs::last_write_time(file.path, error);
  if (error) throw IoError(file.path.string() + ": cannot be read: " + error.message());
  return {
      as_utf8(file.path.string()), file.bytes,
      std::chrono::duration_cast<std::chrono::nanoseconds>(modified.time_since_epoch()).count()};
}

}  // namespace

BuildTask build_task(const OptionSet& options, const std::vector<fs::path>& inputs,
                     const corpora::ReaderOptions& reader) {
  check_task(options);
  BuildTask task{index::library_version(), settings_of(options), {}};
  for (const corpora::InputFile& file : corpora::input_files(inputs, reader.stop)) {
    task.inputs.push_back(input_of(file));
  }
  return task;
}

}  // namespace gannet::tools
