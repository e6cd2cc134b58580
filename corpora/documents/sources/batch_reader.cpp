#include "corpora/documents/sources/batch_reader.hpp"

#include <algorithm>

#include "codecs/base/cancellation.hpp"
#include "codecs/base/error.hpp"
#include "corpora/documents/sources/sources.hpp"

namespace gannet::corpora {
namespace {

std::uint64_t size_if_regular(const std::filesystem::path& path) {
  std::error_code error;
  const std::uintmax_t size = std::filesystem::file_size(path, error);
  return error ? 0 : size;
}

}  // namespace

void BadRecords::handle(const std::string& place, std::string_view reason,
                        index::ParsedBatch& batch) const {
  if (!skips()) {
    throw InputError(place + ": " + std::string(reason) +
                     "; mend it, or skip what is malformed (--on-error skip)");
  }
  skip(place, reason, batch);
}

void BadRecords::skip(const std::string& problem, index::ParsedBatch& batch) const {
  ++batch.skipped;
  if (on_skipped_) on_skipped_(problem);
}

std::size_t LineSplitter::cut(std::string_view text, bool at_end, Piece&) {
  return at_end ? text.size() : text.rfind('\n') + 1;  // npos + 1 is 0
}

BatchReader::BatchReader(std::vector<std::filesystem::path> files, MakeSplitter make_splitter,
                         const ReaderOptions& options)
    : files_(std::move(files)),
      make_splitter_(make_splitter),
      batch_bytes_(std::max<std::size_t>(options.batch_bytes, 1)),
      max_record_bytes_(options.max_record_bytes),
      skips_bad_files_(options.malformed == Malformed::kSkip),
      encoding_(encoding_of(options.encoding)),
      stop_(options.stop) {
  for (const auto& file : files_) bytes_total_ += size_if_regular(file);
}

std::unique_ptr<TextBatch> BatchReader::next() {
  auto batch = std::make_unique<TextBatch>();
  while (batch->bytes.size() < batch_bytes_ && (stream_ || next_file_ < files_.size())) {
    if (stream_ || open_next(*batch)) append_piece(*batch);
  }
  if (batch->pieces.empty() && batch->bad_files.empty()) return nullptr;
  batch->bytes.append(TextBatch::kPadding, ' ');
  return batch;
}

/// Within a handler of the error; returns false.
bool BatchReader::leave_unopened(const Error& error, TextBatch& batch) const {
  if (!skips_bad_files_) throw;
  batch.bad_files.emplace_back(error.what());
  return false;
}

bool BatchReader::open_next(TextBatch& batch) {
  const std::filesystem::path& path = files_[next_file_++];
  try {
    stream_.emplace(path, encoding_, stop_);
  } catch (const IoError& error) {
    return leave_unopened(error, batch);
  } catch (const FormatError& error) {
    return leave_unopened(error, batch);
  }
  problem_ = {};
  splitter_ = make_splitter_();
  path_ = std::make_shared<const std::string>(path.string());
  line_ = 1;
  first_in_file_ = true;
  carry_.clear();
  return true;
}

void BatchReader::close_file() {
  finished_bytes_ += stream_->file_bytes();
  stream_.reset();
  splitter_.reset();
  carry_.clear();
}

// Appends up to `want` bytes; false at the end of the file.
bool BatchReader::fill(std::string& bytes, std::size_t want) {
  const std::size_t before = bytes.size();
  bytes.resize(before + want);
  const std::size_t got = stream_->read(bytes.data() + before, want, problem_);
  bytes.resize(before + got);
  bytes_read_.store(finished_bytes_ + stream_->file_bytes(), std::memory_order_relaxed);
  return got == want && problem_.empty();
}

/// Whether the file that begins at `begin` is in an encoding of which no byte is what it seems to
/// be. It is an error, or named where that is passed over.
bool BatchReader::leave_utf16(std::size_t begin, TextBatch& batch) {
  const std::string reason = looks_like_utf16(std::string_view(batch.bytes).substr(begin), true);
  if (reason.empty()) return false;
  const std::string problem = *path_ + ": " + reason;
  if (!skips_bad_files_) throw InputError(problem);
  batch.bad_files.push_back(problem);
  batch.bytes.resize(begin);
  close_file();
  return true;
}

void BatchReader::append_piece(TextBatch& batch) {
  Piece piece;
  piece.path = path_;
  piece.begin = batch.bytes.size();
  piece.first_line = line_;
  piece.first_in_file = std::exchange(first_in_file_, false);
  batch.bytes += carry_;
  std::size_t cut = 0;
  for (std::size_t want = batch_bytes_; cut == 0 && !piece.last_in_file; want *= 2) {
    if (batch.bytes.size() - piece.begin > max_record_bytes_) {
      throw InputError(
          *path_ + ":" + std::to_string(line_) + ": no end of a record within " +
          std::to_string(max_record_bytes_) +
          " bytes; is the file of this format? More memory makes room for larger ones");
    }
    throw_if_stopped(stop_);
    // One byte above the limit shows that a record is larger; more would only be held.
    const std::size_t room = max_record_bytes_ + 1 - (batch.bytes.size() - piece.begin);
    piece.last_in_file = !fill(batch.bytes, std::min(want, std::max(room, batch_bytes_)));
    const auto text = std::string_view(batch.bytes).substr(piece.begin);
    piece.spans.clear();
    cut = problem_.empty() ? splitter_->cut(text, piece.last_in_file, piece)
                           : splitter_->cut_broken(text, piece);
  }
  if (piece.first_in_file && leave_utf16(piece.begin, batch)) return;
  if (!problem_.empty() && !skips_bad_files_) problem_.raise();
  piece.end = piece.begin + cut;
  carry_.assign(batch.bytes, piece.end);
  batch.bytes.resize(piece.end);
  for (RecordSpan& span : piece.spans) span.begin += piece.begin;
  const auto begin = batch.bytes.begin() + static_cast<std::ptrdiff_t>(piece.begin);
  line_ += static_cast<std::uint64_t>(std::count(begin, batch.bytes.end(), piece.line_end));
  if (!problem_.empty()) {
    batch.bad_files.push_back(
        problem_.what + (line_ == 1
                             ? "; nothing of it was kept"
                             : "; what stands before line " + std::to_string(line_) + " was kept"));
  }
  if (piece.last_in_file) close_file();
  if (cut > 0 || problem_.empty()) batch.pieces.push_back(std::move(piece));
}

}  // namespace gannet::corpora
