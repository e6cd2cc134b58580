#include "tools/building/build_input.hpp"

#include <fmt/format.h>

#include <algorithm>
#include <iterator>

#include "codecs/base/error.hpp"
#include "corpora/documents/rows.hpp"
#include "corpora/documents/sources/fields.hpp"
#include "corpora/documents/sources/format_guess.hpp"
#include "corpora/lists/ciff.hpp"
#include "corpora/lists/ds2i.hpp"
#include "tools/building/free_memory.hpp"
#include "tools/building/output_paths.hpp"
#include "tools/building/resume/resumable_build.hpp"
#include "tools/terminal/input_path.hpp"
#include "tools/terminal/notes.hpp"

namespace gannet::tools {
namespace {

/// Opens --rows. What they have, the reader of the documents is not to look for.
std::unique_ptr<index::DocumentSource> open_rows(const OptionSet& options,
                                                 corpora::ReaderOptions& reader) {
  if (!options.has("rows")) return nullptr;
  if (reader.schema.empty()) {
    throw UsageError("--rows: say which fields they have: --field NAME:TYPE for each, or --schema");
  }
  if (reader.malformed == corpora::Malformed::kSkip &&
      !is_inverted(options.get<std::string>("format"))) {
    throw UsageError(
        "--on-error skip: a document that is skipped would shift the --rows of those behind it");
  }
  const auto& names = options.get<std::vector<std::string>>("rows");
  auto rows = corpora::open_rows({names.begin(), names.end()}, reader);
  reader.schema = {};
  return rows;
}

/// "0,14" as numbers.
std::vector<int> namespaces_of(const std::string& list) {
  std::vector<int> numbers;
  for (const std::string& part : split_commas(list)) {
    const auto number = corpora::parse_number<int>(part);
    if (!number) throw UsageError(fmt::format("--namespaces: '{}' is no number", part));
    numbers.push_back(*number);
  }
  if (numbers.empty()) throw UsageError("--namespaces names none");
  return numbers;
}

/// What is appended to a file that is read would be read, and listed, again and again.
void check_skipped(const OptionSet& options) {
  const auto& list = options.get<std::string>("skipped");
  for (const char* const name : {"input", "rows"}) {
    if (!options.has(name)) continue;
    for (const std::string& input : options.get<std::vector<std::string>>(name)) {
      if (!lies_in(list, input)) continue;
      throw UsageError(
          fmt::format("--skipped {}: is read as --{} {}; put it elsewhere", list, name, input));
    }
  }
}

/// A list grows only where the build that it is of goes on.
OldList old_list(const OptionSet& options) {
  if (options.has("resume") && was_interrupted(options.get<std::string>("output"))) {
    return OldList::kAppend;
  }
  return options.has("overwrite") ? OldList::kReplace : OldList::kRefuse;
}

}  // namespace

bool is_inverted(std::string_view format) { return format == "ds2i" || format == "ciff"; }

corpora::ReaderOptions reader_options(const OptionSet& options) {
  corpora::ReaderOptions reader;
  reader.malformed = options.choice<corpora::Malformed>("on-error");
  reader.header = options.has("header");
  if (options.has("columns")) {
    reader.columns = split_commas(options.get<std::string>("columns"));
    if (reader.columns.empty()) throw UsageError("--columns names no column");
  }
  reader.encoding = options.get<std::string>("encoding");
  reader.id_field = options.get<std::string>("id-field");
  reader.namespaces = namespaces_of(options.get<std::string>("namespaces"));
  reader.page_ids = options.choice<corpora::PageIds>("page-ids");
  return reader;
}

BuildRun::BuildRun(const OptionSet& options, index::BuildOptions& build,
                   corpora::ReaderOptions& reader)
    : options_(options), progress_(options.has("quiet")) {
  build.memory = options.get<std::uint64_t>("memory");
  build.threads = options.get<unsigned>("threads");
  build.stop = reader.stop = guard_.token();
  reader.max_record_bytes = std::min(reader.max_record_bytes, index::record_limit(build.memory));
  if (options.has("skipped")) {
    if (reader.malformed != corpora::Malformed::kSkip &&
        options.get<std::string>("format") != "dir") {
      throw UsageError("--skipped: nothing is skipped without --on-error skip");
    }
    check_skipped(options);
    skipped_.emplace(options.get<std::string>("skipped"), old_list(options), build.stop);
    reader.on_skipped = [this](std::string_view problem) { skipped_->add(problem); };
  }
  reader.on_passed_over = [this](std::string_view what) { pass_over(what); };
  reader.on_left_out = [this](const std::filesystem::path& file) { leave_out(file); };
  rows_ = open_rows(options, reader);
  build.rows = rows_.get();
  build.memory_freed = return_free_memory;
  build.progress = [this](std::string_view stage, std::uint64_t done, std::uint64_t total) {
    opened();  // both, or there would be no progress
    const bool reads = stage == "inverting" || stage == "reading rows";
    progress_.update(stage, done, total, reads ? ProgressUnit::kBytes : ProgressUnit::kCount);
  };
}

void BuildRun::opened(bool first) {
  if (skipped_) skipped_->begin(first);
}

void BuildRun::pass_over(std::string_view what) {
  constexpr std::uint64_t kShown = 5;
  if (skipped_) skipped_->add(what);
  if (passed_over_++ > kShown) return;
  if (passed_over_ <= kShown) {
    note("{} (passed over)", what);
  } else {
    note("more files are passed over{}", skipped_ ? "" : "; --skipped FILE lists all");
  }
}

void BuildRun::leave_out(const std::filesystem::path& file) {
  const std::string ending = corpora::ending_without_packing(file);
  ++left_out_[ending];
  if (skipped_) skipped_->add(file.string() + ": left out for its ending");
}

std::uint64_t BuildRun::left_out() const {
  if (options_.get<std::string>("format") == "dir") return 0;
  std::uint64_t files = 0;
  for (const auto& [ending, count] : left_out_) files += count;
  return files;
}

void BuildRun::tell_left_out() const {
  constexpr std::size_t kShown = 8;
  if (left_out_.empty()) return;
  std::string endings;
  std::size_t number = 0;
  for (const auto& [ending, count] : left_out_) {
    if (++number > kShown) continue;
    endings += fmt::format("{}{} ({})", endings.empty() ? "" : ", ",
                           ending.empty() ? "no ending" : ending, with_commas(count));
  }
  note("left out files with endings that {} does not read: {}{}",
       options_.get<std::string>("format"), endings, number > kShown ? ", ..." : "");
}

std::vector<std::filesystem::path> BuildRun::inputs() const {
  const auto& names = options_.get<std::vector<std::string>>("input");
  std::vector<std::filesystem::path> paths;
  std::ranges::transform(names, std::back_inserter(paths), input_path);
  return paths;
}

std::unique_ptr<index::InvertedSource> BuildRun::open_inverted() const {
  const auto& format = options_.get<std::string>("format");
  const bool ciff = format == "ciff";
  const auto paths = inputs();
  if (paths.size() != 1) {
    throw UsageError(
        fmt::format("--format {} takes one --input: the {}", format, ciff ? "file" : "base name"));
  }
  return ciff ? corpora::open_ciff(paths[0], guard_.token())
              : corpora::open_ds2i(paths[0], guard_.token());
}

std::unique_ptr<index::DocumentSource> BuildRun::open_documents(
    const corpora::ReaderOptions& reader) const {
  const auto& format = options_.get<std::string>("format");
  auto documents = corpora::open_documents(corpora::document_format(format), inputs(), reader);
  tell_left_out();
  return documents;
}

}  // namespace gannet::tools
