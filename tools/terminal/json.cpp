#include "tools/terminal/json.hpp"

#include <fmt/format.h>

#include <cmath>
#include <cstdlib>

#include "tools/terminal/print.hpp"

namespace gannet::tools {

double shortest(float number) {
  if (!std::isfinite(number)) return number;
  return std::strtod(fmt::format("{}", number).c_str(), nullptr);
}

std::string json_line(const Json& json) {
  return json.dump(-1, ' ', false, Json::error_handler_t::replace);
}

Json envelope(std::string_view command, const Json& result) {
  Json json{{"version", kJsonVersion}, {"command", command}};
  json.update(result);
  return json;
}

Json envelope_of(std::string_view who) {
  constexpr std::string_view kProgram = "gannet ";
  Json json{{"version", kJsonVersion}};
  if (who.starts_with(kProgram)) json["command"] = who.substr(kProgram.size());
  return json;
}

void print_json(const Json& json, std::FILE* stream) {
  const std::string line = json_line(json) + '\n';
  print_styled(stream, is_terminal(stream) ? printable_json(line) : line);
}

void print_result(std::string_view command, const Json& result, std::FILE* stream) {
  print_json(envelope(command, result), stream);
}

}  // namespace gannet::tools
