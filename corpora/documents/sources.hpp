// The document sources, one function a format, and what those over record files share.
#pragma once

#include <filesystem>
#include <memory>
#include <stop_token>
#include <vector>

#include "codecs/core/cancellation.hpp"
#include "codecs/error.hpp"
#include "corpora/documents/batch_reader.hpp"
#include "corpora/documents/documents.hpp"
#include "corpora/documents/text_batch.hpp"

namespace gannet::corpora {

/// What becomes of the records of a file.
enum class RecordUse {
  kDocuments,  ///< documents with id, texts and values
  kValues,     ///< values of fields of documents that come from elsewhere (tables/rows.hpp)
};

std::unique_ptr<index::DocumentSource> open_jsonl(std::vector<std::filesystem::path> files,
                                                  const ReaderOptions& options,
                                                  RecordUse use = RecordUse::kDocuments);
std::unique_ptr<index::DocumentSource> open_tsv(std::vector<std::filesystem::path> files,
                                                const ReaderOptions& options,
                                                RecordUse use = RecordUse::kDocuments);
std::unique_ptr<index::DocumentSource> open_csv(std::vector<std::filesystem::path> files,
                                                const ReaderOptions& options,
                                                RecordUse use = RecordUse::kDocuments);
std::unique_ptr<index::DocumentSource> open_trec_text(std::vector<std::filesystem::path> files,
                                                      const ReaderOptions& options);
std::unique_ptr<index::DocumentSource> open_trec_web(std::vector<std::filesystem::path> files,
                                                     const ReaderOptions& options);
std::unique_ptr<index::DocumentSource> open_wikipedia(std::vector<std::filesystem::path> files,
                                                      const ReaderOptions& options);
/// `format` is kWarc or kArc.
std::unique_ptr<index::DocumentSource> open_archives(DocumentFormat format,
                                                     std::vector<std::filesystem::path> files,
                                                     const ReaderOptions& options);
std::unique_ptr<index::DocumentSource> open_directory(
    const std::vector<std::filesystem::path>& inputs, const ReaderOptions& options);

std::unique_ptr<index::DocumentSource> open_json_vectors(std::vector<std::filesystem::path> files,
                                                         const ReaderOptions& options);

/// A file below an input, and its path relative to it ('/' between parts).
struct FoundFile {
  std::filesystem::path path;
  std::string relative;
};

/// All files below a directory, or the file itself, as open_documents() describes it. Throws
/// IoError, and CancelledError once `stop` asks for it.
std::vector<FoundFile> find_files(const std::filesystem::path& input, const std::stop_token& stop);

/// Of the files of all inputs, those that the options want. Throws what input_files() throws.
std::vector<std::filesystem::path> wanted_files(const std::vector<std::filesystem::path>& inputs,
                                                const ReaderOptions& options);

template <class Splitter>
std::unique_ptr<RecordSplitter> make_splitter() {
  return std::make_unique<Splitter>();
}

/// A source over files of records; subclasses parse the batches.
class TextSource : public index::DocumentSource {
 public:
  TextSource(std::vector<std::filesystem::path> files, MakeSplitter splitter,
             const ReaderOptions& options)
      : reader_(std::move(files), splitter, options), bad_records_(options), stop_(options.stop) {}

  std::unique_ptr<index::RawBatch> read() override { return reader_.next(); }
  std::uint64_t bytes_read() const override { return reader_.bytes_read(); }
  std::uint64_t bytes_total() const override { return reader_.bytes_total(); }

 protected:
  const BadRecords& bad_records() const { return bad_records_; }
  const std::stop_token& stop() const { return stop_; }

  /// The batch as what read() made it. Throws UsageError for a batch of another source.
  static std::unique_ptr<TextBatch> take_text(std::unique_ptr<index::RawBatch> raw) {
    auto* text = dynamic_cast<TextBatch*>(raw.get());
    if (text == nullptr) throw UsageError("a batch was given to a source that did not read it");
    static_cast<void>(raw.release());
    return std::unique_ptr<TextBatch>(text);
  }

 private:
  BatchReader reader_;
  BadRecords bad_records_;
  std::stop_token stop_;
};

}  // namespace gannet::corpora
