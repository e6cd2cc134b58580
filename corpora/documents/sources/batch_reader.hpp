// Reading files into batches that are cut at record boundaries.
#pragma once

#include <atomic>
#include <cstdint>
#include <filesystem>
#include <memory>
#include <optional>
#include <stop_token>
#include <string>
#include <string_view>
#include <vector>

#include "codecs/base/error.hpp"
#include "corpora/documents/bytes/text_stream.hpp"
#include "corpora/documents/documents.hpp"
#include "corpora/documents/sources/text_batch.hpp"

namespace gannet::corpora {

/// How a format's records are found. One object reads one file; not thread-safe.
class RecordSplitter {
 public:
  virtual ~RecordSplitter() = default;

  /// How many bytes at the front of `text` are whole records (and what lies between them); all of
  /// `text` if `at_end`. `text` begins where the last cut was. May fill in piece.spans, relative to
  /// `text`.
  virtual std::size_t cut(std::string_view text, bool at_end, Piece& piece) = 0;
  /// The same where the file breaks off behind `text`: the record that it breaks off in is none.
  virtual std::size_t cut_broken(std::string_view text, Piece& piece) {
    return cut(text, false, piece);
  }
};

/// Cuts behind the last line end.
class LineSplitter : public RecordSplitter {
 public:
  std::size_t cut(std::string_view text, bool at_end, Piece& piece) override;
};

using MakeSplitter = std::unique_ptr<RecordSplitter> (*)();

/// Reads files one after the other. A file that cannot be read, or not to its end, is an IoError or
/// a FormatError, or is left there and named in the batch (TextBatch::bad_files), as the options
/// have it of malformed records; so are the bytes behind its last whole record. next() is for one
/// thread at a time; the counters for any.
class BatchReader {
 public:
  BatchReader(std::vector<std::filesystem::path> files, MakeSplitter make_splitter,
              const ReaderOptions& options);

  /// The next batch, or null at the end. Throws CancelledError as the options ask.
  std::unique_ptr<TextBatch> next();

  std::uint64_t bytes_read() const { return bytes_read_.load(std::memory_order_relaxed); }
  std::uint64_t bytes_total() const { return bytes_total_; }

 private:
  bool open_next(TextBatch& batch);
  bool leave_unopened(const Error& error, TextBatch& batch) const;
  void close_file();
  void append_piece(TextBatch& batch);
  bool leave_utf16(std::size_t begin, TextBatch& batch);
  bool fill(std::string& bytes, std::size_t want);

  std::vector<std::filesystem::path> files_;
  MakeSplitter make_splitter_;
  std::size_t batch_bytes_;
  std::size_t max_record_bytes_;
  bool skips_bad_files_;
  std::optional<Encoding> encoding_;
  std::stop_token stop_;
  std::size_t next_file_ = 0;

  // The file being read.
  std::optional<TextStream> stream_;
  std::unique_ptr<RecordSplitter> splitter_;
  std::shared_ptr<const std::string> path_;
  std::string carry_;  // bytes behind the last cut
  std::uint64_t line_ = 1;
  bool first_in_file_ = true;
  ReadProblem problem_;  ///< why the file cannot be read on

  std::uint64_t finished_bytes_ = 0;
  std::uint64_t bytes_total_ = 0;
  std::atomic<std::uint64_t> bytes_read_{0};
};

}  // namespace gannet::corpora
