#include "tools/building/build_input.hpp"

#include <fmt/format.h>

#include "codecs/error.hpp"
#include "corpora/documents/tables/rows.hpp"
#include "corpora/lists/ciff.hpp"
#include "corpora/lists/ds2i.hpp"
#include "tools/building/free_memory.hpp"

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
  throw UsageError(fmt::format("--page-ids: '{}' is none of auto, record and url", name));
}

}  // namespace

void declare_build_input(OptionSet& options) {
  options.add("input", texts()->multitoken()->required(), "files and folders");
  options.add("format", text()->required(),
              "jsonl, tsv, csv, trectext, json-vectors, dir, warc, arc, trecweb, ds2i or ciff");
  options.add("page-ids", text("auto"),
              "warc, arc, trecweb: auto (TREC's and ClueWeb's, else the record's), record or url");
  options.flag("header", "tsv: the first line names the columns (id, or the first, is the id)");
  options.add("rows", texts()->multitoken(),
              "*.csv, *.tsv (with a header) or *.jsonl: record i has the fields of document i");
  options.add("on-error", text("stop"),
              "at a malformed record: stop or skip (--rows: leave out what is no value)");
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
  reader.page_ids = page_ids_of(options.get<std::string>("page-ids"));
  return reader;
}

BuildRun::BuildRun(const OptionSet& options, index::BuildOptions& build,
                   corpora::ReaderOptions& reader)
    : options_(options), progress_(options.has("quiet")) {
  build.memory = parse_size("--memory", options.get<std::string>("memory"));
  build.threads = options.get<unsigned>("threads");
  build.stop = reader.stop = guard_.token();
  rows_ = open_rows(options, reader);
  build.rows = rows_.get();
  build.memory_freed = return_free_memory;
  build.progress = [this](std::string_view stage, std::uint64_t done, std::uint64_t total) {
    const bool reads = stage == "inverting" || stage == "reading rows";
    progress_.update(stage, done, total, reads ? ProgressUnit::kBytes : ProgressUnit::kCount);
  };
}

std::vector<std::filesystem::path> BuildRun::inputs() const {
  const auto& names = options_.get<std::vector<std::string>>("input");
  return {names.begin(), names.end()};
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
