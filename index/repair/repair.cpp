#include "index/repair/repair.hpp"

#include <unistd.h>

#include <algorithm>
#include <cerrno>
#include <chrono>
#include <memory>
#include <optional>
#include <utility>

#include "codecs/core/cancellation.hpp"
#include "codecs/error.hpp"
#include "index/documents/live_documents.hpp"
#include "index/files/posix_file.hpp"
#include "index/index_writer.hpp"
#include "index/inversion/thread_limit.hpp"
#include "index/manifest/index_snapshot.hpp"
#include "index/repair/salvaged_segment.hpp"
#include "index/updates/add.hpp"
#include "index/updates/merge/write_merged.hpp"
#include "index/verify.hpp"

namespace gannet::index {
namespace {

namespace fs = std::filesystem;

/// Throws if writing the one would change the other.
void check_apart(const fs::path& damaged, const fs::path& output) {
  std::error_code error;
  const fs::path from = fs::weakly_canonical(damaged, error);
  if (error) fail_io(damaged, "open", error.value());
  const fs::path to = fs::weakly_canonical(output, error);
  if (error) fail_io(output, "create", error.value());
  const auto inside = [](const fs::path& one, const fs::path& other) {
    return std::mismatch(other.begin(), other.end(), one.begin(), one.end()).first == other.end();
  };
  if (fs::equivalent(damaged, output, error) || inside(to, from)) {
    throw UsageError(output.string() +
                     ": the repaired index goes into another folder, outside of the damaged one, "
                     "which stays as it is");
  }
}

/// Throws if a file of the segment is there, but cannot be opened just now: it may be whole.
void check_readable(const SegmentFiles& files) {
  for (const FileRecord& file : files.record().files) {
    std::error_code error;
    const fs::path path = files.path_of(file.kind);
    if (!fs::exists(path, error)) continue;
    if (::access(path.c_str(), R_OK) != 0) fail_io(path, "open", errno);
  }
}

/// The segment, unless its files do not go together.
std::unique_ptr<SegmentReader> opened(const SegmentFiles& files, const Schema& schema) {
  try {
    return std::make_unique<SegmentReader>(files, schema);
  } catch (const IoError&) {
  } catch (const FormatError&) {
  }
  return nullptr;
}

/// Which documents come along: those that have a name and are not deleted. Counts deletions that
/// are not known any more.
LiveDocuments live_of(const SegmentFiles& files, const SalvagedSegment& segment, Losses& losses) {
  std::vector<std::uint64_t> words = segment.named();
  const SegmentRecord& record = files.record();
  try {
    if (record.deleted != 0) {
      const LiveDocuments live(files.path_of(kLiveFile.name), files.file(kLiveFile),
                               record.statistics.documents, record.deleted);
      for (std::size_t i = 0; i < words.size(); ++i) words[i] &= live.words()[i];
    }
  } catch (const IoError&) {
    ++losses.deletions;
  } catch (const FormatError&) {
    ++losses.deletions;
  }
  return LiveDocuments(std::move(words), record.statistics.documents);
}

class Repair {
 public:
  Repair(const fs::path& damaged, const fs::path& output, const RepairOptions& options)
      : options_(options),
        snapshot_(IndexSnapshot::of(damaged)),
        work_{BuildBudget::of(options.memory, thread_count(options.threads)), options.stop,
              options.progress},
        writer_(output, write_options(damaged)) {}

  RepairReport run() {
    bool first = true;
    for (const SegmentFiles& files : snapshot_.segments) {
      throw_if_stopped(options_.stop);
      check_readable(files);
      const auto damaged = opened(files, snapshot_.manifest.schema);
      if (damaged == nullptr) {
        ++report_.segments_lost;
        report_.documents_lost += files.record().statistics.documents - files.record().deleted;
        continue;
      }
      if (!first) writer_.next_segment();
      first = false;
      add(files, *damaged);
    }
    report_.statistics = writer_.commit();
    return std::move(report_);
  }

 private:
  WriteOptions write_options(const fs::path& damaged) const {
    WriteOptions write = write_options_of(damaged);
    write.append = false;
    write.overwrite = options_.overwrite;
    write.stop = options_.stop;
    return write;
  }

  void add(const SegmentFiles& files, const SegmentReader& damaged) {
    std::optional<SalvagedSegment> salvaged;
    with_threads(work_.budget.threads,
                 [&] { salvaged.emplace(damaged, snapshot_.manifest.schema, options_.stop); });
    Losses losses = salvaged->losses();
    const LiveDocuments live = live_of(files, *salvaged, losses);
    const MergedSegment merged(*salvaged, &live, 0);
    write_merged({&merged, 1}, snapshot_.manifest.schema, work_, writer_);
    report_.documents_lost += losses.documents;
    report_.lists_lost += losses.lists;
    report_.texts_lost += salvaged->lost_texts();
    report_.columns_lost += losses.columns;
    report_.deletions_lost += losses.deletions;
  }

  const RepairOptions& options_;
  IndexSnapshot snapshot_;
  MergeWork work_;
  IndexWriter writer_;
  RepairReport report_;
};

}  // namespace

RepairReport repair_index(const fs::path& damaged, const fs::path& output,
                          const RepairOptions& options) {
  if (options.deadline != kNoDeadline) {
    return within_limits(options, [&](const RepairOptions& limited) {
      return repair_index(damaged, output, limited);
    });
  }
  const auto start = std::chrono::steady_clock::now();
  refuse_shard_set(damaged);
  check_apart(damaged, output);
  const auto told = [&](std::uint64_t done, std::uint64_t total) {
    if (options.progress) options.progress("checking", done, total);
  };
  std::vector<std::string> problems =
      verify_index(damaged, options.threads, told, options.stop).problems;
  RepairReport report = Repair(damaged, output, options).run();
  report.problems = std::move(problems);
  report.seconds = std::chrono::duration<double>(std::chrono::steady_clock::now() - start).count();
  return report;
}

}  // namespace gannet::index
