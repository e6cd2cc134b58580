// JSON as the command prints it: nlohmann-json's values, whose members keep their order.
#pragma once

#include <nlohmann/json.hpp>

#include <cstdio>
#include <string>

namespace gannet::tools {

using Json = nlohmann::ordered_json;

/// The double that prints with the fewest digits that give back `number` as a float: 0.9, not
/// 0.8999999761581421.
double shortest(float number);

/// One line without its end. Bytes that are not UTF-8 become U+FFFD, numbers that are not finite
/// null.
std::string json_line(const Json& json);

/// Prints the line; on a terminal characters that it would obey are escaped.
void print_json(const Json& json, std::FILE* stream = stdout);

}  // namespace gannet::tools
