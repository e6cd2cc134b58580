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
  std::uint64_t lists_lost = 0;    ///< posting lists
  std::uint64_t texts_lost = 0;    ///< stored texts
  std::uint64_t columns_lost = 0;  ///< columns: one per field and segment
  /// Documents whose stored length is damaged. The length is recomputed from the lists; in an index
  /// of impacts the stored value is kept.
  std::uint64_t lengths_lost = 0;
  std::uint64_t deletions_lost = 0;  ///< segments whose bitmap of live documents is lost
  /// Documents of these segments that are left out because a later document has their id.
  std::uint64_t replaced_left_out = 0;
  /// Upper bound of the deleted documents of these segments that are live again: they cannot be
  /// told from documents that were not deleted.
  std::uint64_t deleted_back = 0;
  std::vector<std::string> problems = {};  ///< those that verify_index() finds in the damaged index
  double seconds = 0;                      ///< wall time

  /// Whether nothing was lost and verify_index() found no problem.
  bool nothing_missing() const {
    return documents_lost + lists_lost + texts_lost + columns_lost + lengths_lost + deletions_lost +
               problems.size() ==
           0;
  }
};

/// Writes the readable parts of the index in `damaged` to a new index in `output`, with one segment
/// for each segment that is not lost. Nothing in `damaged` changes. The function runs
/// verify_index() first, and reads all lists, texts and columns.
///
/// Lists, stored texts and columns that cannot be read are left out, and so are documents whose ids
/// cannot be read; the report counts them. A segment is lost with its documents if the file of its
/// lexicon, documents or postings is missing, or damaged in its header, footer or tables. If the
/// file of texts or of fields is lost, only the texts or the columns are. Lookups by id are made
/// anew. Deleted documents are left out. If the bitmap of live documents is lost, documents whose
/// id a later document has are left out, because they were replaced, and other deleted documents
/// are live again.
///
/// A damaged block of 4 KiB, whose checksum is wrong, is lost as a unit; everything that is kept
/// has the bytes that were written. An id in a damaged block is kept if the undamaged lookup by id
/// confirms it. Lengths in a damaged block are recomputed from the lists.
///
/// Throws IoError or FormatError if the manifest cannot be read: it is needed to read the rest.
/// Throws IoError for a file that exists and cannot be opened, VersionError if the index has parts
/// that this version does not know and would lose, UsageError for a set of shards, too little
/// memory and an output that must not be written to, CancelledError and DeadlineError.
RepairReport repair_index(const std::filesystem::path& damaged, const std::filesystem::path& output,
                          const RepairOptions& options);

}  // namespace gannet::index
