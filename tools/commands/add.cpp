// gannet add and gannet update: documents come to an index, or in the place of others.
#include "index/updates/add.hpp"

#include <exception>
#include <memory>
#include <string>

#include "codecs/base/error.hpp"
#include "index/manifest/directory_lock.hpp"
#include "index/updates/merge.hpp"
#include "index/updates/remove.hpp"
#include "tools/building/build_input.hpp"
#include "tools/building/build_output.hpp"
#include "tools/building/input_guess.hpp"
#include "tools/commands/command.hpp"
#include "tools/options/option_set.hpp"
#include "tools/options/table/building.hpp"
#include "tools/terminal/interrupt.hpp"

namespace gannet::tools {
namespace {

constexpr HelpText kAddHelp{"gannet add IDX PATH... [OPTIONS]",
                            R"(
Adds documents to an index, as a new segment: nothing that is there is written again. Text is
analysed, and fields are read, as when the index was built; `gannet help index` has the
formats. The documents become visible all at once, when the command ends; searches that run
meanwhile keep what they have, and an interrupted command leaves the index as it was. Scores
are those of one index of all documents. Where ten segments of like size have come together,
they are merged into one afterwards; if that cannot be done, a warning says why, and the
documents are there all the same.

Ids must be new: a document whose id is there stops the command (gannet update replaces
it). One command at a time writes to an index; a second one ends with the exit code 9, or
with --wait does its work when the first is done.)",
                            R"(
  gannet add idx monday.jsonl.gz
  gannet add idx news/2026-11-*.gz --format trectext --on-error skip
  gannet add idx tuesday.jsonl --wait 600    # while another command writes to it)"};

/// Segments of like size that are merged.
constexpr unsigned kTier = 10;

constexpr HelpText kUpdateHelp{"gannet update IDX PATH... [OPTIONS]",
                               R"(
Adds documents to an index as `gannet add` does; one whose id is there already takes the place
of the document that has it, which is deleted in the same moment. If the input has an id
several times, the last document stays. A replaced document is found no more, but counts in
the statistics that scores are made of until `gannet merge` writes its segment again.)",
                               "  gannet update idx corrected.jsonl"};

index::BuildReport add(const OptionSet& options, const index::BuildOptions& build,
                       corpora::ReaderOptions reader, const BuildRun& run) {
  const auto& directory = options.get<std::string>("index");
  const auto& format = options.get<std::string>("format");
  if (is_inverted(format)) return index::add_inverted(*run.open_inverted(), directory, build);
  reader.quantization = build.write.defaults.payload.quantization;
  return index::add_documents(*run.open_documents(reader), directory, build);
}

/// Throws UsageError where no document could take the place of another one.
void check_can_update(const index::Index& index) {
  if (index::has_ids(index)) return;
  throw UsageError(index.path().string() +
                   ": its documents have no ids, by which others could take their place; nothing "
                   "was done. Add documents with `gannet add`, or build the index from documents "
                   "with ids");
}

std::shared_ptr<index::DirectoryLock> locked(const OptionSet& options) {
  const InterruptGuard guard;
  const auto& directory = options.get<std::string>("index");
  return std::make_shared<index::DirectoryLock>(directory, options.get<double>("wait"),
                                                guard.token());
}

/// Returns the exit code.
int add(const OptionSet& options, const std::string& command, bool update) {
  const auto& directory = options.get<std::string>("index");
  index::options_to_add_to(directory);  // throws where no index is: then there is nothing to lock
  const auto lock = locked(options);
  // Read behind the lock: who held it may have changed them.
  index::BuildOptions build = index::options_to_add_to(directory);
  build.write.lock = lock;
  build.update = update;
  corpora::ReaderOptions reader = reader_options(options);
  reader.fields = build.write.contents;
  reader.schema = build.write.schema;
  const BuildRun run(options, build, reader);
  const index::Index index = index::Index::open(directory);
  if (update) check_can_update(index);
  const std::uint64_t before = index.statistics().documents;
  index::BuildReport report = add(options, build, reader, run);
  report.left_out += run.left_out();
  const std::uint64_t added = report.statistics.documents - before;
  AddedMerge merge;
  try {
    if (!options.has("no-merge")) {
      merge.report = index::merge_index(directory, index::tiers_after(build, kTier));
    }
  } catch (const CancelledError&) {
    print_added(options, command, directory, report, added, {});
    throw;
  } catch (const std::exception& error) {
    // The documents are there, whatever comes of the merge, also where a segment is damaged: who
    // took this for a failure would add them again. The next add tries it again.
    merge.problem = error.what();
  }
  return print_added(options, command, directory, report, added, merge);
}

int run(Args args, const HelpText& help, const std::string& command, bool update) {
  OptionSet options(help);
  options.add(options::kIndex, options::kInputOptions, options::kNoMerge, options::kLockWait);
  options.index_first("input");
  if (!options.parse(args)) return kOk;
  settle_input(options, false);
  return add(options, command, update);
}

}  // namespace

int cmd_add(Args args) { return run(args, kAddHelp, "add", false); }

int cmd_update(Args args) { return run(args, kUpdateHelp, "update", true); }

}  // namespace gannet::tools
