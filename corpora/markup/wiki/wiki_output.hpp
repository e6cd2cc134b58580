// Lines of text as they are made of a wiki's markup.
#pragma once

#include <algorithm>
#include <cstddef>
#include <string>
#include <string_view>

namespace gannet::corpora {

/// Appends to a string: blanks side by side become one, and so do more than two line ends. What was
/// appended last can be taken back.
class WikiOutput {
 public:
  explicit WikiOutput(std::string& text) : text_(text), start_(text.size()) {}

  std::size_t size() const { return text_.size(); }
  std::string_view from(std::size_t begin) const {
    return std::string_view(text_).substr(std::min(begin, text_.size()));
  }
  std::string& text() { return text_; }

  void append(std::string_view piece) {
    if (gap_ && !piece.empty()) end_gap(is_of_word(piece.front()));
    if (piece.starts_with(' ') && (at_line_begin() || text_.back() == ' ')) {
      piece.remove_prefix(std::min(piece.find_first_not_of(' '), piece.size()));
    }
    text_ += piece;
  }

  /// Something that is left out is seen here: the words on both sides of it are two.
  void leave_gap() { gap_ = true; }
  /// Before a character is appended to text().
  void end_gap(bool word_follows = true) {
    if (gap_ && word_follows && text_.size() > start_ && is_of_word(text_.back())) text_ += ' ';
    gap_ = false;
  }

  /// Ends the line, unless there is an empty one before it.
  void newline() {
    gap_ = false;
    trim_line();
    if (text_.size() == start_) return;
    const std::string_view made = from(start_);
    if (!made.ends_with("\n\n")) text_ += '\n';
  }
  /// Ends the line unless it is empty.
  void end_line() {
    if (!at_line_begin()) newline();
  }
  /// Takes back [begin, end) of what was appended.
  void erase(std::size_t begin, std::size_t end) {
    end = std::min(end, text_.size());
    if (begin < end) text_.erase(begin, end - begin);
  }
  /// Takes back what was appended since size() was `size`.
  void truncate(std::size_t size) {
    gap_ = false;
    if (text_.size() > size) text_.resize(size);
  }
  /// Takes blanks and, of a heading that began at `begin`, its marks off the end.
  void end_heading(std::size_t begin) {
    while (text_.size() > std::max(begin, start_) && (text_.back() == '=' || text_.back() == ' ')) {
      text_.pop_back();
    }
  }
  /// Takes off what is white at the end of all.
  void finish() {
    while (text_.size() > start_ && (text_.back() == ' ' || text_.back() == '\n')) {
      text_.pop_back();
    }
  }

 private:
  static bool is_of_word(char c) {
    const char small = static_cast<char>(c | 0x20);
    return (c >= '0' && c <= '9') || (small >= 'a' && small <= 'z') ||
           static_cast<unsigned char>(c) >= 0x80;
  }
  bool at_line_begin() const { return text_.size() == start_ || text_.back() == '\n'; }
  void trim_line() {
    while (text_.size() > start_ && text_.back() == ' ') text_.pop_back();
  }

  std::string& text_;
  std::size_t start_;
  bool gap_ = false;
};

}  // namespace gannet::corpora
