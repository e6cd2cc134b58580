#include "corpora/documents/web/archive_input.hpp"

#include <algorithm>

namespace gannet::corpora {
namespace {

constexpr std::size_t kFill = std::size_t{1} << 18;
/// Of empty lines that are kept.
constexpr std::size_t kMaxBlank = std::size_t{1} << 16;

}  // namespace

void ArchiveInput::refill() {
  buffer_.erase(0, begin_);
  begin_ = 0;
  const std::size_t before = buffer_.size();
  buffer_.resize(before + kFill);
  const std::size_t got = stream_.read(buffer_.data() + before, kFill, problem_);
  buffer_.resize(before + got);
  ended_ = got < kFill;
}

bool ArchiveInput::has(std::size_t size) {
  while (buffer_.size() - begin_ < size && !ended_) refill();
  return buffer_.size() - begin_ >= size;
}

std::string_view ArchiveInput::peek_line(std::size_t limit) {
  // Once more bytes are wanted at all, they are read up to the limit, so that no byte is searched
  // more than twice.
  for (const bool all_there : {false, true}) {
    const std::string_view text =
        std::string_view(buffer_).substr(begin_).substr(0, all_there ? limit : std::string::npos);
    const std::size_t end = text.substr(0, limit).find('\n');
    if (end != std::string_view::npos) return text.substr(0, end + 1);
    if (all_there) return text;
    has(limit);
  }
  return {};
}

void ArchiveInput::take(std::size_t size) {
  begin_ += size;
  taken_ += size;
}

bool ArchiveInput::take_blank_lines(std::string* out) {
  std::size_t room = kMaxBlank;
  while (has(1)) {
    const std::size_t size = buffer_[begin_] == '\n'                                            ? 1
                             : has(2) && buffer_[begin_] == '\r' && buffer_[begin_ + 1] == '\n' ? 2
                                                                                                : 0;
    if (size == 0) break;
    if (out != nullptr && room > 0) {
      out->append(buffer_, begin_, size);
      room -= std::min(room, size);
    }
    take(size);
  }
  return out != nullptr && room > 0;
}

std::uint64_t ArchiveInput::append_to(std::string& out, std::uint64_t size) {
  const std::uint64_t wanted = size;
  while (size > 0 && has(1)) {
    const auto part =
        static_cast<std::size_t>(std::min<std::uint64_t>(size, buffer_.size() - begin_));
    out.append(buffer_, begin_, part);
    take(part);
    size -= part;
  }
  return wanted - size;
}

bool ArchiveInput::give_back(std::string_view bytes) {
  constexpr std::uint64_t kMaxTimes = 2;
  furthest_ = std::max(furthest_, taken_);
  if (given_back_ + bytes.size() > kMaxTimes * furthest_) return false;
  given_back_ += bytes.size();
  buffer_.replace(0, begin_, bytes);
  begin_ = 0;
  taken_ -= bytes.size();
  return true;
}

}  // namespace gannet::corpora
