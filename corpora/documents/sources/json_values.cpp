#include "corpora/documents/sources/json_values.hpp"

#include <algorithm>
#include <vector>

#include "corpora/markup/encoding/encoding.hpp"

namespace gannet::corpora {
namespace {

constexpr std::string_view kJsonBlank = " \t\r\n";

enum class ValueState {
  kWhole,
  kOpen,          // the text ends in it
  kOpenInString,  // the same, inside a string
  kBroken,        // another value begins where none may: brackets are missing
};

struct ValueEnd {
  std::size_t position;  // behind the value, the end of the text, or where the other value begins
  ValueState state;
};

// Skips a string; `position` is behind its opening quote. Returns npos if it does not end. At a
// line end, which no string has, one ends whose closing quote is missing: it is not to join all
// that follows.
std::size_t end_of_string(std::string_view text, std::size_t position) {
  for (;;) {
    position = text.find_first_of("\"\\\n", position);
    if (position == std::string_view::npos || text[position] == '\n') return position;
    if (text[position] == '"') return position + 1;
    position += 2;
    if (position > text.size()) return std::string_view::npos;
  }
}

// Whether an object that begins a line at `position` can be none of a value around it: no member
// and no element may begin there. `in_array`: what is open around it is an array.
bool begins_anew(std::string_view text, std::size_t position, bool in_array) {
  const std::size_t before = text.find_last_not_of(kJsonBlank, position - 1);
  const std::string_view between = text.substr(before + 1, position - before - 1);
  if (between.find('\n') == std::string_view::npos) return false;
  const char c = text[before];
  return c != ':' && c != '[' && (c != ',' || !in_array);
}

// Finds the end of the object or array that begins at `position`, by its brackets.
ValueEnd end_of_brackets(std::string_view text, std::size_t position) {
  std::vector<bool> arrays;  // of the brackets that are open, which are square
  for (;;) {
    position = text.find_first_of("\"{}[]", position);
    if (position == std::string_view::npos) return {text.size(), ValueState::kOpen};
    const char c = text[position];
    if (c == '{' && !arrays.empty() && begins_anew(text, position, arrays.back())) {
      return {position, ValueState::kBroken};
    }
    ++position;
    if (c == '"') {
      position = end_of_string(text, position);
      if (position == std::string_view::npos) return {text.size(), ValueState::kOpenInString};
    } else if (c == '{' || c == '[') {
      arrays.push_back(c == '[');
    } else {
      arrays.pop_back();
      if (arrays.empty()) return {position, ValueState::kWhole};
    }
  }
}

// The end of any other value, or of what is no JSON: it goes up to the next comma, bracket or line
// end.
ValueEnd end_of_scalar(std::string_view text, std::size_t position, bool at_end) {
  if (text[position] == '"') {
    const std::size_t end = end_of_string(text, position + 1);
    if (end == std::string_view::npos) return {text.size(), ValueState::kOpenInString};
    return {end, ValueState::kWhole};
  }
  const std::size_t end = text.find_first_of(",[]{}\n", position + 1);
  if (end == std::string_view::npos) {
    return {text.size(), at_end ? ValueState::kWhole : ValueState::kOpen};
  }
  return {end, ValueState::kWhole};
}

ValueEnd end_of_value(std::string_view text, std::size_t position, bool at_end) {
  const char c = text[position];
  return c == '{' || c == '[' ? end_of_brackets(text, position)
                              : end_of_scalar(text, position, at_end);
}

// Whether any line is an object and nothing else.
bool has_whole_line(std::string_view text) {
  while (!text.empty()) {
    const std::size_t size = std::min(text.find('\n'), text.size());
    const std::string_view line = text.substr(0, size);
    const std::size_t begin = line.find_first_not_of(kJsonBlank);
    if (begin != std::string_view::npos && line[begin] == '{') {
      const ValueEnd end = end_of_brackets(line, begin);
      if (end.state == ValueState::kWhole &&
          line.find_first_not_of(kJsonBlank, end.position) == std::string_view::npos) {
        return true;
      }
    }
    text.remove_prefix(std::min(size + 1, text.size()));
  }
  return false;
}

}  // namespace

std::string not_json(std::string_view json, std::string_view why) {
  if (std::string problem = not_utf8(json); !problem.empty()) return problem;
  const std::size_t begin = json.find_first_not_of(kJsonBlank);
  if (begin != std::string_view::npos && json[begin] == '{') {
    const ValueEnd end = end_of_brackets(json, begin);
    if (end.state == ValueState::kWhole &&
        json.find_first_not_of(kJsonBlank, end.position) != std::string_view::npos) {
      why = "trailing content behind it";
    }
  }
  return "not a valid JSON object: " + std::string(why);
}

JsonSplitter::Shape JsonSplitter::shape_of(std::string_view text, bool at_end) {
  const std::size_t begin = text.find_first_not_of(kJsonBlank);
  if (begin == std::string_view::npos) return at_end ? Shape::kLines : Shape::kUnknown;
  if (text[begin] == '[') return Shape::kValues;
  if (text[begin] != '{') return Shape::kLines;
  const std::size_t line_end = text.find('\n', begin);
  if (line_end == std::string_view::npos && !at_end) return Shape::kUnknown;
  // A string cannot go on behind its line's end: that is a broken line, not a long value.
  if (end_of_brackets(text.substr(0, line_end), begin).state != ValueState::kOpen) {
    return Shape::kLines;
  }
  switch (end_of_brackets(text, begin).state) {
    case ValueState::kWhole:
      return Shape::kValues;
    case ValueState::kBroken:
      return Shape::kLines;
    case ValueState::kOpen:
    case ValueState::kOpenInString:
      break;
  }
  if (!at_end) return Shape::kUnknown;
  return line_end != std::string_view::npos && has_whole_line(text.substr(line_end))
             ? Shape::kLines
             : Shape::kValues;
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
    const bool open = end.state == ValueState::kOpen || end.state == ValueState::kOpenInString;
    if (open && !at_end) return done;
    piece.spans.push_back({begin, end.position - begin, line, end.state == ValueState::kWhole});
    advance(end.position);
  }
  if (at_end && in_array_) piece.spans.push_back({text.size(), 0, array_line_, false});
  return text.size();
}

}  // namespace gannet::corpora
