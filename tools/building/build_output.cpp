#include "tools/building/build_output.hpp"

#include <cstdio>

#include "tools/building/order_run.hpp"
#include "tools/terminal/json.hpp"
#include "tools/terminal/print.hpp"
#include "tools/terminal/progress.hpp"

namespace gannet::tools {
namespace {

Json build_json(const std::string& output, const index::BuildReport& report) {
  const index::Statistics& statistics = report.statistics;
  return {
      {"index", output},
      {"documents", statistics.documents},
      {"terms", statistics.terms},
      {"postings", statistics.postings},
      {"tokens", statistics.tokens},
      {"text_bytes", report.text_bytes},
      {"skipped", report.skipped},
      {"left_out", report.left_out},
      {"empty_documents", report.empty_documents},
      {"replaced", report.replaced},
      {"runs", report.runs},
      {"seconds", report.seconds},
  };
}

void print_summary(const std::string& output, const index::BuildReport& report) {
  const index::Statistics& statistics = report.statistics;
  print("{}: {} documents, {} terms, {} postings, {} tokens\n", output,
        with_commas(statistics.documents), with_commas(statistics.terms),
        with_commas(statistics.postings), with_commas(statistics.tokens));
  print("{} in {}", human_bytes(static_cast<double>(report.text_bytes)),
        human_seconds(report.seconds));
  if (report.text_bytes != 0 && report.seconds > 0) {
    print(" ({:.1f} MB/s)", static_cast<double>(report.text_bytes) / 1e6 / report.seconds);
  }
  print(", {} empty documents\n", with_commas(report.empty_documents));
  if (report.left_out != 0) {
    print("{} pages left out: redirects, or of other namespaces\n", with_commas(report.left_out));
  }
  if (report.replaced != 0) print("{} documents replaced\n", with_commas(report.replaced));
}

void tell_skipped(const OptionSet& options, const std::string& command,
                  const index::BuildReport& report) {
  if (report.skipped == 0) return;
  print(stderr, "gannet {}: {} malformed {} skipped\n", command, with_commas(report.skipped),
        options.has("rows") ? "records or values" : "records");
}

}  // namespace

void print_added(const OptionSet& options, const std::string& command, const std::string& index,
                 const index::BuildReport& report, std::uint64_t added,
                 const index::MergeReport* merge) {
  tell_skipped(options, command, report);
  if (options.json()) {
    Json json = build_json(index, report);
    json["added"] = added;
    if (merge != nullptr) {
      json["merge"] = {{"segments_before", merge->segments_before}, {"segments", merge->segments}};
    }
    print_json(json);
  } else if (!options.has("quiet")) {
    print("{} documents added\n", with_commas(added));
    print_summary(index, report);
    if (merge != nullptr && merge->changed()) {
      print("merged: {} of {} segments are left\n", merge->segments, merge->segments_before);
    }
  }
}

void print_report(const OptionSet& options, const std::string& command, const std::string& index,
                  const index::BuildReport& report, const index::ReorderReport* order, int shards) {
  tell_skipped(options, command, report);
  if (options.json()) {
    Json json = build_json(index, report);
    if (shards != 0) json["shards"] = shards;
    if (order != nullptr) {
      json["order"] = {{"name", options.get<std::string>("order")},
                       {"moved", order->moved},
                       {"seconds", order->seconds}};
    }
    print_json(json);
  } else if (!options.has("quiet")) {
    print_summary(index, report);
    if (shards != 0) print("{} shards\n", shards);
    if (order != nullptr) print_order(index, *order);
  }
}

}  // namespace gannet::tools
