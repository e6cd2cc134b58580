#include "index/files/atomic_file.hpp"

#include <fcntl.h>

#include <system_error>
#include <utility>

namespace gannet::index {
namespace {

constexpr std::size_t kBufferBytes = std::size_t{1} << 20;

std::filesystem::path temporary_name(std::filesystem::path path) {
  path += kTemporarySuffix;
  return path;
}

}  // namespace

AtomicFile::AtomicFile(std::filesystem::path path)
    : path_(std::move(path)),
      temporary_(temporary_name(path_)),
      file_(temporary_, O_WRONLY | O_CREAT | O_TRUNC) {}

AtomicFile::~AtomicFile() {
  std::error_code ignored;
  if (!published_) std::filesystem::remove(temporary_, ignored);
}

void AtomicFile::append(std::span<const std::byte> bytes) {
  size_ += bytes.size();
  if (bytes.size() >= kBufferBytes) {
    flush();
    hasher_.update(bytes);
    file_.write(bytes);
    return;
  }
  buffer_.insert(buffer_.end(), bytes.begin(), bytes.end());
  if (buffer_.size() >= kBufferBytes) flush();
}

void AtomicFile::flush() {
  hasher_.update(buffer_);
  file_.write(buffer_);
  buffer_.clear();
}

void AtomicFile::finish() {
  flush();
  file_.sync();
  file_.close();
}

void AtomicFile::publish() {
  rename_file(temporary_, path_);
  published_ = true;
}

}  // namespace gannet::index
