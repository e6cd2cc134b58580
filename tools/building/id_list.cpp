#include "tools/building/id_list.hpp"

#include <utility>

namespace gannet::tools {
namespace {

constexpr std::size_t kBuffer = std::size_t{1} << 16;

}  // namespace

IdList::IdList(const std::filesystem::path& path, std::stop_token stop)
    : stream_(path, std::move(stop)) {}

bool IdList::fill() {
  buffer_.resize(kBuffer);
  buffer_.resize(stream_.read(buffer_.data(), kBuffer));
  at_ = 0;
  return !buffer_.empty();
}

bool IdList::next(std::string& line) {
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
