// gannet repair: saves what is whole of a damaged index.
#include "index/repair.hpp"

#include <string>

#include "index/files/messages.hpp"
#include "tools/commands/command.hpp"
#include "tools/options/option_set.hpp"
#include "tools/options/table/building.hpp"
#include "tools/terminal/interrupt.hpp"
#include "tools/terminal/json.hpp"
#include "tools/terminal/print.hpp"
#include "tools/terminal/progress.hpp"

namespace gannet::tools {
namespace {

constexpr HelpText kRepairHelp{"gannet repair IDX --output NEW [OPTIONS]",
                               R"(
Writes what can be read of a damaged index to a new one, and says what cannot: documents,
posting lists, stored texts, columns, whole segments. The damaged index stays as it is. What
is kept is what was written; bytes are lost in blocks of 4 KiB. It needs the manifest; `gannet
verify` tells what is damaged, and a backup, or building the index anew, is better where there
is one. If it is lost which documents were deleted, the newest one of an id is kept.
The exit code is 0 if nothing was missing, 1 if something is lost.)",
                               R"(
  gannet verify idx
  gannet repair idx --output repaired)"};

/// Problems that the text shows; JSON has all of them.
constexpr std::size_t kShown = 10;

index::RepairReport repair(const OptionSet& options) {
  index::RepairOptions repair;
  repair.overwrite = options.has("overwrite");
  repair.memory = options.get<std::uint64_t>("memory");
  repair.threads = options.get<unsigned>("threads");
  const InterruptGuard guard;
  repair.stop = guard.token();
  Progress progress(options.has("quiet"));
  repair.progress = [&](std::string_view stage, std::uint64_t done, std::uint64_t total) {
    progress.update(stage, done, total,
                    stage == "checking" ? ProgressUnit::kBytes : ProgressUnit::kCount);
  };
  index::RepairReport report = index::repair_index(options.get<std::string>("index"),
                                                   options.get<std::string>("output"), repair);
  for (std::string& problem : report.problems)
    problem.resize(index::without_advice(problem).size());
  return report;
}

void print_lost(std::uint64_t number, std::string_view what, std::string_view plural = {}) {
  if (number != 0) print("lost: {}\n", counted(number, what, plural));
}

void print_report(const OptionSet& options, const index::RepairReport& report) {
  print("{}: {}, {} in {}\n", options.get<std::string>("output"),
        counted(report.statistics.documents, "document"),
        counted(report.statistics.postings, "posting"), human_seconds(report.seconds));
  print_lost(report.segments_lost, "segment");
  print_lost(report.documents_lost, "document");
  print_lost(report.lists_lost, "posting list");
  print_lost(report.texts_lost, "stored text");
  print_lost(report.columns_lost, "column of a field", "columns of fields");
  if (report.lengths_lost != 0) {
    print("counted anew from the lists: lengths of {}\n", counted(report.lengths_lost, "document"));
  }
  if (report.deletions_lost != 0) {
    print(
        "lost: which documents were deleted, of segments: {}; left out, since they were replaced "
        "later: {}; deleted documents that are back: up to {}\n",
        with_commas(report.deletions_lost), with_commas(report.replaced_left_out),
        with_commas(report.deleted_back));
  }
  if (report.nothing_missing()) print("nothing was missing\n");
  for (std::size_t i = 0; i < report.problems.size() && i < kShown; ++i) {
    print("was damaged: {}\n", report.problems[i]);
  }
  if (report.problems.size() > kShown) {
    print("and {} more; gannet verify lists them\n",
          counted(report.problems.size() - kShown, "problem"));
  }
}

}  // namespace

int cmd_repair(Args args) {
  OptionSet options(kRepairHelp);
  options.add(options::kRepairOptions);
  options.index_first();
  if (!options.parse(args)) return kOk;
  const index::RepairReport report = repair(options);
  if (options.json()) {
    print_result("repair", {{"index", options.get<std::string>("output")},
                            {"documents", report.statistics.documents},
                            {"postings", report.statistics.postings},
                            {"segments_lost", report.segments_lost},
                            {"documents_lost", report.documents_lost},
                            {"lists_lost", report.lists_lost},
                            {"texts_lost", report.texts_lost},
                            {"columns_lost", report.columns_lost},
                            {"lengths_lost", report.lengths_lost},
                            {"deletions_lost", report.deletions_lost},
                            {"replaced_left_out", report.replaced_left_out},
                            {"deleted_back", report.deleted_back},
                            {"problems", report.problems},
                            {"seconds", report.seconds}});
  } else if (!options.has("quiet")) {
    print_report(options, report);
  }
  return report.nothing_missing() ? kOk : kNegative;
}

}  // namespace gannet::tools
