#include "tools/output/raw_values.hpp"

#include <fmt/format.h>

#include <algorithm>
#include <cerrno>
#include <filesystem>

#include "codecs/error.hpp"
#include "index/files/posix_file.hpp"
#include "tools/terminal/standard_output.hpp"

namespace gannet::tools {
namespace {

namespace fs = std::filesystem;

constexpr std::size_t kBlockBytes = std::size_t{1} << 22;

bool is_packed(const std::string& path) { return path.ends_with(".gz") || path.ends_with(".zst"); }

}  // namespace

RawInput::RawInput(const std::string& path) : path_(path) {
  if (path == "-") {
    path_ = "stdin";
    stdin_ = stdin;
    return;
  }
  std::error_code unknown;
  if (fs::is_directory(path, unknown)) throw IoError(fmt::format("{}: this is a folder", path));
  if (is_packed(path)) {
    packed_.emplace(path);
  } else {
    file_.reset(std::fopen(path.c_str(), "rb"));
    if (file_ == nullptr) index::fail_io(path, "open", errno);
  }
  const auto size = fs::file_size(path, unknown);
  total_ = unknown ? 0 : size;
}

std::size_t RawInput::read(std::span<std::byte> bytes) {
  if (packed_) return packed_->read(reinterpret_cast<char*>(bytes.data()), bytes.size());
  std::FILE* const file = stdin_ != nullptr ? stdin_ : file_.get();
  const std::size_t got = std::fread(bytes.data(), 1, bytes.size(), file);
  if (got < bytes.size() && std::ferror(file) != 0) index::fail_io(path_, "read", errno);
  done_ += got;
  return got;
}

std::uint64_t RawInput::done() const { return packed_ ? packed_->file_bytes() : done_; }

std::vector<std::byte> read_raw(const std::string& path, std::uint32_t size, std::uint64_t limit) {
  RawInput input(path);
  std::vector<std::byte> bytes;
  for (std::size_t got = kBlockBytes; got == kBlockBytes;) {
    const std::size_t end = bytes.size();
    bytes.resize(end + kBlockBytes);
    got = input.read(std::span(bytes).subspan(end));
    bytes.resize(end + got);
    if (bytes.size() > limit) {
      throw InputError(fmt::format("{}: more than {} bytes; measure a part of it", path, limit));
    }
  }
  if (bytes.size() % size != 0) {
    throw InputError(fmt::format("{}: {} bytes are no whole number of values of {} bytes each",
                                 path, bytes.size(), size));
  }
  return bytes;
}

RawOutput::RawOutput(const std::string& path) {
  if (path != "-") file_.emplace(path);
}

void RawOutput::write(std::span<const std::byte> bytes) {
  if (file_) {
    file_->append(bytes);
  } else {
    write_stdout({reinterpret_cast<const char*>(bytes.data()), bytes.size()});
  }
}

void RawOutput::finish() {
  if (!file_) {
    flush_stdout();
    return;
  }
  file_->finish();
  file_->publish();
  const fs::path folder = file_->path().parent_path();
  index::sync_directory(folder.empty() ? "." : folder);
}

void check_output(const std::string& path, bool overwrite) {
  std::error_code unknown;
  if (path == "-" || !fs::exists(path, unknown)) return;
  if (!fs::is_regular_file(path, unknown)) {
    // It would be replaced by a file, also if it is /dev/null.
    throw UsageError(fmt::format("{}: not a regular file; '--output -' writes to stdout", path));
  }
  if (overwrite) return;
  throw UsageError(
      fmt::format("{}: there is a file already; pass --overwrite to replace it", path));
}

}  // namespace gannet::tools
