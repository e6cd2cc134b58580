#include "tools/building/build_output.hpp"

#include <algorithm>

#include "tools/building/build_warnings.hpp"
#include "tools/building/order_run.hpp"
#include "tools/terminal/json.hpp"
#include "tools/terminal/notes.hpp"
#include "tools/terminal/print.hpp"
#include "tools/terminal/progress.hpp"

namespace gannet::tools {
namespace {

Json build_json(const std::string& output, const index::BuildReport& report) {
  const index::Statistics& statistics = report.statistics;
  return {
      {"index", output},
      {"documents", report.live_documents()},
      {"terms", statistics.terms},
      {"postings", statistics.postings},
      {"tokens", statistics.tokens},
      {"text_bytes", report.text_bytes},
      {"skipped", report.skipped},
      {"left_out", report.left_out},
      {"broken_files", report.broken_files},
      {"empty_documents", report.empty_documents},
      {"replaced", report.replaced},
      {"runs", report.runs},
      {"seconds", report.seconds},
      {"codec_fallbacks", fallbacks_json(report.fallbacks)},
  };
}

void print_summary(const std::string& output, const index::BuildReport& report) {
  const index::Statistics& statistics = report.statistics;
  print("{}: {}, {}, {}, {}\n", output, counted(report.live_documents(), "document"),
        counted(statistics.terms, "term"), counted(statistics.postings, "posting"),
        counted(statistics.tokens, "token"));
  print("{} in {}", human_bytes(static_cast<double>(report.text_bytes)),
        human_seconds(report.seconds));
  if (report.text_bytes != 0 && report.seconds > 0) {
    print(" ({:.1f} MB/s)", static_cast<double>(report.text_bytes) / 1e6 / report.seconds);
  }
  print(", {}\n", counted(report.empty_documents, "empty document"));
  if (report.left_out != 0) {
    print("{} left out: redirects, pages of other namespaces, files of other kinds\n",
          counted(report.left_out, "record"));
  }
  if (report.replaced != 0) print("{} replaced\n", counted(report.replaced, "document"));
}

void tell_skipped(const OptionSet& options, const index::BuildReport& report) {
  const std::uint64_t records = report.skipped - report.broken_files.size();
  if (records == 0) return;
  const bool rows = options.has("rows");
  note("{} skipped", counted(records, rows ? "malformed record or value" : "malformed record",
                             rows ? "malformed records or values" : ""));
}

/// The files of which something is missing; returns the exit code that says so.
int tell_broken(const index::BuildReport& report) {
  constexpr std::size_t kShown = 5;
  const std::size_t files = report.broken_files.size();
  for (std::size_t i = 0; i < std::min(files, kShown); ++i) print_warning(report.broken_files[i]);
  if (files > kShown) {
    warn("{} more could not be read to their ends; --skipped FILE lists all",
         counted(files - kShown, "file"));
  }
  return files == 0 ? kOk : kSkipped;
}

}  // namespace

void tell_fallbacks(const std::vector<index::CodecFallback>& fallbacks) {
  for (const index::CodecFallback& one : fallbacks) {
    warn(
        "field '{}': {}, which {} does not take; coded by {} instead. `gannet set-codec` gives the "
        "field another codec",
        one.field, one.why, one.wanted, one.used);
  }
}

Json fallbacks_json(const std::vector<index::CodecFallback>& fallbacks) {
  Json json = Json::array();
  for (const index::CodecFallback& one : fallbacks) {
    json.push_back(
        {{"field", one.field}, {"codec", one.wanted}, {"used", one.used}, {"why", one.why}});
  }
  return json;
}

namespace {

/// What the merge behind an add has left of the deleted documents.
std::uint64_t deleted_left(const index::BuildReport& report, const AddedMerge& merge) {
  return report.deleted - (merge.report ? merge.report->dropped : 0);
}

void print_deleted(std::uint64_t documents) {
  if (documents == 0) return;
  print("{} besides, counted in terms, postings and tokens until `gannet merge` drops {}\n",
        counted(documents, "deleted document"), documents == 1 ? "it" : "them");
}

}  // namespace

int print_added(const OptionSet& options, const std::string& command, const std::string& index,
                const index::BuildReport& report, std::uint64_t added, const AddedMerge& merge) {
  tell_skipped(options, report);
  const int code = tell_broken(report);
  tell_fallbacks(report.fallbacks);
  if (merge.report) tell_fallbacks(merge.report->fallbacks);
  if (!merge.problem.empty()) {
    warn("the documents are there, but segments could not be merged: {}", merge.problem);
  }
  if (options.json()) {
    Json json = build_json(index, report);
    json["added"] = added;
    json["deleted_documents"] = deleted_left(report, merge);
    if (merge.report) {
      json["merge"] = {{"segments_before", merge.report->segments_before},
                       {"segments", merge.report->segments},
                       {"codec_fallbacks", fallbacks_json(merge.report->fallbacks)}};
    } else if (!merge.problem.empty()) {
      json["merge"] = {{"error", merge.problem}};
    }
    print_result(command, json);
  } else if (!options.has("quiet")) {
    print("{} added\n", counted(added, "document"));
    print_summary(index, report);
    print_deleted(deleted_left(report, merge));
    if (merge.report && merge.report->changed()) {
      print("merged; segments left: {} of {}\n", merge.report->segments,
            merge.report->segments_before);
    }
  }
  return code;
}

int print_report(const OptionSet& options, const std::string& index,
                 const index::BuildReport& report, const corpora::FieldUse* use,
                 const index::ReorderReport* order, int shards) {
  const std::vector<std::string> warnings = build_warnings(options, index, report, use);
  if (!options.json()) {  // which has them
    for (const std::string& warning : warnings) print_warning(warning);
  }
  tell_skipped(options, report);
  const int code = tell_broken(report);
  tell_fallbacks(report.fallbacks);
  if (options.json()) {
    Json json = build_json(index, report);
    json["warnings"] = warnings;
    if (shards != 0) json["shards"] = shards;
    if (order != nullptr) {
      json["order"] = {{"name", options.get<std::string>("order")},
                       {"moved", order->moved},
                       {"seconds", order->seconds}};
    }
    print_result("index", json);
  } else if (!options.has("quiet")) {
    print_summary(index, report);
    if (shards != 0) print("{}\n", counted(static_cast<std::uint64_t>(shards), "shard"));
    if (order != nullptr) print_order(index, *order);
  }
  return code;
}

}  // namespace gannet::tools
