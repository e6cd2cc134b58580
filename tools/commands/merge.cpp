// gannet merge: merges segments of an index.
#include "index/updates/merge.hpp"

#include <cstdint>
#include <string>

#include "tools/building/build_output.hpp"
#include "tools/commands/command.hpp"
#include "tools/options/option_set.hpp"
#include "tools/options/table/building.hpp"
#include "tools/terminal/interrupt.hpp"
#include "tools/terminal/json.hpp"
#include "tools/terminal/print.hpp"
#include "tools/terminal/progress.hpp"

namespace gannet::tools {
namespace {

constexpr HelpText kMergeHelp{"gannet merge IDX [OPTIONS]",
                              R"(
Merges the segments that `gannet add` has made, since an index of few segments is searched
faster, and writes segments with deleted documents again without these. Nothing is read or
analysed again but the index. If none is deleted, docids and scores stay the same; else the
statistics are those of the documents that are left. Needs room on the disk for the merged
segments beside the old ones. Searches that run meanwhile keep what they have, and an
interrupted command leaves the index as it was.)",
                              R"(
  gannet merge idx
  gannet merge idx --max-segments 5      # the smallest neighbours, until five are left)"};

index::MergeReport merge(const OptionSet& options) {
  index::MergeOptions merge;
  merge.max_segments = options.get<std::uint32_t>("max-segments");
  if (options.has("tiers")) merge.tier = 10;
  merge.lock_wait = options.get<double>("wait");
  merge.memory = options.get<std::uint64_t>("memory");
  merge.threads = options.get<unsigned>("threads");
  const InterruptGuard guard;
  merge.stop = guard.token();
  Progress progress(options.has("quiet"));
  merge.progress = [&](std::string_view stage, std::uint64_t done, std::uint64_t total) {
    progress.update(stage, done, total, ProgressUnit::kCount);
  };
  return index::merge_index(options.get<std::string>("index"), merge);
}

}  // namespace

int cmd_merge(Args args) {
  OptionSet options(kMergeHelp);
  options.add(options::kMergeOptions);
  options.index_first();
  if (!options.parse(args)) return kOk;
  const index::MergeReport report = merge(options);
  tell_fallbacks(report.fallbacks);
  if (options.json()) {
    print_result("merge", {{"index", options.get<std::string>("index")},
                           {"segments_before", report.segments_before},
                           {"segments", report.segments},
                           {"documents", report.documents},
                           {"documents_merged", report.documents_merged},
                           {"dropped", report.dropped},
                           {"codec_fallbacks", fallbacks_json(report.fallbacks)},
                           {"seconds", report.seconds}});
  } else if (!options.has("quiet")) {
    print("segments left: {} of {}; documents merged: {} of {}, in {}\n", report.segments,
          report.segments_before, with_commas(report.documents_merged),
          with_commas(report.documents), human_seconds(report.seconds));
    if (report.dropped != 0)
      print("{} gone\n", counted(report.dropped, "deleted document is", "deleted documents are"));
  }
  return kOk;
}

}  // namespace gannet::tools
