#include "tools/terminal/json.hpp"

#include <fmt/format.h>
#include <utf8proc.h>

#include <cmath>
#include <cstdio>

namespace gannet::tools {
namespace {

/// Length of the valid UTF-8 sequence at the front of `text`, 0 if there is none.
std::size_t sequence_length(std::string_view text) {
  utf8proc_int32_t codepoint = 0;
  const auto n = utf8proc_iterate(reinterpret_cast<const utf8proc_uint8_t*>(text.data()),
                                  static_cast<utf8proc_ssize_t>(text.size()), &codepoint);
  return n > 0 ? static_cast<std::size_t>(n) : 0;
}

void append_ascii(std::string& out, char c) {
  switch (c) {
    case '"':
      out += "\\\"";
      break;
    case '\\':
      out += "\\\\";
      break;
    case '\n':
      out += "\\n";
      break;
    case '\r':
      out += "\\r";
      break;
    case '\t':
      out += "\\t";
      break;
    default:
      if (static_cast<unsigned char>(c) < 0x20) {
        out += fmt::format("\\u{:04x}", static_cast<int>(c));
      } else {
        out += c;
      }
  }
}

}  // namespace

void Json::separate() {
  if (after_key_) {
    after_key_ = false;
    return;
  }
  if (has_elements_.empty()) return;
  if (has_elements_.back()) text_ += ',';
  has_elements_.back() = true;
}

Json& Json::open(char bracket) {
  separate();
  text_ += bracket;
  has_elements_.push_back(false);
  return *this;
}

Json& Json::close(char bracket) {
  has_elements_.pop_back();
  text_ += bracket;
  return *this;
}

Json& Json::raw(std::string_view token) {
  separate();
  text_ += token;
  return *this;
}

Json& Json::key(std::string_view name) {
  value(name);
  text_ += ':';
  after_key_ = true;
  return *this;
}

Json& Json::value(std::string_view text) {
  separate();
  text_ += '"';
  while (!text.empty()) {
    if (static_cast<unsigned char>(text.front()) < 0x80) {
      append_ascii(text_, text.front());
      text.remove_prefix(1);
      continue;
    }
    const std::size_t length = sequence_length(text);
    text_ += length == 0 ? std::string_view("\uFFFD") : text.substr(0, length);
    text.remove_prefix(length == 0 ? 1 : length);
  }
  text_ += '"';
  return *this;
}

Json& Json::value(double number) {
  return std::isfinite(number) ? raw(fmt::format("{}", number)) : null();
}

Json& Json::value(float number) {
  return std::isfinite(number) ? raw(fmt::format("{}", number)) : null();
}

Json& Json::value(bool truth) { return raw(truth ? "true" : "false"); }

void Json::print() const { fmt::print("{}\n", text_); }

}  // namespace gannet::tools
