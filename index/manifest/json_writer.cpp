#include "index/manifest/json_writer.hpp"

#include <fmt/format.h>
#include <simdjson.h>

#include <cmath>

#include "codecs/error.hpp"

namespace gannet::index {

void JsonWriter::append_quoted(std::string_view value) {
  if (!simdjson::validate_utf8(value)) {
    throw UsageError("a name in the index's configuration is not valid UTF-8");
  }
  out_ += '"';
  for (const char c : value) {
    if (c == '"' || c == '\\') {
      out_ += '\\';
      out_ += c;
    } else if (static_cast<unsigned char>(c) < 0x20) {
      out_ += fmt::format("\\u{:04x}", static_cast<unsigned>(c));
    } else {
      out_ += c;
    }
  }
  out_ += '"';
}

void JsonWriter::start_member(std::string_view key) {
  if (depth_ > 0) out_ += first_ ? "\n" : ",\n";
  out_.append(2 * depth_, ' ');
  first_ = false;
  if (key.empty()) return;
  append_quoted(key);
  out_ += ": ";
}

void JsonWriter::open(std::string_view key, char bracket) {
  start_member(key);
  out_ += bracket;
  ++depth_;
  first_ = true;
}

void JsonWriter::close(char bracket) {
  --depth_;
  if (!first_) out_.append("\n").append(2 * depth_, ' ');
  out_ += bracket;
  first_ = false;
}

void JsonWriter::text(std::string_view key, std::string_view value) {
  start_member(key);
  append_quoted(value);
}

void JsonWriter::number(std::string_view key, std::uint64_t value) {
  start_member(key);
  out_ += std::to_string(value);
}

void JsonWriter::number(std::string_view key, float value) {
  if (!std::isfinite(value)) {
    throw UsageError("the default of " + std::string(key) + " must be a finite number");
  }
  start_member(key);
  out_ += fmt::format("{}", value);
}

void JsonWriter::boolean(std::string_view key, bool value) {
  start_member(key);
  out_ += value ? "true" : "false";
}

}  // namespace gannet::index
