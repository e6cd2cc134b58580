#include "tools/terminal/line_input.hpp"

#include <unistd.h>

#include <utility>

#include "codecs/base/error.hpp"
#include "corpora/markup/encoding/encoding.hpp"

namespace gannet::tools {
namespace {

constexpr std::size_t kBuffer = std::size_t{1} << 16;

}  // namespace

LineInput::LineInput(const std::string& path, std::stop_token stop)
    : name_(path == "-" ? "stdin" : path), stop_(std::move(stop)) {
  if (path != "-") file_.emplace(path, stop_);
}

std::string LineInput::read_some() {
  std::string bytes(kBuffer, '\0');
  bytes.resize(file_ ? file_->read(bytes.data(), kBuffer)
                     : corpora::read_bytes(STDIN_FILENO, name_, bytes.data(), kBuffer, stop_));
  return bytes;
}

/// Finds out what the text is written in.
void LineInput::begin(std::string& bytes) {
  const auto marked = corpora::encoding_marked(bytes);
  if (marked) bytes.erase(0, corpora::size_of_mark(*marked));
  if (marked && *marked != corpora::Encoding::kUtf8) decoder_.emplace(*marked);
  const std::string reason = marked ? "" : corpora::looks_like_utf16(bytes, false);
  if (!reason.empty()) throw InputError(name_ + ": " + reason);
}

/// At the end no more is read: a terminal would go on.
bool LineInput::fill() {
  buffer_.clear();
  at_ = 0;
  while (buffer_.empty() && !ended_) {
    std::string bytes = read_some();
    ended_ = bytes.empty();
    if (!std::exchange(begun_, true)) begin(bytes);
    if (decoder_) {
      decoder_->append(bytes, ended_, buffer_);
    } else {
      buffer_ = std::move(bytes);
    }
  }
  return !buffer_.empty();
}

bool LineInput::next(std::string& line) {
  line.clear();
  bool found = false;
  while (at_ < buffer_.size() || fill()) {
    found = true;
    const std::size_t end = buffer_.find('\n', at_);
    line.append(buffer_, at_, end - at_);
    at_ = end == std::string::npos ? buffer_.size() : end + 1;
    if (end != std::string::npos) break;
  }
  if (line.ends_with('\r')) line.pop_back();
  return found;
}

}  // namespace gannet::tools
