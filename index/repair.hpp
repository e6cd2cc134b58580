// Repairing a damaged index: what is undamaged is copied to a new index.
//
//     const RepairReport report = repair_index("damaged", "repaired", {});
#pragma once

#include <cstdint>
#include <filesystem>
#include <functional>
#include <stop_token>
#include <string>
#include <string_view>
#include <vector>

#include "codecs/base/deadline.hpp"
#include "index/segment/segment.hpp"

namespace gannet::index {

struct RepairOptions {
  bool overwrite = false;  ///< whether an index in the output directory may be replaced
  double lock_wait = 0;    ///< WriteOptions::lock_wait, of the index that is written
  /// Like the members of BuildOptions with these names.
  std::uint64_t memory = std::uint64_t{2048} << 20;
  unsigned threads = 0;
  std::stop_token stop = {};
  Deadline deadline = kNoDeadline;
  std::function<void(std::string_view stage, std::uint64_t done, std::uint64_t total)> progress =
      {};
};

struct RepairReport {
  Statistics statistics = {};  ///< of the repaired index
  std::uint64_t segments_lost = 0;
  std::uint64_t documents_lost = 0;  ///< documents left out, those of lost segments included
  // The following members count losses of the segments that are not lost.
  std::uint64_t lists_lost = 0;     ///< posting lists: one per term and segment
  std::uint64_t postings_lost = 0;  ///< postings of these lists, deleted documents included
  std::uint64_t texts_lost = 0;     ///< stored texts
  std::uint64_t columns_lost = 0;   ///< columns: one per field and segment
  std::uint64_t values_lost = 0;    ///< documents of lost columns, which may have had a value
  /// Documents whose stored length is damaged. The length is recomputed from the lists; in an index
  /// of impacts the stored value is kept.
  std::uint64_t lengths_lost = 0;
  std::uint64_t deletions_lost = 0;  ///< segments whose bitmap of live documents is lost
  /// Documents of these segments that are left out because a later document has their id.
  std::uint64_t replaced_left_out = 0;
  /// Upper bound of the deleted documents of these segments that are live again: they cannot be
  /// told from documents that were not deleted.
  std::uint64_t deleted_back = 0;
  /// Damaged blocks of 4 KiB, headers and ends of files whose bytes are known again. Nothing of
  /// them is lost.
  std::uint64_t blocks_restored = 0;
  std::uint64_t lists_rebuilt = 0;  ///< damaged posting lists that were made anew of stored texts
  /// 1: the index had positions; not all of them can be read, so that the repaired one has none.
  std::uint64_t positions_lost = 0;
  std::vector<std::string> problems = {};  ///< those that verify_index() finds in the damaged index
  double seconds = 0;                      ///< wall time

  /// Whether nothing was lost. What was damaged and could be put right is in `problems`.
  bool nothing_missing() const {
    return documents_lost + lists_lost + texts_lost + columns_lost + lengths_lost + deletions_lost +
               positions_lost ==
           0;
  }
};

/// Writes the readable parts of the index in `damaged` to a new index in `output`, with one segment
/// for each segment that is not lost. Nothing in `damaged` changes. The function runs
/// verify_index() first, and reads all lists, texts and columns.
///
/// What is kept has the bytes that were written, or the same values:
///
/// - A flipped bit of a block of 4 KiB is put back: of all bits, it is the one with which the
///   block's checksum is right. What stands behind the sections of a file follows from these and
///   the manifest, if they are undamaged; of a file of fields or of positions, the footer alone.
/// - Lists of the main text that are lost are made anew of the stored texts, if all texts of the
///   segment can be read and the same versions of libraries analyse them. The new lists are taken
///   only if they agree with the lengths of all documents, the manifest's numbers of terms,
///   postings and tokens, and all lists that can be read.
/// - Positions are kept if those of all lists that are kept can be read, and all lengths of texts.
///   Lists that are made anew have them if no document's main text has several values: where these
///   end is not stored. Else the repaired index has none, and the repair, which finds this out on
///   its way, takes up to twice the time.
/// - Lengths in a damaged block are recomputed from the lists, lookups by id are made anew.
///
/// Other lists, stored texts and columns that have bytes in a damaged block are left out, and so
/// are documents whose ids cannot be read; the report counts them. An id in a damaged block is kept
/// if the undamaged lookup by id confirms it. If the file of texts, of fields, of the lexicon or of
/// postings is lost, only the texts, columns or lists are; a segment is lost with its documents if
/// the file of its documents is missing, or damaged in its tables. Deleted documents are left out.
/// If the bitmap of live documents is lost, documents whose id a later document has are left out,
/// because they were replaced, and other deleted documents are live again.
///
/// Throws IoError or FormatError if the manifest cannot be read: it is needed to read the rest.
/// Throws IoError for a file that exists and cannot be opened, VersionError if the index has parts
/// that this version does not know and would lose, UsageError for a set of shards, too little
/// memory and an output that must not be written to, CancelledError and DeadlineError.
RepairReport repair_index(const std::filesystem::path& damaged, const std::filesystem::path& output,
                          const RepairOptions& options);

}  // namespace gannet::index
