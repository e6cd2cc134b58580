#include "tools/building/skipped_records.hpp"

#include <fcntl.h>
#include <unistd.h>

#include <algorithm>
#include <cerrno>
#include <cstring>
#include <exception>
#include <filesystem>
#include <system_error>
#include <utility>

#include "codecs/base/error.hpp"
#include "corpora/documents/bytes/byte_sink.hpp"

namespace gannet::tools {

namespace {

/// Throws UsageError for a list of another build.
void check_list_is_new(const std::string& path) {
  std::error_code error;
  if (!std::filesystem::is_regular_file(path, error)) return;
  if (std::filesystem::file_size(path, error) == 0) return;
  throw UsageError(
      "--skipped " + path +
      ": there is a file already; pass --overwrite to replace it (and the index), name "
      "another file, or go on with the build that it is of (--resume)");
}

}  // namespace

SkippedRecords::SkippedRecords(std::string path, OldList old, std::stop_token stop)
    : path_(std::move(path)),
      stop_(std::move(stop)),
      waits_(old == OldList::kReplace),
      exceptions_(std::uncaught_exceptions()) {
  constexpr mode_t kMode = 0666;
  if (old == OldList::kRefuse) check_list_is_new(path_);
  descriptor_ = ::open(path_.c_str(), O_WRONLY | O_CREAT | O_APPEND | O_CLOEXEC, kMode);
  if (descriptor_ < 0) {
    throw IoError(path_ + ": cannot be opened for writing: " + std::strerror(errno));
  }
}

SkippedRecords::~SkippedRecords() {
  try {
    if (std::uncaught_exceptions() == exceptions_) begin();
  } catch (const std::exception&) {  // NOLINT(bugprone-empty-catch): of lines before any document
  }
  ::close(descriptor_);
}

void SkippedRecords::begin(bool empties) {
  const std::lock_guard lock(mutex_);
  if (!waits_) return;
  waits_ = false;
  // EINVAL: pipes and devices have no end.
  if (empties && ::ftruncate(descriptor_, 0) != 0 && errno != EINVAL) {
    throw IoError(path_ + ": cannot be emptied: " + std::strerror(errno));
  }
  corpora::write_bytes(descriptor_, path_, std::exchange(held_, {}), stop_);
}

void SkippedRecords::add(std::string_view problem) {
  // One line, which a terminal may be shown.
  std::string line(problem);
  std::ranges::replace_if(
      line, [](char c) { return static_cast<unsigned char>(c) < 0x20 || c == 0x7f; }, '?');
  line += '\n';
  const std::lock_guard lock(mutex_);
  if (waits_) {
    held_ += line;
  } else {
    corpora::write_bytes(descriptor_, path_, line, stop_);
  }
}

}  // namespace gannet::tools
