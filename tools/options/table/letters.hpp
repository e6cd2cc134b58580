// One letter for the options that are typed most. A letter belongs to a name, not to a command, so
// that it means the same everywhere; two names share one only if no command has both.
#pragma once

#include <string_view>

namespace gannet::tools {

struct Letter {
  char letter;
  std::string_view option;
};

inline constexpr Letter kLetters[] = {{'h', "help"},   {'i', "index"},   {'o', "output"},
                                      {'f', "format"}, {'k', "k"},       {'t', "topics"},
                                      {'n', "limit"},  {'n', "dry-run"}, {'j', "threads"},
                                      {'q', "quiet"},  {'v', "plan"}};

/// The letter of an option; 0 if it has none.
constexpr char letter_of(std::string_view option) {
  for (const Letter& known : kLetters) {
    if (known.option == option) return known.letter;
  }
  return 0;
}

}  // namespace gannet::tools
