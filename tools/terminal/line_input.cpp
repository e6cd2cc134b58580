#include "tools/terminal/line_input.hpp"

#include <unistd.h>

#include <string_view>
#include <utility>

namespace gannet::tools {
namespace {

constexpr std::size_t kBuffer = std::size_t{1} << 16;
constexpr std::string_view kByteOrderMark = "\xef\xbb\xbf";

}  // namespace

LineInput::LineInput(const std::string& path, std::stop_token stop) : stop_(std::move(stop)) {
  if (path != "-") file_.emplace(path, stop_);
}

bool LineInput::fill() {
  buffer_.resize(kBuffer);
  buffer_.resize(file_
                     ? file_->read(buffer_.data(), kBuffer)
                     : corpora::read_bytes(STDIN_FILENO, "stdin", buffer_.data(), kBuffer, stop_));
  at_ = 0;
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
  if (std::exchange(at_start_, false) && line.starts_with(kByteOrderMark)) {
    line.erase(0, kByteOrderMark.size());
  }
  return found;
}

}  // namespace gannet::tools
