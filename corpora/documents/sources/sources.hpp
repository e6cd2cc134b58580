// The document sources, one function a format, and what those over record files share.
#pragma once

#include <filesystem>
#include <memory>
#include <optional>
#include <stop_token>
#include <vector>

#include "codecs/base/cancellation.hpp"
#include "codecs/base/error.hpp"
#include "corpora/documents/documents.hpp"
#include "corpora/documents/files/found_files.hpp"
#include "corpora/documents/sources/batch_reader.hpp"
#include "corpora/documents/sources/text_batch.hpp"
#include "corpora/markup/encoding/encoding.hpp"

namespace gannet::corpora {

/// What becomes of the records of a file.
enum class RecordUse {
  kDocuments,  ///< documents with id, texts and values
  kValues,     ///< values of fields of documents that come from elsewhere (rows.hpp)
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

/// The encoding that --encoding names; nothing if it is empty. Throws UsageError.
std::optional<Encoding> encoding_of(const std::string& label);

/// The files of an input. Reports what is passed over to ReaderOptions::on_passed_over, unless
/// reading begins behind the first file. Throws IoError, also for a folder that cannot be read
/// unless the options skip what is malformed.
std::vector<FoundFile> files_of(const std::filesystem::path& input, const ReaderOptions& options);

/// Of the files of all inputs, those that the options want and the format reads. Throws what
/// input_files() and files_of() throw.
std::vector<std::filesystem::path> wanted_files(DocumentFormat format,
                                                const std::vector<std::filesystem::path>& inputs,
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
  std::unique_ptr<index::ParsedBatch> parse(std::unique_ptr<index::RawBatch> raw) const final {
    auto text = take_text(std::move(raw));
    const std::vector<std::string> bad_files = std::move(text->bad_files);
    auto batch = parse_text(std::move(text));
    for (const std::string& problem : bad_files) bad_records_.skip_file(problem, *batch);
    return batch;
  }
  std::uint64_t bytes_read() const override { return reader_.bytes_read(); }
  std::uint64_t bytes_total() const override { return reader_.bytes_total(); }

 protected:
  const BadRecords& bad_records() const { return bad_records_; }
  const std::stop_token& stop() const { return stop_; }

  /// Makes documents of a batch, as DocumentSource::parse() does.
  virtual std::unique_ptr<index::ParsedBatch> parse_text(std::unique_ptr<TextBatch> text) const = 0;

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
