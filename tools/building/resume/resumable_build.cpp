#include "tools/building/resume/resumable_build.hpp"

#include <algorithm>
#include <chrono>
#include <filesystem>
#include <iterator>
#include <memory>
#include <string>
#include <string_view>

#include "codecs/base/error.hpp"
#include "corpora/documents/documents.hpp"
#include "index/files/atomic_file.hpp"
#include "index/files/posix_file.hpp"
#include "index/index.hpp"
#include "index/index_writer.hpp"
#include "index/manifest/directory.hpp"
#include "index/manifest/directory_lock.hpp"
#include "index/updates/add.hpp"
#include "index/updates/merge.hpp"
#include "tools/building/output_paths.hpp"
#include "tools/building/resume/build_progress.hpp"
#include "tools/building/resume/build_task.hpp"
#include "tools/building/resume/stepped_source.hpp"
#include "tools/terminal/notes.hpp"

namespace gannet::tools {
namespace {

namespace fs = std::filesystem;

constexpr std::string_view kEnding = ".unfinished";
constexpr std::uint64_t kDefaultStep = std::uint64_t{4} << 30;
constexpr std::string_view kProgressName = "progress.json";

std::uint64_t generation_of(const fs::path& index) {
  const auto manifest = index::readable_manifest(index);
  return manifest ? manifest->generation : 0;
}

MergeOutcome outcome_of(const index::Statistics& statistics) {
  return {statistics.documents, statistics.postings, statistics.tokens};
}

double seconds_since(std::chrono::steady_clock::time_point start) {
  return std::chrono::duration<double>(std::chrono::steady_clock::now() - start).count();
}

class ResumableBuild {
 public:
  ResumableBuild(const OptionSet& options, const IndexSetup& setup, const BuildRun& run)
      : setup_(setup),
        run_(run),
        output_(options.get<std::string>("output")),
        folder_(beside(output_, kEnding)),
        index_(folder_ / "index"),
        step_(options.has("step") ? options.get<std::uint64_t>("step") : kDefaultStep) {
    if (step_ == 0) throw UsageError("--step: at least one byte");
    check_is_no_input();
    progress_.task = build_task(options, run.inputs(), setup.reader);
    open_folder();
  }

  index::BuildReport run() {
    if (was_finished_) {
      note("{}: this build is complete already; nothing was done", output_.string());
      return report_of_all();
    }
    if (!was_merged()) {
      add_documents();
      merge();
    }
    const index::BuildReport report = report_of_all();
    try {
      write_record();
    } catch (const UsageError&) {
      // Another writer is at work already: the record would not be true for long.
    }
    remove_folder();
    return report;
  }

 private:
  /// A folder that is read stands for all that is in it.
  void check_is_no_input() const {
    for (const fs::path& input : run_.inputs()) {
      if (!lies_in(folder_, input)) continue;
      throw UsageError("--resume: " + folder_.string() +
                       ", where steps are kept, would be read as "
                       "part of --input " +
                       input.string() + "; choose an output elsewhere");
    }
  }

  /// Takes what an interrupted build left, or begins a new one.
  void open_folder() {
    for (const fs::path& own : {folder_, index_, folder_ / kProgressName}) index::refuse_link(own);
    was_finished_ = !began() && is_finished();
    if (was_finished_) return;
    if (!began()) check_is_free();  // before anything is made
    fs::create_directories(folder_);
    lock_ = std::make_shared<index::DirectoryLock>(folder_);
    // Asked again: another process may have begun, or ended, before the lock was there.
    began() ? go_on() : begin();
  }

  /// Whether this very build made the index, as it is.
  bool is_finished() {
    const fs::path path = output_ / index::kBuildRecordName;
    if (setup_.build.write.overwrite || !fs::is_regular_file(fs::symlink_status(path)))
      return false;
    BuildProgress record;
    try {
      record = read_progress(path);
    } catch (const FormatError&) {
      return false;
    }
    if (!difference(record.task, progress_.task).empty() || !record.merging) return false;
    const auto manifest = index::readable_manifest(output_);
    if (!manifest || manifest->generation != record.merging->generation ||
        outcome_of(manifest->statistics) != record.merging->outcome) {
      return false;
    }
    progress_.steps = {record.steps.back()};
    earlier_seconds_ = now().seconds;
    return true;
  }

  /// Only while the output is what this build made of it: nobody else may write to it meanwhile.
  void write_record() {
    const index::DirectoryLock lock(output_);
    if (!was_merged()) return;
    BuildProgress record{progress_.task, {now()}, {}};
    record.steps.back().seconds = seconds();
    record.merging = {generation_of(output_), outcome_of(index::Index::open(output_).statistics())};
    write_progress(output_ / index::kBuildRecordName, record);
  }

  bool began() const { return fs::exists(folder_ / kProgressName); }

  /// Other people's files in a folder of this name stay. A lock may be left of a build that was
  /// killed when all was done, and a temporary file of one that was before it began.
  void check_is_free() const {
    index::check_destination(output_, setup_.build.write.overwrite);
    if (!fs::exists(folder_)) return;
    for (const fs::directory_entry& entry : fs::directory_iterator(folder_)) {
      const std::string name = entry.path().filename().string();
      if (name == index::kLockName || index::target_of_temporary(name) == kProgressName) continue;
      throw UsageError(folder_.string() + ": is not empty, and no build that was interrupted (" +
                       name + "); move it out of the way");
    }
  }

  void begin() {
    check_is_free();
    progress_.steps = {BuildStep{}};
    write_progress(folder_ / kProgressName, progress_);
  }

  void go_on() {
    BuildProgress before = read_progress(folder_ / kProgressName);
    const std::string other = difference(before.task, progress_.task);
    if (!other.empty()) {
      throw UsageError(folder_.string() + ": the build that was interrupted cannot be resumed: " +
                       other + "; give what it was given, or remove the folder to begin again");
    }
    progress_.merging = before.merging;
    if (was_merged()) {
      progress_.steps = {before.steps.back()};
      earlier_seconds_ = now().seconds;
      return;  // what it was made of may be gone in part
    }
    index::check_destination(output_, setup_.build.write.overwrite);
    const bool any = fs::exists(index_ / index::kManifestName);
    const std::uint64_t documents = any ? index::Index::open(index_).statistics().documents : 0;
    const auto step = before.step_at(documents);
    if (!step) {
      throw FormatError(folder_.string() + ": has " + std::to_string(documents) +
                        " documents, where no step of the build ended; remove it to begin again");
    }
    progress_.steps = {*step};
    earlier_seconds_ = step->seconds;
  }

  /// What says that the merge was committed goes last: who is killed here is done all the same.
  void remove_folder() {
    fs::remove_all(index_);
    fs::remove(folder_ / kProgressName);
    lock_.reset();
    fs::remove(folder_ / index::kLockName);
    std::error_code kept;  // whatever somebody else has put there
    fs::remove(folder_, kept);
  }

  const BuildStep& now() const { return progress_.steps.back(); }

  /// The merge was committed, but what it was made of is still there. The output may be another
  /// one's by now: then it is none of this build.
  bool was_merged() const {
    if (!progress_.merging) return false;
    const auto manifest = index::readable_manifest(output_);
    return manifest && manifest->generation != progress_.merging->generation &&
           outcome_of(manifest->statistics) == progress_.merging->outcome;
  }

  void add_documents() {
    if (now().ended) return;
    SteppedSource source(run_.open_documents(setup_.reader), step_);
    if (!source.skip(now().batches)) {
      throw InputError("the input has become shorter since the build was interrupted");
    }
    while (!source.ended()) add_step(source);
  }

  void add_step(SteppedSource& source) {
    source.begin_step();
    index::BuildOptions build = options_of_step();
    BuildStep next;
    build.before_commit = [&](index::IndexWriter& writer, const index::BuildReport& report) {
      next = step_after(source, writer.document_lengths().size(), report);
      progress_.steps = {now(), next};
      write_progress(folder_ / kProgressName, progress_);
    };
    index::build_index(source, index_, build);
    progress_.steps = {next};
  }

  /// The first step makes the index, the others add to it.
  index::BuildOptions options_of_step() const {
    index::BuildOptions build = setup_.build;
    build.write.overwrite = false;
    if (!fs::exists(index_ / index::kManifestName)) return build;
    index::BuildOptions added = index::options_to_add_to(index_);
    added.memory = build.memory;
    added.threads = build.threads;
    added.stop = build.stop;
    added.memory_freed = build.memory_freed;
    added.progress = build.progress;
    return added;
  }

  BuildStep step_after(const SteppedSource& source, std::uint64_t documents,
                       const index::BuildReport& report) const {
    BuildStep step = now();
    step.documents += documents;
    step.batches = source.batches();
    step.ended = source.ended();
    step.text_bytes += report.text_bytes;
    step.skipped += report.skipped;
    step.left_out += report.left_out;
    std::ranges::copy(report.broken_files, std::back_inserter(step.broken_files));
    step.empty_documents += report.empty_documents;
    step.runs += report.runs;
    step.seconds = seconds();
    return step;
  }

  void merge() {
    const bool overwrite = setup_.build.write.overwrite;
    index::check_destination(output_, overwrite);
    progress_.merging = {generation_of(output_),
                         outcome_of(index::Index::open(index_).statistics())};
    write_progress(folder_ / kProgressName, progress_);
    index::MergeOptions options;
    options.memory = setup_.build.memory;
    options.threads = setup_.build.threads;
    options.stop = setup_.build.stop;
    options.progress = setup_.build.progress;
    index::merge_into(index_, output_, overwrite, options);
  }

  index::BuildReport report_of_all() const {
    index::BuildReport report;
    report.statistics = index::Index::open(output_).statistics();
    report.text_bytes = now().text_bytes;
    report.skipped = now().skipped;
    report.left_out = now().left_out;
    report.broken_files = now().broken_files;
    report.empty_documents = now().empty_documents;
    report.runs = now().runs;
    report.seconds = seconds();
    return report;
  }

  /// Also of the steps before an interruption, but of nothing that was lost by it.
  double seconds() const { return earlier_seconds_ + seconds_since(start_); }

  const IndexSetup& setup_;
  const BuildRun& run_;
  fs::path output_;
  fs::path folder_;
  fs::path index_;
  std::uint64_t step_;
  std::chrono::steady_clock::time_point start_ = std::chrono::steady_clock::now();
  double earlier_seconds_ = 0;
  BuildProgress progress_;
  bool was_finished_ = false;
  std::shared_ptr<index::DirectoryLock> lock_;
};

}  // namespace

bool was_interrupted(const fs::path& output) {
  std::error_code error;
  return fs::exists(beside(output, kEnding) / kProgressName, error);
}

index::BuildReport build_resumably(const OptionSet& options, const IndexSetup& setup,
                                   const BuildRun& run) {
  try {
    return ResumableBuild(options, setup, run).run();
  } catch (const CancelledError&) {
    print_note("interrupted; the same command goes on behind the last --step");
    throw;
  } catch (const fs::filesystem_error& error) {
    throw IoError(error.path1().string() + ": " + error.code().message());
  }
}

}  // namespace gannet::tools
