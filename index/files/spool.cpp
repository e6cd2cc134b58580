#include "index/files/spool.hpp"

#include <fcntl.h>
#include <unistd.h>

#include <algorithm>
#include <atomic>
#include <string>

#include "index/files/file_system.hpp"

namespace gannet::index {
namespace {

/// Opens a new file and takes its name away, so that it vanishes with the process.
File unnamed_file(const std::filesystem::path& directory) {
  static std::atomic<std::uint64_t> count{0};
  const std::string name = "spool-" + std::to_string(::getpid()) + "-" + std::to_string(++count);
  const std::filesystem::path path = directory / name;
  File file(path, O_RDWR | O_APPEND | O_CREAT | O_EXCL);
  file_system().remove(path);  // if not, it goes with the directory
  return file;
}

}  // namespace

void Spool::append(std::span<const std::byte> bytes) {
  buffer_.insert(buffer_.end(), bytes.begin(), bytes.end());
  if (buffer_.size() >= buffer_bytes_) spill();
}

void Spool::read_at(std::uint64_t offset, std::span<std::byte> bytes) const {
  if (offset < spilled_) {
    const auto part = bytes.first(std::min<std::uint64_t>(bytes.size(), spilled_ - offset));
    file_.read_at(offset, part);
    offset += part.size();
    bytes = bytes.subspan(part.size());
  }
  std::copy_n(buffer_.begin() + static_cast<std::ptrdiff_t>(offset - spilled_), bytes.size(),
              bytes.begin());
}

void Spool::spill() {
  if (!file_.is_open()) file_ = unnamed_file(directory_);
  file_.write(buffer_);
  spilled_ += buffer_.size();
  buffer_.clear();
}

}  // namespace gannet::index
