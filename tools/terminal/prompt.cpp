#include "tools/terminal/prompt.hpp"

#include <unistd.h>

#include <cstdio>
#include <utility>

#include "tools/terminal/print.hpp"
#include "tools/terminal/standard_output.hpp"

namespace gannet::tools {

PromptedLines::PromptedLines(std::string hint)
    : asks_(isatty(STDIN_FILENO) == 1), hint_(std::move(hint)) {}

bool PromptedLines::next(std::string& line) {
  flush_stdout();  // who sent the line before may wait for its answer
  if (asks_) print(stderr, "{}", std::exchange(hint_, {}));
  do {
    if (asks_) print(stderr, "> ");
    if (!lines_.next(line)) {
      if (asks_) print(stderr, "\n");  // the shell's prompt gets a line of its own
      return false;
    }
  } while (asks_ && line.find_first_not_of(" \t") == std::string::npos);
  return true;
}

}  // namespace gannet::tools
