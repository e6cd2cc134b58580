// Writes JSON for people to read: one member a line, indented. Members keep the order of the calls.
#pragma once

#include <cstdint>
#include <string>
#include <string_view>

namespace gannet::index {

/// Builds one JSON object. Not thread-safe.
class JsonWriter {
 public:
  JsonWriter() { open("", '{'); }

  void begin_object(std::string_view key = {}) { open(key, '{'); }
  void begin_array(std::string_view key) { open(key, '['); }
  void end_object() { close('}'); }
  void end_array() { close(']'); }

  /// Throws UsageError unless `value` is valid UTF-8.
  void text(std::string_view key, std::string_view value);
  void number(std::string_view key, std::uint64_t value);
  /// The fewest digits that give back the same float. Throws UsageError unless it is finite.
  void number(std::string_view key, float value);
  void boolean(std::string_view key, bool value);

  /// What was written so far; the outermost object is still open.
  const std::string& written() const { return out_; }

 private:
  void open(std::string_view key, char bracket);
  void close(char bracket);
  void start_member(std::string_view key);
  void append_quoted(std::string_view value);

  std::string out_;
  std::size_t depth_ = 0;
  bool first_ = true;
};

}  // namespace gannet::index
