#include <algorithm>
#include <atomic>
#include <optional>
#include <system_error>

#include "corpora/documents/bytes/byte_stream.hpp"
#include "corpora/documents/sources/sources.hpp"
#include "corpora/markup/html/charset.hpp"
#include "corpora/markup/html/html_text.hpp"
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
  std::uint64_t left_out = 0;
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

bool is_packed(const fs::path& path) {
  const std::string extension = path.extension().string();
  return std::ranges::any_of(kPackedExtensions,
                             [&](std::string_view packed) { return same_name(extension, packed); });
}

// The extension that says what the file is, without one that says how it is compressed.
std::string extension_of(const fs::path& path) {
  std::string extension = path.extension().string();
  for (const std::string_view packed : kPackedExtensions) {
    if (same_name(extension, packed)) return path.stem().extension().string();
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
      : options_(options), encoding_(encoding_of(options.encoding)), bad_files_(options) {
    for (const fs::path& input : inputs) add_input(input, inputs.size() > 1);
    if (files_.empty() && left_out_ == number_) {  // not if others read the rest
      throw UsageError("no file below '" + inputs.front().string() + "' ends in " +
                       ends_of(options.extensions));
    }
  }

  std::unique_ptr<index::RawBatch> read() override {
    if (next_ == files_.size() && left_out_ == 0) return nullptr;
    auto batch = std::make_unique<FileBatch>();
    batch->left_out = std::exchange(left_out_, 0);
    std::uint64_t bytes = 0;
    std::uint64_t texts = 0;
    while (next_ < files_.size() && texts < options_.batch_bytes) {
      bytes += files_[next_].bytes;
      // Nobody knows what a compressed file unfolds to.
      texts += is_packed(files_[next_].path) ? options_.batch_bytes : files_[next_].bytes;
      batch->files.push_back(std::move(files_[next_++]));
    }
    bytes_read_ += bytes;
    return batch;
  }

  std::unique_ptr<index::ParsedBatch> parse(std::unique_ptr<index::RawBatch> raw) const override {
    auto* read = dynamic_cast<FileBatch*>(raw.get());
    if (read == nullptr) throw UsageError("a batch was given to a source that did not read it");
    auto batch = std::make_unique<FileTexts>();
    batch->left_out = read->left_out;
    batch->files = std::move(read->files);
    batch->texts.reserve(batch->files.size());
    for (const DocumentFile& file : batch->files) {
      throw_if_stopped(options_.stop);
      add(file, *batch);
    }
    return batch;
  }

  std::uint64_t bytes_read() const override { return bytes_read_; }
  std::uint64_t bytes_total() const override { return bytes_total_; }

 private:
  void add_input(const fs::path& input, bool several) {
    std::error_code error;
    const bool is_directory = fs::is_directory(input, error);
    const std::string prefix = several && is_directory ? folder_name(input) + '/' : "";
    for (FoundFile& found : files_of(input, options_)) {
      if (!options_.files.has(number_++)) continue;
      if (is_directory && found.problem.empty() && !is_wanted(found.path)) {
        leave_out(found.path);
        continue;
      }
      const std::uintmax_t size = fs::file_size(found.path, error);
      const std::uint64_t bytes = error || size == 0 ? 1 : size;
      bytes_total_ += bytes;
      files_.push_back({std::move(found.path), prefix + found.relative, bytes});
    }
  }

  void leave_out(const fs::path& path) {
    ++left_out_;
    if (options_.on_left_out) options_.on_left_out(path);
  }

  // The directory's own name, also of "." and "docs/".
  static std::string folder_name(const fs::path& directory) {
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

  /// Adds the document of a file; one that cannot be read is named where that is passed over.
  void add(const DocumentFile& file, FileTexts& batch) const {
    try {
      batch.texts.push_back(text_of(file.path));
    } catch (const IoError& error) {
      return skip(error, batch);
    } catch (const FormatError& error) {
      return skip(error, batch);
    }
    batch.add(file.id, batch.texts.back());
  }

  /// Within a handler of the error.
  void skip(const Error& error, FileTexts& batch) const {
    if (!bad_files_.skips()) throw;
    bad_files_.skip_file(error.what(), batch);
  }

  std::string text_of(const fs::path& path) const {
    std::string contents = read_whole_bytes(path, options_.max_record_bytes, options_.stop);
    std::string text;
    if (is_html(path)) {
      append_html_text(contents, text, options_.stop);
      return text;
    }
    const std::string_view name = encoding_ ? name_of(*encoding_) : std::string_view();
    const std::string_view plain = text_as_utf8(contents, text, name);
    return plain.data() == contents.data() ? std::move(contents) : std::string(plain);
  }

  ReaderOptions options_;
  std::optional<Encoding> encoding_;
  BadRecords bad_files_;
  std::vector<DocumentFile> files_;
  std::size_t next_ = 0;
  std::uint64_t left_out_ = 0;
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
