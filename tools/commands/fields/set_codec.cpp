// gannet set-codec: gives a field of an index another codec.
#include "index/updates/set_codec.hpp"

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

constexpr HelpText kSetCodecHelp{"gannet set-codec IDX --field NAME --codec CODEC [OPTIONS]",
                                 R"(
Codes the values of a field by another codec, and those of documents that are added from now
on. Values, ids, docids and scores stay. The segments are written again, one by one, in one
commit: that costs what merging them costs, and leaves deleted documents out in the same way.
Where a codec does not take the values of a segment (codes of 64 bits; for wah more than 4,096
different values in 65,536), auto codes them, here as when documents are added, and a warning
says so. A codec that there is not is answered with those that there are; a text has none.)",
                                 R"(
  gannet set-codec idx --field when --codec auto
  gannet set-codec idx --field tag --codec wah       # bitmaps: fast filters)"};

index::SetCodecReport run_set_codec(const OptionSet& options) {
  index::MergeOptions work;
  work.lock_wait = options.get<double>("wait");
  work.memory = options.get<std::uint64_t>("memory");
  work.threads = options.get<unsigned>("threads");
  const InterruptGuard guard;
  work.stop = guard.token();
  Progress progress(options.has("quiet"));
  work.progress = [&](std::string_view stage, std::uint64_t done, std::uint64_t total) {
    progress.update(stage, done, total, ProgressUnit::kCount);
  };
  return index::set_codec(options.get<std::string>("index"), options.get<std::string>("field"),
                          options.get<std::string>("codec"), work);
}

void print_set_codec(const OptionSet& options, const index::SetCodecReport& report) {
  const auto& field = options.get<std::string>("field");
  const auto& codec = options.get<std::string>("codec");
  if (report.before == codec) {
    print("field '{}' has the codec {} already\n", field, codec);
    return;
  }
  print("field '{}': {} instead of {}; {} of {} written in {}\n", field, codec, report.before,
        counted(report.written.documents_merged, "document"),
        counted(report.written.segments, "segment"), human_seconds(report.written.seconds));
  if (report.written.dropped != 0) {
    print("{} gone\n",
          counted(report.written.dropped, "deleted document is", "deleted documents are"));
  }
}

}  // namespace

int cmd_set_codec(Args args) {
  OptionSet options(kSetCodecHelp);
  options.add(options::kSetCodecOptions);
  options.index_first();
  if (!options.parse(args)) return kOk;
  const index::SetCodecReport report = run_set_codec(options);
  tell_fallbacks(report.written.fallbacks);
  if (options.json()) {
    print_result("set-codec", {{"index", options.get<std::string>("index")},
                               {"field", options.get<std::string>("field")},
                               {"before", report.before},
                               {"codec", options.get<std::string>("codec")},
                               {"segments", report.written.segments},
                               {"documents_written", report.written.documents_merged},
                               {"dropped", report.written.dropped},
                               {"codec_fallbacks", fallbacks_json(report.written.fallbacks)},
                               {"seconds", report.written.seconds}});
  } else if (!options.has("quiet")) {
    print_set_codec(options, report);
  }
  return kOk;
}

}  // namespace gannet::tools
