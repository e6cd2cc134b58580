#include "index/repair.hpp"

#include <algorithm>
#include <chrono>
#include <memory>
#include <optional>
#include <utility>

#include "codecs/base/cancellation.hpp"
#include "codecs/base/error.hpp"
#include "index/commit/segment_copy.hpp"
#include "index/files/posix_file.hpp"
#include "index/index_writer.hpp"
#include "index/manifest/directory.hpp"
#include "index/manifest/index_snapshot.hpp"
#include "index/repair/no_lists.hpp"
#include "index/repair/rebuilt_lists.hpp"
#include "index/repair/restored_file.hpp"
#include "index/repair/salvaged_segment.hpp"
#include "index/segment/live_documents.hpp"
#include "index/updates/add.hpp"
#include "index/updates/merge/write_merged.hpp"
#include "index/verify.hpp"
#include "index/work/thread_limit.hpp"

namespace gannet::index {
namespace {

namespace fs = std::filesystem;

/// Between two looks at the stop token.
constexpr Docid kDocumentsPerLook = 4096;

/// Throws if writing the one would change the other.
void check_apart(const fs::path& damaged, const fs::path& output) {
  std::error_code error;
  if (fs::equivalent(damaged, output, error)) {
    throw UsageError(output.string() +
                     ": the repaired index goes into another folder, outside of the damaged one, "
                     "which stays as it is");
  }
  refuse_within_index(output);
}

/// The segment, unless its files do not go together.
std::unique_ptr<SegmentReader> open_damaged(const SegmentFiles& files, const Schema& schema) {
  try {
    return std::make_unique<SegmentReader>(files, schema, SegmentReader::Use::kSalvage);
  } catch (const IoError&) {
  } catch (const VersionError&) {
    throw;  // it is not damaged
  } catch (const FormatError&) {
  }
  return nullptr;
}

/// Which documents of a segment live; nothing if that is lost.
std::optional<LiveDocuments> known_living(const SegmentFiles& files) {
  const SegmentRecord& record = files.record();
  const std::uint64_t documents = record.statistics.documents;
  try {
    if (record.deleted == 0) return std::optional<LiveDocuments>({all_live(documents), documents});
    std::optional<LiveDocuments> live;
    live.emplace(files.path_of(kLiveFile.name), files.file(kLiveFile), documents, record.deleted);
    files.check_identity(*live->file(), kLiveFile);
    return live;
  } catch (const IoError&) {
  } catch (const VersionError&) {
    throw;
  } catch (const FormatError&) {
  }
  return std::nullopt;
}

/// A manifest with a right checksum may say what it likes.
std::uint64_t missing(std::uint64_t written, std::uint64_t kept) {
  return written - std::min(written, kept);
}

/// Not all positions can be kept.
struct PositionsLost {};

class Repair {
 public:
  enum class Keep { kPositions, kNoPositions };

  /// `sound`: nothing is damaged.
  Repair(const fs::path& damaged, const fs::path& output, bool sound, Keep keep,
         const RepairOptions& options)
      : options_(options),
        sound_(sound),
        snapshot_(IndexSnapshot::of(damaged)),
        work_{BuildBudget::of(options.memory, thread_count(options.threads)), options.stop,
              options.progress},
        files_(restored_files()),
        writer_(output, write_options(damaged, keep)) {}

  /// Throws PositionsLost where some positions of the index cannot be kept, and they are to be.
  RepairReport run() {
    open();
    bool first = true;
    for (std::size_t s = 0; s < segments_.size(); ++s) {
      throw_if_stopped(options_.stop);
      if (segments_[s] == nullptr) continue;
      if (!first) writer_.next_segment();
      first = false;
      add(s);
    }
    report_.statistics = writer_.commit();
    report_.positions_lost = had_positions() && !writer_.has_positions() ? 1 : 0;
    return std::move(report_);
  }

 private:
  WriteOptions write_options(const fs::path& damaged, Keep keep) const {
    WriteOptions write = options_for_copy(damaged);
    write.positions = write.positions && keep == Keep::kPositions;
    write.overwrite = options_.overwrite;
    write.lock_wait = options_.lock_wait;
    write.stop = options_.stop;
    return write;
  }

  /// All segments: which documents of one were replaced, those behind it tell.
  void open() {
    for (std::size_t s = 0; s < files_.size(); ++s) {
      throw_if_stopped(options_.stop);
      const SegmentFiles& written = snapshot_.segments[s];
      segments_.push_back(open_damaged(files_[s], snapshot_.manifest.schema));
      if (segments_.back() == nullptr) segments_.back() = open_without_lists(files_[s]);
      if (segments_.back() != nullptr) {
        check_all_known(*segments_.back());
        continue;
      }
      ++report_.segments_lost;
      report_.documents_lost += written.record().statistics.documents - written.record().deleted;
    }
  }

  std::vector<SegmentFiles> restored_files() {
    std::vector<SegmentFiles> files;
    for (const SegmentFiles& written : snapshot_.segments) {
      throw_if_stopped(options_.stop);
      written.check_readable();
      files.push_back(restored(written));
    }
    return files;
  }

  SalvagedSegment::Lengths lengths() const {
    return snapshot_.manifest.defaults.payload.impacts ? SalvagedSegment::Lengths::kOther
                                                       : SalvagedSegment::Lengths::kSums;
  }

  bool had_positions() const {
    return snapshot_.manifest.segments.front().find(kPositionsFile) != nullptr;
  }

  /// The files, with the damage put right that can be.
  SegmentFiles restored(const SegmentFiles& written) {
    SegmentFiles files = written;
    for (const FileKind kind : kFileKinds) {
      const FileRecord* const record = written.record().find(kind);
      if (sound_ || record == nullptr || !written.has(kind)) continue;
      with_threads(work_.budget.threads, [&] {
        auto file = restore_file(written.path_of(kind.name), kind, record->summary,
                                 written.record().statistics, options_.stop);
        if (!file) return;
        files.replace(kind, std::move(file->file));
        report_.blocks_restored += file->blocks;
      });
    }
    return files;
  }

  std::unique_ptr<SegmentReader> open_without_lists(const SegmentFiles& files) {
    const SegmentRecord& record = files.record();
    if (record.find(kLexiconFile) == nullptr || record.find(kPostingsFile) == nullptr) return {};
    return open_damaged(without_lists(files, writer_.scratch()), snapshot_.manifest.schema);
  }

  void add(std::size_t number) {
    const SegmentRecord& record = snapshot_.segments[number].record();
    std::optional<SalvagedSegment> salvaged;
    with_threads(work_.budget.threads, [&] {
      salvaged.emplace(*segments_[number], snapshot_.manifest.schema, lengths(), options_.stop);
    });
    if (salvaged->statistics().terms < record.statistics.terms) rebuild_lists(number, *salvaged);
    Losses losses = salvaged->losses();
    const LiveDocuments live = living(number, *salvaged, losses);
    const MergedSegment merged(*salvaged, &live, 0);
    write(*salvaged, merged);
    report_.documents_lost += losses.documents;
    report_.lists_lost += missing(record.statistics.terms, salvaged->statistics().terms);
    report_.postings_lost += missing(record.statistics.postings, salvaged->statistics().postings);
    report_.texts_lost += salvaged->lost_texts();
    report_.columns_lost += losses.columns;
    report_.values_lost += losses.columns * record.statistics.documents;
    report_.lengths_lost += losses.lengths;
    report_.deletions_lost += losses.deletions;
    report_.replaced_left_out += losses.replaced;
    report_.deleted_back += losses.back;
  }

  void write(const SalvagedSegment& salvaged, const MergedSegment& merged) {
    if (writer_.has_positions() && salvaged.positions() == nullptr) throw PositionsLost();
    try {
      write_merged({&merged, 1}, snapshot_.manifest.schema, work_, writer_);
    } catch (const FormatError&) {
      if (writer_.has_positions()) throw PositionsLost();  // all else was read before
      throw;
    }
  }

  void rebuild_lists(std::size_t number, SalvagedSegment& salvaged) {
    const SegmentRecord& record = snapshot_.segments[number].record();
    const std::uint64_t before = salvaged.statistics().terms;
    const fs::path directory = writer_.scratch() / (record.name + "-lists");
    auto rebuilt = lists_of_texts(*segments_[number], snapshot_.manifest, directory, options_);
    if (rebuilt != nullptr) {
      with_threads(work_.budget.threads, [&] {
        salvaged.take_lists(std::move(rebuilt), record, snapshot_.manifest.schema, options_.stop);
      });
    }
    report_.lists_rebuilt += salvaged.statistics().terms - before;
    try_remove_tree(directory);
  }

  /// Which documents come along: those that have a name and are not deleted, as far as that is
  /// known.
  LiveDocuments living(std::size_t number, const SalvagedSegment& segment, Losses& losses) const {
    const SegmentRecord& record = snapshot_.segments[number].record();
    std::vector<std::uint64_t> words = segment.named();
    if (const auto live = known_living(files_[number])) {
      for (std::size_t i = 0; i < words.size(); ++i) words[i] &= live->words()[i];
    } else {
      ++losses.deletions;
      if (segment.has_ids()) losses.replaced = leave_out_replaced(number, words);
      losses.back = record.deleted - std::min(record.deleted, losses.replaced);
    }
    return LiveDocuments(std::move(words), record.statistics.documents);
  }

  /// Ids are those of one living document each: one that a later document has, deleted or not, was
  /// free when that came. Returns how many documents are left out.
  std::uint64_t leave_out_replaced(std::size_t number, std::vector<std::uint64_t>& words) const {
    std::uint64_t replaced = 0;
    const Documents& documents = segments_[number]->documents();
    for (Docid d = 0; d < segments_[number]->statistics().documents; ++d) {
      if (d % kDocumentsPerLook == 0) throw_if_stopped(options_.stop);
      const std::uint64_t bit = std::uint64_t{1} << d % 64;
      const auto id = documents.salvaged_id(d);
      if ((words[d / 64] & bit) == 0 || !id || !comes_again(number, d, *id)) continue;
      words[d / 64] &= ~bit;
      ++replaced;
    }
    return replaced;
  }

  bool comes_again(std::size_t number, Docid docid, std::string_view id) const {
    std::vector<Docid> found;
    for (std::size_t s = number; s < segments_.size(); ++s) {
      if (segments_[s] == nullptr) continue;
      found.clear();
      segments_[s]->documents().find_salvaged(id, found);
      if (!found.empty() && (s > number || found.back() > docid)) return true;
    }
    return false;
  }

  const RepairOptions& options_;
  bool sound_;
  IndexSnapshot snapshot_;
  MergeWork work_;
  RepairReport report_;
  std::vector<SegmentFiles> files_;  ///< as far as they can be put right
  IndexWriter writer_;
  std::vector<std::unique_ptr<SegmentReader>> segments_;  ///< null: lost
};

/// Whether all positions can be kept shows when all are read: if not, it begins again without.
RepairReport repaired(const fs::path& damaged, const fs::path& output, bool sound,
                      const RepairOptions& options) {
  using Keep = Repair::Keep;
  try {
    return Repair(damaged, output, sound, Keep::kPositions, options).run();
  } catch (const PositionsLost&) {
  }
  return Repair(damaged, output, sound, Keep::kNoPositions, options).run();
}

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
  RepairReport report = repaired(damaged, output, problems.empty(), options);
  report.problems = std::move(problems);
  report.seconds = std::chrono::duration<double>(std::chrono::steady_clock::now() - start).count();
  return report;
}

}  // namespace gannet::index
