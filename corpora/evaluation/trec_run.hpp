// Run files, one retrieved document a line: TREC's `qid Q0 docid rank score tag`, and MS MARCO's
// `qid docid rank`.
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
  /// As the file has it, where it is a whole number; Gannet counts from 1.
  std::optional<std::uint64_t> rank = std::nullopt;
  double score = 0;
};

struct RankedList {
  std::string query = {};
  std::vector<RankedDocument> documents = {};  ///< in the order of the file
};

/// Queries in the order in which they first occur.
using Run = std::vector<RankedList>;

enum class RunLayout {
  kTrec,     ///< `qid Q0 docid rank score tag`
  kMsMarco,  ///< `qid<TAB>docid<TAB>rank`, which has no scores
};

/// Lines of a run file in memory, so that several threads can make them. Scores are written with
/// the fewest digits that are this float and no other, so that evaluators see no ties that are
/// none. White space and control characters in ids and tags, which the format cannot hold, are
/// written as "%20" and its like ("%00" to "%20", "%7F"), and the "%" of an id that has such a
/// piece or "%25" in it as "%25", so that no two ids are written alike: undoing these escapes, and
/// no others, gives the id.
class RunLines {
 public:
  /// `tag` names the run; "gannet" if it is empty.
  explicit RunLines(std::string_view tag, RunLayout layout = RunLayout::kTrec);

  /// Appends a line; a query's ranks count from 1, best first.
  void add(std::string_view query, std::string_view document, std::uint64_t rank, float score);

  /// A line of a list that is in another order than that of scores: its score says the rank, from
  /// `ranks`, how many documents the list has, for the first one to 1 for the last, since
  /// evaluators sort by scores.
  void add_ranked(std::string_view query, std::string_view document, std::uint64_t rank,
                  std::uint64_t ranks);

  std::string_view text() const { return text_; }
  void clear() { text_.clear(); }

 private:
  bool add_without_score(std::string_view query, std::string_view document, std::uint64_t rank);

  std::string tag_;
  RunLayout layout_;
  std::string text_;
};

/// Writes a run file, which appears complete or not at all; a symbolic link stays one, and what it
/// names is replaced. What is no regular file (a pipe, a device, /dev/stdout) is written line after
/// line. Not thread-safe.
class RunWriter {
 public:
  /// Takes the lines of a run that is no file, whole lines at a time; throws what add() and close()
  /// then throw.
  using Sink = std::function<void(std::string_view)>;

  /// Creates `path` under a temporary name. `tag` as for RunLines. Throws IoError. Here and in
  /// add(), append() and close(), CancelledError is thrown if `stop` asks for it while a pipe is
  /// not read. `existing`: what becomes of a file that is there at close().
  RunWriter(const std::filesystem::path& path, std::string_view tag, std::stop_token stop = {},
            RunLayout layout = RunLayout::kTrec,
            index::Existing existing = index::Existing::kReplace);
  RunWriter(Sink sink, std::string_view tag, RunLayout layout = RunLayout::kTrec);
  ~RunWriter();  ///< without close(): removes what was written
  RunWriter(const RunWriter&) = delete;
  RunWriter& operator=(const RunWriter&) = delete;

  /// Appends a line; a query's ranks count from 1, best first. Throws IoError.
  void add(std::string_view query, std::string_view document, std::uint64_t rank, float score);
  /// Appends whole lines, those of a RunLines. Throws IoError.
  void append(std::string_view lines);

  /// Makes the file visible under its name. Throws IoError, as index::AtomicFile::publish() does.
  void close();

 private:
  struct Impl;
  std::unique_ptr<Impl> impl_;
};

/// Reads a run file of either layout, told by its first line (plain or compressed). Of kMsMarco,
/// the score of a document is 1 / rank. TREC's rank may be any word, since trec_eval does not read
/// it, and the tag may have more than one. Throws IoError, and InputError with the line for one
/// that has not the layout's six or three fields, a score that is no number (strtod() says which
/// are, NaN is none), and a rank that is
/// none in MS MARCO's layout or where a line has more than six fields: then an id may be in two
/// pieces.
Run read_run(const std::filesystem::path& path);

/// Reads a run from text in memory, as read_run() does. `name` stands for the file in messages.
Run parse_run(std::string_view text, std::string_view name);

}  // namespace gannet::corpora
