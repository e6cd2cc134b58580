#include "index/inversion/runs/spool.hpp"

#include <fcntl.h>
#include <stdlib.h>
#include <unistd.h>

#include <cerrno>
#include <string>

namespace gannet::index {
namespace {

/// Opens a new file and takes its name away, so that it vanishes with the process.
File unnamed_file(const std::filesystem::path& directory) {
  std::string name = (directory / "spool-XXXXXX").string();
  const int descriptor = ::mkostemp(name.data(), O_CLOEXEC);
  if (descriptor < 0) fail_io(directory, "create a temporary file", errno);
  ::close(descriptor);
  File file(name, O_RDWR | O_APPEND);
  ::unlink(name.c_str());
  return file;
}

}  // namespace

void Spool::append(std::span<const std::byte> bytes) {
  buffer_.insert(buffer_.end(), bytes.begin(), bytes.end());
  if (buffer_.size() >= kBufferBytes) spill();
}

void Spool::spill() {
  if (!file_.is_open()) file_ = unnamed_file(directory_);
  file_.write(buffer_);
  spilled_ += buffer_.size();
  buffer_.clear();
}

}  // namespace gannet::index
