// Raw batches of text: pieces of files, cut at record boundaries.
#pragma once

#include <algorithm>
#include <cstdint>
#include <functional>
#include <memory>
#include <string>
#include <string_view>
#include <vector>

#include "corpora/documents/documents.hpp"
#include "index/builder.hpp"

namespace gannet::corpora {

/// A record that the reader found already (JSON values that do not stand one a line).
struct RecordSpan {
  std::size_t begin;  ///< in the batch's bytes
  std::size_t length;
  std::uint64_t line;  ///< where it begins, from 1
  bool complete;       ///< false: the file ended inside it
};

/// A run of whole records from one file: bytes [begin, end) of the batch.
struct Piece {
  std::shared_ptr<const std::string> path;
  std::size_t begin = 0;
  std::size_t end = 0;
  std::uint64_t first_line = 1;
  bool first_in_file = false;
  bool last_in_file = false;
  bool without_records = false;  ///< the last of a file in which no record begins
  bool has_spans = false;        ///< the records are `spans`; else the format's parser finds them
  std::vector<RecordSpan> spans;
  /// The columns that the file's first line names, where the format has such a line.
  std::shared_ptr<const std::vector<std::string>> columns;
  bool has_header = false;  ///< that line is in this piece
  char line_end = '\n';     ///< the last character of one; '\r' in tables alone
  bool is_utf8 = true;      ///< tables and TREC text: else records are to be looked at one by one
  /// What stands before the file's first record, where the format's records need it.
  std::shared_ptr<const std::string> head;
};

/// Bytes and their pieces. `bytes` ends with kPadding more bytes than the pieces cover, so that
/// parsers may read past a record's end.
struct TextBatch : index::RawBatch {
  static constexpr std::size_t kPadding = 64;

  std::string bytes;
  std::vector<Piece> pieces;
  /// Files that could not be read to their ends, with the reason, where that is passed over.
  std::vector<std::string> bad_files;

  std::size_t memory() const override { return bytes.capacity(); }
};

/// What becomes of malformed records, as the options say. Thread-safe.
class BadRecords {
 public:
  explicit BadRecords(const ReaderOptions& options)
      : policy_(options.malformed), on_skipped_(options.on_skipped) {}

  bool skips() const { return policy_ == Malformed::kSkip; }
  /// Whether anybody is told where a record is: else nobody need find out.
  bool shows() const { return !skips() || on_skipped_; }

  /// Throws InputError, or counts the record in `batch` and tells of it.
  void handle(const std::string& place, std::string_view reason, index::ParsedBatch& batch) const;
  void handle(const std::string& path, std::uint64_t line, std::string_view reason,
              index::ParsedBatch& batch) const {
    handle(shows() ? path + ":" + std::to_string(line) : path, reason, batch);
  }
  /// Counts a record that is skipped, and tells of it.
  void skip(const std::string& place, std::string_view reason, index::ParsedBatch& batch) const {
    skip(place + ": " + std::string(reason), batch);
  }
  /// Counts a record, and tells of it.
  void skip(const std::string& problem, index::ParsedBatch& batch) const;
  /// The same of a file that cannot be read to its end, which the batch names.
  void skip_file(const std::string& problem, index::ParsedBatch& batch) const {
    skip(problem, batch);
    batch.broken_files.push_back(problem);
  }

 private:
  Malformed policy_;
  std::function<void(std::string_view problem)> on_skipped_;
};

/// The numbers of a text's lines, asked for places in ascending order: each byte is looked at once.
class LineNumbers {
 public:
  LineNumbers(std::string_view text, std::uint64_t first_line) : text_(text), line_(first_line) {}

  std::uint64_t at(std::size_t place) {
    if (place > place_) {
      const std::string_view passed = text_.substr(place_, place - place_);
      line_ += static_cast<std::uint64_t>(std::count(passed.begin(), passed.end(), '\n'));
      place_ = place;
    }
    return line_;
  }

 private:
  std::string_view text_;
  std::size_t place_ = 0;
  std::uint64_t line_;
};

inline bool is_blank(std::string_view line) {
  return line.find_first_not_of(" \t") == std::string_view::npos;
}

/// Calls on_line(line, number) for every line of a piece, without its LF or CRLF, or its
/// `line_end`.
template <class F>
void for_every_line(std::string_view text, std::uint64_t first_line, F&& on_line,
                    char line_end = '\n') {
  std::uint64_t number = first_line;
  for (std::size_t begin = 0; begin < text.size(); ++number) {
    std::size_t end = text.find(line_end, begin);
    if (end == std::string_view::npos) end = text.size();
    std::string_view line = text.substr(begin, end - begin);
    if (line_end == '\n' && line.ends_with('\r')) line.remove_suffix(1);
    on_line(line, number);
    begin = end + 1;
  }
}

/// The same, blank lines left out.
template <class F>
void for_each_line(std::string_view text, std::uint64_t first_line, F&& on_line,
                   char line_end = '\n') {
  const auto on_any = [&](std::string_view line, std::uint64_t number) {
    if (!is_blank(line)) on_line(line, number);
  };
  for_every_line(text, first_line, on_any, line_end);
}

}  // namespace gannet::corpora
