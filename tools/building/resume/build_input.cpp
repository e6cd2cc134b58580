#include "tools/building/build_input.hpp"

#include <fmt/format.h>

#include <algorithm>
#include <iterator>

#include "codecs/base/error.hpp"
#include "corpora/documents/rows.hpp"
#include "corpora/lists/ciff.hpp"
#include "corpora/lists/ds2i.hpp"
#include "tools/building/free_memory.hpp"
#include "tools/building/output_paths.hpp"
#include "tools/building/resume/resumable_build.hpp"
#include "tools/terminal/input_path.hpp"
#include "tools/terminal/print.hpp"

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

corpora::PageIds page_ids_of(const std::string& name) {
  if (name == "auto") return corpora::PageIds::kAutomatic;
  if (name == "record") return corpora::PageIds::kRecord;
  if (name == "url") return corpora::PageIds::kUrl;
  if (name == "title") return corpora::PageIds::kTitle;
  throw UsageError(fmt::format("--page-ids: '{}' is none of auto, record, url and title", name));
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

void declare_build_input(OptionSet& options) {
  options.add("input", texts()->multitoken()->required(), "files and folders; '-': stdin");
  options.add(
      "format", text()->required(),
      "jsonl, tsv, csv, trectext, json-vectors, dir, warc, arc, trecweb, wikipedia, ds2i or "
      "ciff");
  options.add("page-ids", text("auto"),
              "warc, arc, trecweb: auto (TREC's and ClueWeb's, else the record's), record or url; "
              "wikipedia: auto (the page's number), url or title");
  options.add("namespaces", text("0"),
              "wikipedia: which pages, by number: 0 (the articles), or 0,14");
  options.flag("header", "tsv: the first line names the columns (id, or the first, is the id)");
  options.add("columns", text(),
              "tsv, csv without such a line: the names of the columns, with commas between");
  options.add("id-field", text(),
              "jsonl, json-vectors: the member with the id (default: id); tables: the column");
  options.add("encoding", text(),
              "jsonl, tsv, csv, trectext, dir (plain text): what the input is written in if not "
              "UTF-8: windows-1252, utf-16le, shift_jis, ... (WHATWG's labels)");
  options.add("rows", texts()->multitoken(),
              "*.csv, *.tsv (with a header) or *.jsonl: record i has the fields of document i");
  options.add("on-error", text("stop"),
              "at a malformed record: stop or skip (--rows: leave out what is no value)");
  options.add(
      "skipped", text(),
      "with --on-error skip, or dir: a file that gets a line for each record or file that is "
      "skipped");
  options.add("memory", text("2G"), "most memory the build takes: 512M, 8G");
  options.add("threads", number<unsigned>(0), "0: all cores");
  options.flag("quiet", "no progress line and no summary");
}

bool is_inverted(std::string_view format) { return format == "ds2i" || format == "ciff"; }

corpora::ReaderOptions reader_options(const OptionSet& options) {
  corpora::ReaderOptions reader;
  const auto& policy = options.get<std::string>("on-error");
  if (policy != "stop" && policy != "skip") {
    throw UsageError(fmt::format("--on-error: '{}' is neither 'stop' nor 'skip'", policy));
  }
  reader.malformed = policy == "skip" ? corpora::Malformed::kSkip : corpora::Malformed::kStop;
  reader.header = options.has("header");
  if (options.has("columns")) {
    reader.columns = split_commas(options.get<std::string>("columns"));
    if (reader.columns.empty()) throw UsageError("--columns names no column");
  }
  if (options.has("encoding")) reader.encoding = options.get<std::string>("encoding");
  if (options.has("id-field")) reader.id_field = options.get<std::string>("id-field");
  reader.namespaces = namespaces_of(options.get<std::string>("namespaces"));
  reader.page_ids = page_ids_of(options.get<std::string>("page-ids"));
  return reader;
}

BuildRun::BuildRun(const OptionSet& options, index::BuildOptions& build,
                   corpora::ReaderOptions& reader)
    : options_(options), progress_(options.has("quiet")) {
  build.memory = parse_size("--memory", options.get<std::string>("memory"));
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
    print(stderr, "gannet: {} (passed over)\n", what);
  } else {
    print(stderr, "gannet: more files are passed over{}\n",
          skipped_ ? "" : "; --skipped FILE lists all");
  }
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
  return corpora::open_documents(corpora::document_format(format), inputs(), reader);
}

}  // namespace gannet::tools
