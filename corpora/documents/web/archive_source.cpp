// Documents from WARC and ARC files.
#include <algorithm>
#include <atomic>
#include <optional>

#include "corpora/documents/sources/sources.hpp"
#include "corpora/documents/web/archive.hpp"

namespace gannet::corpora {
namespace {

/// Of a batch, however small the records' bytes are.
constexpr std::size_t kMaxRecords = 4096;

std::uint64_t archive_bytes(const std::filesystem::path& path) {
  std::error_code error;
  const std::uintmax_t size = std::filesystem::file_size(path, error);
  return error ? 0 : size;
}

class ArchiveSource : public index::DocumentSource {
 public:
  ArchiveSource(std::unique_ptr<ArchiveFormat> format, std::vector<std::filesystem::path> files,
                const ReaderOptions& options)
      : format_(std::move(format)),
        files_(std::move(files)),
        options_(options),
        bad_records_(options),
        documents_(options) {
    for (const auto& file : files_) bytes_total_ += archive_bytes(file);
  }

  std::unique_ptr<index::RawBatch> read() override {
    auto batch = std::make_unique<ArchiveBatch>();
    while (!is_full(*batch) && (input_ || next_file_ < files_.size())) {
      if (!input_ && !open_next(*batch)) continue;
      throw_if_stopped(options_.stop);
      const std::size_t before = batch->records.size();
      const bool more = reader_->next(*input_, *batch);
      if (batch->records.size() > before) complete(batch->records.back(), *batch);
      bytes_read_.store(finished_bytes_ + input_->file_bytes(), std::memory_order_relaxed);
      if (!input_->problem().empty() && input_->at_end()) {
        // The record that the file breaks off in is wrong for that reason alone.
        if (batch->records.size() > before && !batch->records.back().problem.empty()) {
          batch->records.pop_back();
        }
        leave_file(input_->problem(), input_->offset(), *batch);
        close_file();
      } else if (!more) {
        close_file();
      }
    }
    return batch->records.empty() && batch->bad_files.empty() ? nullptr : std::move(batch);
  }

  std::unique_ptr<index::ParsedBatch> parse(std::unique_ptr<index::RawBatch> raw) const override {
    const auto* const archive = dynamic_cast<const ArchiveBatch*>(raw.get());
    if (archive == nullptr) {
      throw UsageError("a batch was given to a source that did not read it");
    }
    auto batch = std::make_unique<PageBatch>();
    PageRoom room;
    for (const ArchiveRecord& record : archive->records) {
      throw_if_stopped(options_.stop);
      add(record, archive->bytes, room, *batch);
    }
    for (const std::string& problem : archive->bad_files) bad_records_.skip_file(problem, *batch);
    return batch;
  }

  std::uint64_t bytes_read() const override { return bytes_read_; }
  std::uint64_t bytes_total() const override { return bytes_total_; }

 private:
  /// Contents of a batch may be decompressed to as much as a record may have, together, and what no
  /// batch of other records would refuse is not refused: so batches end before they may have more.
  bool is_full(const ArchiveBatch& batch) const {
    return batch.bytes.size() >= std::max<std::size_t>(options_.batch_bytes, 1) ||
           batch.records.size() >= kMaxRecords || batch.content_bytes >= options_.max_record_bytes;
  }

  void complete(ArchiveRecord& record, ArchiveBatch& batch) const {
    record.path = path_;
    if (!record.problem.empty()) return;
    const std::string_view bytes = batch.bytes;
    record.content_limit =
        content_limit(bytes.substr(record.body, record.body_size), options_.max_record_bytes);
    batch.content_bytes += record.content_limit;
  }

  /// What cannot be read on: an error, or named where that is passed over.
  void leave_file(const ReadProblem& problem, std::uint64_t offset, ArchiveBatch& batch) const {
    if (!bad_records_.skips()) problem.raise();
    batch.bad_files.push_back(problem.what + "; what stands before byte " + std::to_string(offset) +
                              " (of the decompressed file) was kept");
  }

  /// Within a handler of the error; returns false.
  bool leave_unopened(const Error& error, ArchiveBatch& batch) const {
    if (!bad_records_.skips()) throw;
    batch.bad_files.emplace_back(error.what());
    return false;
  }

  bool open_next(ArchiveBatch& batch) {
    const std::filesystem::path& file = files_[next_file_++];
    try {
      input_.emplace(file, options_.stop);
    } catch (const IoError& error) {
      return leave_unopened(error, batch);
    } catch (const FormatError& error) {
      return leave_unopened(error, batch);
    }
    reader_ = format_->make_reader(options_.max_record_bytes);
    path_ = std::make_shared<const std::string>(file.string());
    return true;
  }

  void close_file() {
    finished_bytes_ += input_->file_bytes();
    input_.reset();
    reader_.reset();
  }

  void add(const ArchiveRecord& record, std::string_view bytes, PageRoom& room,
           PageBatch& batch) const {
    if (!record.problem.empty()) return complain(record, record.problem, batch);
    try {
      const auto page = format_->page_of(bytes.substr(record.head, record.head_size),
                                         bytes.substr(record.body, record.body_size),
                                         options_.page_ids, record.content_limit, room);
      if (page) documents_.add(*page, batch);
    } catch (const InputError& error) {
      complain(record, error.what(), batch);
    }
  }

  void complain(const ArchiveRecord& record, std::string_view reason, PageBatch& batch) const {
    bad_records_.handle(*record.path + ": the record at byte " + std::to_string(record.offset) +
                            " (of the decompressed file)",
                        reason, batch);
    batch.skipped += record.lost;
  }

  std::unique_ptr<ArchiveFormat> format_;
  std::vector<std::filesystem::path> files_;
  ReaderOptions options_;
  BadRecords bad_records_;
  PageDocuments documents_;

  // The file being read.
  std::size_t next_file_ = 0;
  std::optional<ArchiveInput> input_;
  std::unique_ptr<ArchiveReader> reader_;
  std::shared_ptr<const std::string> path_;

  std::uint64_t finished_bytes_ = 0;
  std::uint64_t bytes_total_ = 0;
  std::atomic<std::uint64_t> bytes_read_{0};
};

}  // namespace

std::unique_ptr<index::DocumentSource> open_archives(DocumentFormat format,
                                                     std::vector<std::filesystem::path> files,
                                                     const ReaderOptions& options) {
  return std::make_unique<ArchiveSource>(
      format == DocumentFormat::kWarc ? warc_format() : arc_format(), std::move(files), options);
}

}  // namespace gannet::corpora
