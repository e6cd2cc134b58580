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
    if (piece.starts_with(' ') && (at_line_begin() || text_.back() == ' ')) {
      piece.remove_prefix(std::min(piece.find_first_not_of(' '), piece.size()));
    }
    text_ += piece;
  }

  /// Ends the line, unless there is an empty one before it.
  void newline() {
    trim_line();
    if (text_.size() == start_) return;
    const std::string_view made = from(start_);
    if (!made.ends_with("\n\n")) text_ += '\n';
  }
  /// Ends the line unless it is empty.
  void end_line() {
    if (!at_line_begin()) newline();
  }
  /// Takes back what was appended since size() was `size`.
  void truncate(std::size_t size) {
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
  bool at_line_begin() const { return text_.size() == start_ || text_.back() == '\n'; }
  void trim_line() {
    while (text_.size() > start_ && text_.back() == ' ') text_.pop_back();
  }

  std::string& text_;
  std::size_t start_;
};

}  // namespace gannet::corpora
