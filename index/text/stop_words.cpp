#include "index/text/stop_words.hpp"

#include <fmt/format.h>
#include <simdjson.h>

#include <algorithm>

#include "codecs/base/error.hpp"

namespace gannet::index {
namespace {

constexpr std::size_t kMaxBytes = std::size_t{1} << 20;
constexpr std::string_view kBlanks = " \t\r\v\f";
constexpr std::string_view kByteOrderMark = "\xEF\xBB\xBF";

void add_words(std::string_view line, std::vector<std::string>& words) {
  line = line.substr(0, line.find('|'));
  for (;;) {
    const std::size_t begin = line.find_first_not_of(kBlanks);
    if (begin == std::string_view::npos || line[begin] == '#') return;
    line.remove_prefix(begin);
    const std::size_t end = std::min(line.find_first_of(kBlanks), line.size());
    words.emplace_back(line.substr(0, end));
    line.remove_prefix(end);
  }
}

}  // namespace

std::vector<std::string> parse_stop_words(std::string_view text, std::string_view path) {
  if (text.starts_with(kByteOrderMark)) text.remove_prefix(kByteOrderMark.size());
  std::vector<std::string> words;
  for (std::size_t number = 1; !text.empty(); ++number) {
    const std::size_t end = std::min(text.find('\n'), text.size());
    const std::string_view line = text.substr(0, end);
    if (!simdjson::validate_utf8(line.data(), line.size())) {
      throw UsageError(fmt::format("{}:{}: is not UTF-8; convert the file to it", path, number));
    }
    add_words(line, words);
    text.remove_prefix(std::min(end + 1, text.size()));
  }
  std::ranges::sort(words);
  words.erase(std::unique(words.begin(), words.end()), words.end());
  const std::string problem = stop_words_problem(words);
  if (!problem.empty()) throw UsageError(fmt::format("{}: {}", path, problem));
  return words;
}

std::string stop_words_problem(const std::vector<std::string>& words) {
  std::size_t bytes = 0;
  for (const std::string& word : words) {
    if (word.empty()) return "a stop word is empty";
    if (!simdjson::validate_utf8(word.data(), word.size())) return "a stop word is not UTF-8";
    bytes += word.size();
  }
  if (bytes <= kMaxBytes) return {};
  return fmt::format(
      "the stop words have {} bytes, and may have {}; such a list is no list of "
      "stop words",
      bytes, kMaxBytes);
}

}  // namespace gannet::index
