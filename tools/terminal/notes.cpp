#include "tools/terminal/notes.hpp"

#include <algorithm>
#include <cstdio>
#include <string>

#include "tools/terminal/json.hpp"
#include "tools/terminal/print.hpp"

namespace gannet::tools {
namespace {

struct Speaker {
  std::string who = "gannet";
  bool json = false;
};
Speaker& speaker() {
  static Speaker one;
  return one;
}

void print_line(const char* member, std::string_view before, std::string_view text) {
  const Speaker& by = speaker();
  if (by.json) {
    Json json = envelope_of(by.who);
    json[member] = text;
    return print_json(json, stderr);
  }
  std::string line(text);
  std::replace(line.begin(), line.end(), '\n', ' ');
  print(stderr, "{}: {}{}\n", by.who, before, line);
}

}  // namespace

void set_speaker(std::string_view who, bool json) { speaker() = {std::string(who), json}; }

void print_note(std::string_view text) { print_line("note", "", text); }

void print_warning(std::string_view text) { print_line("warning", "warning: ", text); }

}  // namespace gannet::tools
