#include <algorithm>
#include <atomic>
#include <system_error>

#include "corpora/documents/bytes/byte_stream.hpp"
#include "corpora/documents/sources.hpp"
#include "corpora/markup/html_text.hpp"
#include "corpora/markup/markup.hpp"

namespace gannet::corpora {
namespace {

namespace fs = std::filesystem;

struct DocumentFile {
  fs::path path;
  std::string id;
  std::uint64_t bytes;
};

/// Files to read; the reading itself is left to parse(), so that it is parallel.
struct FileBatch : index::RawBatch {
  std::vector<DocumentFile> files;
  std::uint64_t skipped = 0;
};

struct FileTexts : index::ParsedBatch {
  std::vector<DocumentFile> files;  // keeps the ids
  std::vector<std::string> texts;
};

std::string ends_of(const std::vector<std::string>& extensions) {
  std::string all;
  for (const std::string& extension : extensions) all += (all.empty() ? "" : ", ") + extension;
  return all;
}

// The extension that says what the file is, without one that says how it is compressed.
std::string extension_of(const fs::path& path) {
  std::string extension = path.extension().string();
  if (same_name(extension, ".gz") || same_name(extension, ".bz2") || same_name(extension, ".zst")) {
    extension = path.stem().extension().string();
  }
  return extension;
}

bool is_html(const fs::path& path) {
  const std::string extension = extension_of(path);
  return same_name(extension, ".html") || same_name(extension, ".htm") ||
         same_name(extension, ".xhtml");
}

class DirectorySource : public index::DocumentSource {
 public:
  DirectorySource(const std::vector<fs::path>& inputs, const ReaderOptions& options)
      : options_(options) {
    for (const fs::path& input : inputs) add_input(input, inputs.size() > 1);
    if (files_.empty() && skipped_ == number_) {  // not if others read the rest
      throw UsageError("no file below '" + inputs.front().string() + "' ends in " +
                       ends_of(options.extensions));
    }
  }

  std::unique_ptr<index::RawBatch> read() override {
    if (next_ == files_.size() && skipped_ == 0) return nullptr;
    auto batch = std::make_unique<FileBatch>();
    batch->skipped = std::exchange(skipped_, 0);
    std::uint64_t bytes = 0;
    while (next_ < files_.size() && bytes < options_.batch_bytes) {
      bytes += files_[next_].bytes;
      batch->files.push_back(std::move(files_[next_++]));
    }
    bytes_read_ += bytes;
    return batch;
  }

  std::unique_ptr<index::ParsedBatch> parse(std::unique_ptr<index::RawBatch> raw) const override {
    auto* read = dynamic_cast<FileBatch*>(raw.get());
    if (read == nullptr) throw UsageError("a batch was given to a source that did not read it");
    auto batch = std::make_unique<FileTexts>();
    batch->skipped = read->skipped;
    batch->files = std::move(read->files);
    batch->texts.reserve(batch->files.size());
    for (const DocumentFile& file : batch->files) {
      throw_if_stopped(options_.stop);
      batch->texts.push_back(text_of(file.path));
      batch->add(file.id, batch->texts.back());
    }
    return batch;
  }

  std::uint64_t bytes_read() const override { return bytes_read_; }
  std::uint64_t bytes_total() const override { return bytes_total_; }

 private:
  void add_input(const fs::path& input, bool several) {
    std::error_code error;
    const bool is_directory = fs::is_directory(input, error);
    const std::string prefix = several && is_directory ? name_of(input) + '/' : "";
    for (FoundFile& found : find_files(input, options_.stop)) {
      if (!options_.files.has(number_++)) continue;
      if (is_directory && !is_wanted(found.path)) {
        ++skipped_;
        continue;
      }
      const std::uintmax_t size = fs::file_size(found.path, error);
      const std::uint64_t bytes = error || size == 0 ? 1 : size;
      bytes_total_ += bytes;
      files_.push_back({std::move(found.path), prefix + found.relative, bytes});
    }
  }

  // The directory's own name, also of "." and "docs/".
  static std::string name_of(const fs::path& directory) {
    std::error_code error;
    const fs::path absolute = fs::absolute(directory, error);
    const fs::path full = (error ? directory : absolute).lexically_normal();
    return (full.has_filename() ? full : full.parent_path()).filename().string();
  }

  bool is_wanted(const fs::path& path) const {
    const std::string extension = extension_of(path);
    return std::any_of(options_.extensions.begin(), options_.extensions.end(),
                       [&](const std::string& wanted) { return same_name(wanted, extension); });
  }

  std::string text_of(const fs::path& path) const {
    std::string contents = read_whole_file(path, options_.max_record_bytes, options_.stop);
    if (!is_html(path)) return contents;
    std::string text;
    append_html_text(contents, text, options_.stop);
    return text;
  }

  ReaderOptions options_;
  std::vector<DocumentFile> files_;
  std::size_t next_ = 0;
  std::uint64_t skipped_ = 0;
  std::size_t number_ = 0;  ///< of the next file
  std::uint64_t bytes_total_ = 0;
  std::atomic<std::uint64_t> bytes_read_{0};
};

}  // namespace

std::unique_ptr<index::DocumentSource> open_directory(const std::vector<fs::path>& inputs,
                                                      const ReaderOptions& options) {
  return std::make_unique<DirectorySource>(inputs, options);
}

}  // namespace gannet::corpora
