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
posting lists, stored texts, columns. The damaged index stays as it is: keep it until the new
one has what you need. What is kept is what was written.

- A single flipped bit of a block of 4 KiB is put back. More damage in a block loses all that
  has bytes in it.
- Damaged posting lists of the main text are made anew from the stored texts (gannet index
  --store), if all texts of the segment can be read. Lists of text fields cannot be made anew.
- If it is lost which documents were deleted, the newest one of an id is kept.

It needs the manifest, and the file of a segment's documents. A backup, or building the index
anew, is better where there is one. The exit code is 0 if nothing is lost, 1 if something is.)",
                               R"(
  gannet verify idx
  gannet repair idx --output repaired)"};

/// Problems that the text shows; JSON has all of them.
constexpr std::size_t kShown = 10;

index::RepairReport repair(const OptionSet& options) {
  index::RepairOptions repair;
  repair.overwrite = options.has("overwrite");
  repair.lock_wait = options.get<double>("wait");
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
  if (report.lists_lost != 0) {
    print("lost: {} with {}\n", counted(report.lists_lost, "posting list"),
          counted(report.postings_lost, "posting"));
  }
  print_lost(report.texts_lost, "stored text");
  if (report.columns_lost != 0) {
    print("lost: {}, which {} may have had a value in\n",
          counted(report.columns_lost, "column of a field", "columns of fields"),
          counted(report.values_lost, "document"));
  }
  if (report.blocks_restored != 0) {
    print("put right: {} of a file\n", counted(report.blocks_restored, "damaged part"));
  }
  if (report.lists_rebuilt != 0) {
    print("made anew from the stored texts: {}\n", counted(report.lists_rebuilt, "posting list"));
  }
  if (report.positions_lost != 0) {
    print("lost: the positions of terms; build the index again to search for phrases\n");
  }
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
  if (report.nothing_missing()) print("nothing is lost\n");
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
                            {"postings_lost", report.postings_lost},
                            {"texts_lost", report.texts_lost},
                            {"columns_lost", report.columns_lost},
                            {"values_lost", report.values_lost},
                            {"lengths_lost", report.lengths_lost},
                            {"positions_lost", report.positions_lost},
                            {"deletions_lost", report.deletions_lost},
                            {"replaced_left_out", report.replaced_left_out},
                            {"deleted_back", report.deleted_back},
                            {"blocks_restored", report.blocks_restored},
                            {"lists_rebuilt", report.lists_rebuilt},
                            {"problems", report.problems},
                            {"seconds", report.seconds}});
  } else if (!options.has("quiet")) {
    print_report(options, report);
  }
  return report.nothing_missing() ? kOk : kNegative;
}

}  // namespace gannet::tools
