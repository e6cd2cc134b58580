// Writing JSON: values are appended to a string as they come, commas and escapes are taken care of.
#pragma once

#include <concepts>
#include <cstdint>
#include <string>
#include <string_view>
#include <vector>

namespace gannet::tools {

/// json.begin_object().member("k", 10).key("hits").begin_array()....end_array().end_object();
class Json {
 public:
  Json& begin_object() { return open('{'); }
  Json& end_object() { return close('}'); }
  Json& begin_array() { return open('['); }
  Json& end_array() { return close(']'); }
  Json& key(std::string_view name);

  /// Bytes that are not UTF-8 become U+FFFD, so that the output is always valid JSON.
  Json& value(std::string_view text);
  Json& value(const char* text) { return value(std::string_view(text)); }
  /// Not finite: null.
  Json& value(double number);
  Json& value(float number);
  Json& value(bool truth);
  template <std::integral T>
  requires(!std::same_as<T, bool>) Json& value(T number) { return raw(std::to_string(number)); }
  Json& null() { return raw("null"); }

  template <class T>
  Json& member(std::string_view name, const T& v) {
    key(name);
    return value(v);
  }

  const std::string& text() const { return text_; }
  /// Prints the text and a newline to stdout.
  void print() const;

 private:
  Json& open(char bracket);
  Json& close(char bracket);
  Json& raw(std::string_view token);
  void separate();

  std::string text_;
  std::vector<bool> has_elements_;  ///< one per open bracket
  bool after_key_ = false;
};

}  // namespace gannet::tools
