// Lines that a person types, or that a program sends.
#pragma once

#include <string>

#include "tools/terminal/line_input.hpp"

namespace gannet::tools {

/// Lines of stdin. Where that is a terminal, a prompt on stderr asks for each, and blank lines are
/// passed over. Not thread-safe.
class PromptedLines {
 public:
  /// `hint`: what the person is told first. Throws IoError, here and in next().
  explicit PromptedLines(std::string hint);

  /// As LineInput::next(). Writes what is in the buffer of stdout first.
  bool next(std::string& line);

  /// Whether a person types.
  bool asks() const { return asks_; }

 private:
  LineInput lines_{"-"};
  bool asks_;
  std::string hint_;  ///< until it was printed
};

}  // namespace gannet::tools
