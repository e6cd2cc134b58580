// gannet merge: merges segments of an index.
#include "index/updates/merge.hpp"

#include <cstdint>
#include <string>

#include "tools/building/build_output.hpp"
#include "tools/commands/command.hpp"
#include "tools/options/option_set.hpp"
#include "tools/terminal/interrupt.hpp"
#include "tools/terminal/json.hpp"
#include "tools/terminal/print.hpp"
#include "tools/terminal/progress.hpp"

namespace gannet::tools {
namespace {

constexpr HelpText kMergeHelp{
    "gannet merge IDX [OPTIONS]",
    "Merges the segments that `gannet add` has made, since an index of few segments is searched\n"
    "faster, and writes segments with deleted documents again without these. Nothing is read or\n"
    "analysed again but the index. If none is deleted, docids and scores stay the same; else the\n"
    "statistics are those of the documents that are left. Needs room on the disk for the merged\n"
    "segments beside the old ones. Searches that run meanwhile keep what they have, and an\n"
    "interrupted command leaves the index as it was.",
    "  gannet merge idx\n"
    "  gannet merge idx --max-segments 5      # the smallest neighbours, until five are left"};

index::MergeReport merge(const OptionSet& options) {
  index::MergeOptions merge;
  const auto most = options.get<std::uint32_t>("max-segments");
  check_range("--max-segments", most, 1, 0xffffffff);
  merge.max_segments = most;
  if (options.has("tiers")) merge.tier = 10;
  merge.memory = parse_size("--memory", options.get<std::string>("memory"));
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
  options.add("index", text()->required(), "the index (a folder)");
  options.positional("index", 1);
  options.add("max-segments", number<std::uint32_t>(1), "segments that are left, at most");
  options.flag("tiers", "only where ten of like size stand side by side, as gannet add does");
  options.add("memory", text("2G"), "most memory: 512M, 8G");
  options.add("threads", number<unsigned>(0), "0: all cores");
  options.flag("quiet", "no progress line and no summary");
  if (!options.parse(args)) return kOk;
  const index::MergeReport report = merge(options);
  tell_fallbacks("merge", report.fallbacks);
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
