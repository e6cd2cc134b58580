#include "corpora/documents/json_values.hpp"

#include <algorithm>

namespace gannet::corpora {
namespace {

constexpr std::string_view kJsonBlank = " \t\r\n";

struct ValueEnd {
  std::size_t position;  // behind the value, or the end of the text
  bool complete;
  bool in_string;  // incomplete, inside a string
};

// Skips a string; `position` is behind its opening quote. Returns npos if it does not end.
std::size_t end_of_string(std::string_view text, std::size_t position) {
  for (;;) {
    position = text.find_first_of("\"\\", position);
    if (position == std::string_view::npos) return position;
    if (text[position] == '"') return position + 1;
    position += 2;
    if (position > text.size()) return std::string_view::npos;
  }
}

// Finds the end of the object or array that begins at `position`, by its brackets.
ValueEnd end_of_brackets(std::string_view text, std::size_t position) {
  for (std::uint64_t depth = 0;;) {
    position = text.find_first_of("\"{}[]", position);
    if (position == std::string_view::npos) return {text.size(), false, false};
    const char c = text[position++];
    if (c == '"') {
      position = end_of_string(text, position);
      if (position == std::string_view::npos) return {text.size(), false, true};
    } else if (c == '{' || c == '[') {
      ++depth;
    } else if (--depth == 0) {
      return {position, true, false};
    }
  }
}

// The end of any other value, or of what is no JSON: it goes up to the next comma, bracket or line
// end.
ValueEnd end_of_scalar(std::string_view text, std::size_t position, bool at_end) {
  if (text[position] == '"') {
    const std::size_t end = end_of_string(text, position + 1);
    if (end == std::string_view::npos) return {text.size(), false, true};
    return {end, true, false};
  }
  const std::size_t end = text.find_first_of(",[]{}\n", position + 1);
  if (end == std::string_view::npos) return {text.size(), at_end, false};
  return {end, true, false};
}

ValueEnd end_of_value(std::string_view text, std::size_t position, bool at_end) {
  const char c = text[position];
  return c == '{' || c == '[' ? end_of_brackets(text, position)
                              : end_of_scalar(text, position, at_end);
}

}  // namespace

JsonSplitter::Shape JsonSplitter::shape_of(std::string_view text, bool at_end) {
  const std::size_t begin = text.find_first_not_of(kJsonBlank);
  if (begin == std::string_view::npos) return at_end ? Shape::kLines : Shape::kUnknown;
  if (text[begin] == '[') return Shape::kValues;
  if (text[begin] != '{') return Shape::kLines;
  const std::size_t line_end = text.find('\n', begin);
  if (line_end == std::string_view::npos && !at_end) return Shape::kUnknown;
  const ValueEnd end = end_of_value(text.substr(0, line_end), begin, true);
  // A string cannot go on behind its line's end: that is a broken line, not a long value.
  return end.complete || end.in_string ? Shape::kLines : Shape::kValues;
}

std::size_t JsonSplitter::cut(std::string_view text, bool at_end, Piece& piece) {
  if (shape_ == Shape::kUnknown) shape_ = shape_of(text, at_end);
  switch (shape_) {
    case Shape::kLines:
      return lines_.cut(text, at_end, piece);
    case Shape::kValues:
      return cut_values(text, at_end, piece);
    case Shape::kUnknown:
      break;
  }
  return 0;
}

std::size_t JsonSplitter::cut_values(std::string_view text, bool at_end, Piece& piece) {
  piece.has_spans = true;
  std::uint64_t line = piece.first_line;
  std::size_t done = 0;  // everything before it is records and what separates them
  const auto advance = [&](std::size_t to) {
    line += static_cast<std::uint64_t>(std::count(text.begin() + static_cast<std::ptrdiff_t>(done),
                                                  text.begin() + static_cast<std::ptrdiff_t>(to),
                                                  '\n'));
    done = to;
  };
  for (;;) {
    const std::size_t begin = text.find_first_not_of(" \t\r\n,", done);
    if (begin == std::string_view::npos) break;
    advance(begin);
    if (text[begin] == (in_array_ ? ']' : '[')) {
      in_array_ = !in_array_;
      array_line_ = line;
      advance(begin + 1);
      continue;
    }
    const ValueEnd end = end_of_value(text, begin, at_end);
    if (!end.complete && !at_end) return done;
    piece.spans.push_back({begin, end.position - begin, line, end.complete});
    advance(end.position);
  }
  if (at_end && in_array_) piece.spans.push_back({text.size(), 0, array_line_, false});
  return text.size();
}

}  // namespace gannet::corpora
