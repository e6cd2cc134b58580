// JSON as the command prints it: nlohmann-json's values, whose members keep their order.
#pragma once

#include <nlohmann/json.hpp>

#include <cstdio>
#include <string>
#include <string_view>

namespace gannet::tools {

using Json = nlohmann::ordered_json;

/// The double that prints with the fewest digits that give back `number` as a float: 0.9, not
/// 0.8999999761581421.
double shortest(float number);

/// One line without its end. Bytes that are not UTF-8 become U+FFFD, numbers that are not finite
/// null.
std::string json_line(const Json& json);

/// Of what --json prints. A member that goes, or gets another meaning, makes it a new one; a member
/// that comes does not. The manual's page on JSON has the rules, and a schema for each command.
inline constexpr int kJsonVersion = 1;

/// What a command gave: {"version": 1, "command": "search", members of `result`...}. `command` is
/// its name, with its part: "bench decode".
Json envelope(std::string_view command, const Json& result);

/// The members that errors and notes begin with in JSON: {"version": 1, "command": "search"} where
/// `who` is "gannet search".
Json envelope_of(std::string_view who);

/// Prints the line; on a terminal characters that it would obey are escaped.
void print_json(const Json& json, std::FILE* stream = stdout);

/// Prints envelope(command, result).
void print_result(std::string_view command, const Json& result, std::FILE* stream = stdout);

}  // namespace gannet::tools
