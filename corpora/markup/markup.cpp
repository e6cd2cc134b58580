#include "corpora/markup/markup.hpp"

#include <algorithm>
#include <cstring>

namespace gannet::corpora {
namespace {

constexpr std::string_view kSpace = " \t\r\n\f\v";

bool is_name_letter(char c) { return (c >= 'a' && c <= 'z') || (c >= 'A' && c <= 'Z'); }
bool is_name(char c) {
  return is_name_letter(c) || (c >= '0' && c <= '9') || c == '-' || c == '_' || c == ':' ||
         c == '.';
}
char lower_ascii(char c) { return c >= 'A' && c <= 'Z' ? static_cast<char>(c + 32) : c; }

// The end of the comment, declaration or instruction whose '<' is at `begin`, or
// std::string_view::npos. Clears `comments_end` once a comment does not, so that no text is
// searched for it again and again.
std::size_t end_of_declaration(std::string_view text, std::size_t begin, bool& comments_end) {
  const std::string_view rest = text.substr(begin);
  if (rest.starts_with("<!--")) {
    const std::size_t end = comments_end ? text.find("-->", begin + 4) : std::string_view::npos;
    comments_end = end != std::string_view::npos;
    return end == std::string_view::npos ? std::string_view::npos : end + 3;
  }
  if (!rest.starts_with("<!") && !rest.starts_with("<?")) return std::string_view::npos;
  const std::size_t end = text.find_first_of("<>", begin + 1);
  return end == std::string_view::npos || text[end] == '<' ? std::string_view::npos : end + 1;
}

}  // namespace

bool same_name(std::string_view a, std::string_view b) {
  return a.size() == b.size() && std::equal(a.begin(), a.end(), b.begin(), [](char x, char y) {
           return lower_ascii(x) == lower_ascii(y);
         });
}

Tag tag_at(std::string_view text, std::size_t begin) {
  Tag tag;
  std::size_t at = begin + 1;
  if (at < text.size() && text[at] == '/') {
    tag.closing = true;
    ++at;
  }
  if (at >= text.size() || !is_name_letter(text[at])) return {};
  const std::size_t name = at;
  while (at < text.size() && is_name(text[at])) ++at;
  // A tag ends at its '>'; another '<' before it shows that this was text.
  const std::size_t end = text.find_first_of("<>", at);
  if (end == std::string_view::npos || text[end] == '<') return {};
  tag.begin = begin;
  tag.end = end + 1;
  tag.name = text.substr(name, at - name);
  tag.attributes = text.substr(at, end - at);
  return tag;
}

Tag next_tag(std::string_view text, std::size_t from) {
  for (std::size_t at = text.find('<', from); at != std::string_view::npos;
       at = text.find('<', at + 1)) {
    if (const Tag tag = tag_at(text, at); tag.found()) return tag;
  }
  return {};
}

Tag find_tag(std::string_view text, std::size_t from, std::string_view name, bool closing) {
  Tag tag = next_tag(text, from);
  while (tag.found() && (tag.closing != closing || !same_name(tag.name, name))) {
    tag = next_tag(text, tag.end);
  }
  return tag;
}

char* strip_tags(std::string_view text, char* out) {
  const auto copy = [&](std::size_t begin, std::size_t end) {
    std::memmove(out, text.data() + begin, end - begin);
    out += end - begin;
  };
  bool comments_end = true;
  std::size_t done = 0;
  for (std::size_t at = text.find('<'); at != std::string_view::npos; at = text.find('<', at)) {
    const Tag tag = tag_at(text, at);
    const std::size_t end = tag.found() ? tag.end : end_of_declaration(text, at, comments_end);
    if (end == std::string_view::npos) {
      ++at;
      continue;
    }
    copy(done, at);
    *out++ = ' ';
    done = at = end;
  }
  copy(done, text.size());
  return out;
}

std::string_view trim(std::string_view text) {
  const std::size_t begin = text.find_first_not_of(kSpace);
  if (begin == std::string_view::npos) return {};
  return text.substr(begin, text.find_last_not_of(kSpace) + 1 - begin);
}

}  // namespace gannet::corpora
