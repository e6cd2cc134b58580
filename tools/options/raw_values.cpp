#include "tools/options/raw_values.hpp"

#include <fcntl.h>
#include <fmt/format.h>
#include <unistd.h>

#include <algorithm>
#include <cerrno>
#include <filesystem>
#include <string_view>
#include <utility>

#include "codecs/base/error.hpp"
#include "index/files/posix_file.hpp"
#include "tools/terminal/interrupt.hpp"
#include "tools/terminal/standard_output.hpp"

namespace gannet::tools {
namespace {

namespace fs = std::filesystem;

constexpr std::size_t kBytesPerRead = std::size_t{1} << 22;

/// A device that people look at.
bool writes_to_terminal(const index::OutputTarget& target) {
  if (target.descriptor >= 0) return ::isatty(target.descriptor) == 1;
  std::error_code unknown;
  if (!fs::is_character_file(target.path, unknown)) return false;
  const int device = ::open(target.path.c_str(), O_WRONLY | O_CLOEXEC | O_NONBLOCK | O_NOCTTY);
  const bool is = device >= 0 && ::isatty(device) == 1;
  if (device >= 0) ::close(device);
  return is;
}

bool is_same_file(const std::string& a, const std::string& b) {
  if (a == "-" || b == "-") return false;
  const index::OutputTarget first = index::output_target(a);
  const index::OutputTarget second = index::output_target(b);
  if (first.in_place || second.in_place) return false;
  std::error_code unknown;
  return fs::equivalent(first.path, second.path, unknown) ||
         fs::weakly_canonical(first.path, unknown) == fs::weakly_canonical(second.path, unknown);
}

bool is_packed(const std::string& path) { return path.ends_with(".gz") || path.ends_with(".zst"); }

}  // namespace

RawInput::RawInput(const std::string& path, std::stop_token stop)
    : path_(path), stop_(std::move(stop)) {
  if (path == "-") {
    path_ = "stdin";
    descriptor_ = STDIN_FILENO;
    return;
  }
  std::error_code unknown;
  if (fs::is_directory(path, unknown)) throw IoError(fmt::format("{}: this is a folder", path));
  if (is_packed(path)) {
    packed_.emplace(path, stop_);
  } else {
    // O_NONBLOCK: to open a pipe that nobody writes to yet must not wait beyond all calling.
    descriptor_ = ::open(path.c_str(), O_RDONLY | O_CLOEXEC | O_NONBLOCK);
    if (descriptor_ < 0) index::fail_io(path, "open", errno);
  }
  const auto size = fs::file_size(path, unknown);
  total_ = unknown ? 0 : size;
}

RawInput::~RawInput() {
  if (descriptor_ > STDIN_FILENO) ::close(descriptor_);
}

std::size_t RawInput::read(std::span<std::byte> bytes) {
  auto* const out = reinterpret_cast<char*>(bytes.data());
  if (packed_) return packed_->read(out, bytes.size());
  std::size_t filled = 0;
  while (filled < bytes.size()) {
    const std::size_t got =
        corpora::read_bytes(descriptor_, path_, out + filled, bytes.size() - filled, stop_);
    if (got == 0) break;
    filled += got;
  }
  done_ += filled;
  return filled;
}

std::uint64_t RawInput::done() const { return packed_ ? packed_->file_bytes() : done_; }

std::vector<std::byte> read_raw(const std::string& path, std::uint32_t size, std::uint64_t limit) {
  RawInput input(path);
  std::vector<std::byte> bytes;
  for (std::size_t got = kBytesPerRead; got == kBytesPerRead;) {
    const std::size_t end = bytes.size();
    bytes.resize(end + kBytesPerRead);
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

RawOutput::RawOutput(const std::string& path, index::Existing existing) {
  if (path != "-") output_.emplace(path, interrupt_token(), existing);
}

void RawOutput::write(std::span<const std::byte> bytes) {
  if (output_) {
    output_->write(bytes);
  } else {
    write_stdout({reinterpret_cast<const char*>(bytes.data()), bytes.size()});
  }
}

void RawOutput::finish() {
  if (output_) {
    output_->finish();
  } else {
    flush_stdout();
  }
}

index::Existing existing_output(const OptionSet& options) {
  return existing_output(options.has("overwrite"));
}

void check_distinct_files(const OptionSet& options, const char* one, const char* other) {
  if (!options.has(one) || !options.has(other)) return;
  const auto& name = options.get<std::string>(other);
  if (is_same_file(options.get<std::string>(one), name)) {
    throw UsageError(fmt::format("--{} and --{} are the same file, {}", one, other, name));
  }
}

void check_raw_output(const std::string& path, bool overwrite) {
  std::error_code unknown;
  const bool to_stdout = path == "-";
  const index::OutputTarget target =
      to_stdout ? index::OutputTarget{path, true, STDOUT_FILENO} : index::output_target(path);
  if (!target.in_place || (!to_stdout && fs::is_directory(target.path, unknown))) {
    check_file_output(path, overwrite);
  } else if (writes_to_terminal(target)) {
    throw UsageError(fmt::format(
        "--output {}: this is a terminal, which would obey what it finds in the bytes; give a "
        "file, or send stdout to one or to a program such as 'od -A d -t d4'",
        path));
  }
}

}  // namespace gannet::tools
