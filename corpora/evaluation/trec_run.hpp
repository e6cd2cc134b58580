// Run files with one retrieved document per line: TREC's `qid Q0 docid rank score tag` and MS
// MARCO's `qid docid rank`.
#pragma once

#include <cstdint>
#include <filesystem>
#include <functional>
#include <memory>
#include <optional>
#include <stop_token>
#include <string>
#include <string_view>
#include <vector>

#include "index/files/atomic_file.hpp"

namespace gannet::corpora {

/// One retrieved document of a query.
struct RankedDocument {
  std::string document = {};
  /// The rank in the file; absent if it is not a whole number. Gannet's ranks begin at 1.
  std::optional<std::uint64_t> rank = std::nullopt;
  double score = 0;
};

struct RankedList {
  std::string query = {};
  std::vector<RankedDocument> documents = {};  ///< in the order of the file
};

/// One list per query, in the order in which the queries first occur in the file.
using Run = std::vector<RankedList>;

enum class RunLayout {
  kTrec,     ///< `qid Q0 docid rank score tag`
  kMsMarco,  ///< `qid<TAB>docid<TAB>rank`, without scores
};

/// Formats lines of a run file into memory, so that several threads can each make a part of a run.
/// Not thread-safe: one object per thread.
///
/// A score is written with the fewest digits that identify the float, so that distinct scores stay
/// distinct. White space and control characters in ids and tags are written as "%00" to "%20" and
/// "%7F", since the format cannot hold them. A "%" is written as "%25" where it would read as one
/// of these escapes or as "%25". No two ids are written alike: decoding exactly these escapes
/// restores the id.
class RunLines {
 public:
  /// `tag` names the run; an empty tag becomes "gannet".
  explicit RunLines(std::string_view tag, RunLayout layout = RunLayout::kTrec);

  /// Appends a line. The ranks of a query begin at 1 for the best document. kMsMarco does not write
  /// the score.
  void add(std::string_view query, std::string_view document, std::uint64_t rank, float score);

  /// Appends a line of a list that is not ordered by score. `ranks` is the number of documents in
  /// the list, 1 <= rank <= ranks. The line's score is ranks - rank + 1, which decreases with the
  /// rank, since evaluators sort by score.
  void add_ranked(std::string_view query, std::string_view document, std::uint64_t rank,
                  std::uint64_t ranks);

  /// The lines so far. The view is valid until the next call of a non-const member.
  std::string_view text() const { return text_; }
  void clear() { text_.clear(); }

 private:
  bool add_without_score(std::string_view query, std::string_view document, std::uint64_t rank);

  std::string tag_;
  RunLayout layout_;
  std::string text_;
};

/// Writes a run file. A regular file appears complete or not at all; if the path is a symbolic
/// link, the file that it names is replaced. Any other output (a pipe, a device, /dev/stdout)
/// receives whole lines as they are flushed. Not thread-safe.
class RunWriter {
 public:
  /// Receives whole lines of a run that is not a file. What it throws leaves add(), append() and
  /// close().
  using Sink = std::function<void(std::string_view)>;

  /// Creates a temporary file beside `path`, or opens `path` if it is not a regular file. `tag` is
  /// that of RunLines. `existing` says what close() does with a file that exists at `path` by then.
  /// Throws IoError. Output to anything but a regular file throws CancelledError once `stop` is
  /// requested, here and in add(), append() and close(), also while it waits for a reader.
  RunWriter(const std::filesystem::path& path, std::string_view tag, std::stop_token stop = {},
            RunLayout layout = RunLayout::kTrec,
            index::Existing existing = index::Existing::kReplace);
  /// Writes to `sink`: lines of add() about 64 KiB at a time, those of append() at once.
  RunWriter(Sink sink, std::string_view tag, RunLayout layout = RunLayout::kTrec);
  ~RunWriter();  ///< without close(): removes the temporary file; buffered lines are lost
  RunWriter(const RunWriter&) = delete;
  RunWriter& operator=(const RunWriter&) = delete;

  /// Appends a line, as RunLines::add(). Throws IoError.
  void add(std::string_view query, std::string_view document, std::uint64_t rank, float score);
  /// Appends whole lines, the text() of a RunLines. Throws IoError.
  void append(std::string_view lines);

  /// Writes buffered lines and gives a regular file its name. Throws IoError, as
  /// index::AtomicFile::publish() does. Call it once; no line may follow.
  void close();

 private:
  struct Impl;
  std::unique_ptr<Impl> impl_;
};

/// Reads a run file of either layout, plain or compressed by gzip, bzip2 or zstd. A first line of
/// three fields means kMsMarco for the whole file, any other kTrec. In kMsMarco, the score of a
/// document is 1 / rank. In kTrec, the rank may be any word, since trec_eval ignores it, and the
/// tag may have several words. A score is what strtod() accepts, except NaN.
///
/// Throws IoError, and InputError for a file of more than 2^32 bytes (decompressed). Throws
/// InputError with the line for a line without the fields of the layout (six or more, or exactly
/// three), a score that is not a number, and a rank that is 0 or not a number in kMsMarco. A kTrec
/// line of more than six fields whose rank is not a number is an InputError too, since its id may
/// contain white space. Time is linear in the file's size, which is held in memory. Thread-safe.
Run read_run(const std::filesystem::path& path);

/// Reads a run from text in memory, as read_run() does. `name` is the file name in messages.
Run parse_run(std::string_view text, std::string_view name);

}  // namespace gannet::corpora
