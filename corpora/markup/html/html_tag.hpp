// Tags of HTML, as the standard's tokenizer reads them:
// https://html.spec.whatwg.org/multipage/parsing.html#tokenization
#pragma once

#include <array>
#include <cstddef>
#include <string_view>

namespace gannet::corpora {

inline constexpr std::size_t kNowhere = std::string_view::npos;

/// A set of bytes to search for.
class ByteSet {
 public:
  constexpr explicit ByteSet(std::string_view bytes) {
    for (const char c : bytes) has_[static_cast<unsigned char>(c)] = true;
  }
  constexpr bool has(char c) const { return has_[static_cast<unsigned char>(c)]; }
  /// The first byte at or behind `at` that is in the set (or not); the end of the text if there is
  /// none.
  constexpr std::size_t find(std::string_view text, std::size_t at, bool in = true) const {
    while (at < text.size() && has(text[at]) != in) ++at;
    return at;
  }

 private:
  std::array<bool, 256> has_{};
};

inline constexpr ByteSet kHtmlBlank{" \t\n\r\f"};

constexpr bool is_ascii_letter(char c) { return (c >= 'a' && c <= 'z') || (c >= 'A' && c <= 'Z'); }

/// Where a tag ends.
struct HtmlTagEnd {
  std::size_t end = kNowhere;  ///< behind its '>'; kNowhere: the page ends in it
  bool self_closing = false;   ///< `/>`
};

/// Reads the attributes of a tag whose name ends at `at`, and calls `attribute(name, value)` for
/// each as it is written: in any case, references not decoded.
template <class F>
HtmlTagEnd read_attributes(std::string_view page, std::size_t at, F&& attribute) {
  constexpr ByteSet kNameEnds{" \t\n\r\f/>="};
  constexpr ByteSet kValueEnds{" \t\n\r\f>"};
  bool closes = false;
  for (;;) {
    at = kHtmlBlank.find(page, at, false);
    if (at == page.size()) return {};
    if (page[at] == '>') return {at + 1, closes};
    closes = page[at] == '/' && page.substr(at + 1, 1) == ">";
    if (page[at++] == '/') continue;
    const std::size_t begin = at - 1;  // of a name, which may begin with '='
    at = kNameEnds.find(page, at);
    const std::string_view name = page.substr(begin, at - begin);
    at = kHtmlBlank.find(page, at, false);
    std::string_view value;
    if (at < page.size() && page[at] == '=') {
      at = kHtmlBlank.find(page, at + 1, false);
      if (at == page.size()) return {};
      if (page[at] == '"' || page[at] == '\'') {
        const std::size_t end = page.find(page[at], at + 1);
        if (end == kNowhere) return {};
        value = page.substr(at + 1, end - at - 1);
        at = end + 1;
      } else {
        const std::size_t end = kValueEnds.find(page, at);
        value = page.substr(at, end - at);
        at = end;
      }
    }
    attribute(name, value);
  }
}

inline HtmlTagEnd end_of_html_tag(std::string_view page, std::size_t at) {
  return read_attributes(page, at, [](std::string_view, std::string_view) {});
}

/// Where the name of a tag ends that begins at `at`.
inline std::size_t end_of_tag_name(std::string_view page, std::size_t at) {
  constexpr ByteSet kEnds{" \t\n\r\f/>"};
  return kEnds.find(page, at);
}

/// The name of an element in small letters; empty for one that is longer than all that mean
/// anything here.
class ElementName {
 public:
  explicit ElementName(std::string_view name) {
    if (name.size() > letters_.size()) return;
    for (const char c : name) {
      letters_[size_++] = c >= 'A' && c <= 'Z' ? static_cast<char>(c - 'A' + 'a') : c;
    }
  }
  std::string_view view() const { return {letters_.data(), size_}; }

 private:
  std::array<char, 16> letters_{};
  std::size_t size_ = 0;
};

}  // namespace gannet::corpora
