#include "corpora/documents/sources/line_table.hpp"

#include <string>
#include <system_error>

#include "codecs/base/cancellation.hpp"
#include "codecs/base/error.hpp"

namespace gannet::corpora {

LineTable::LineTable(const std::filesystem::path& path, std::uint64_t expected,
                     const std::stop_token& stop)
    : file_(path) {
  StopCheck check_stop(stop);
  const auto bytes = file_.bytes();
  text_ = {reinterpret_cast<const char*>(bytes.data()), bytes.size()};
  starts_.push_back(0);
  while (starts_.back() < text_.size()) {
    check_stop();
    const std::size_t end = text_.find('\n', starts_.back());
    starts_.push_back(end == std::string_view::npos ? text_.size() + 1 : end + 1);
    if (line(starts_.size() - 2).empty()) {
      throw FormatError(path.string() + ":" + std::to_string(starts_.size() - 1) +
                        ": a name is empty");
    }
  }
  if (starts_.size() - 1 != expected) {
    throw FormatError(path.string() + ": has " + std::to_string(starts_.size() - 1) +
                      " lines, but the collection has " + std::to_string(expected) +
                      " things to name");
  }
}

std::unique_ptr<LineTable> LineTable::open_if_there(const std::filesystem::path& path,
                                                    std::uint64_t expected,
                                                    const std::stop_token& stop) {
  // What cannot even be looked at is opened, so that the message says why.
  std::error_code unknown;
  if (!std::filesystem::exists(path, unknown) && !unknown) return nullptr;
  return std::make_unique<LineTable>(path, expected, stop);
}

std::string_view LineTable::line(std::uint64_t n) const {
  std::string_view line = text_.substr(starts_[n], starts_[n + 1] - 1 - starts_[n]);
  if (line.ends_with('\r')) line.remove_suffix(1);
  return line;
}

}  // namespace gannet::corpora
