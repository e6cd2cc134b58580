// Finding the records of JSON files: one a line, or values that span lines and arrays of them.
#pragma once

#include <algorithm>
#include <cstddef>
#include <cstdint>
#include <initializer_list>
#include <string>
#include <string_view>

#include "corpora/documents/sources/batch_reader.hpp"
#include "corpora/documents/sources/id_names.hpp"

namespace gannet::corpora {

/// ReaderOptions::id_field of objects.
inline std::string id_field_of(const ReaderOptions& options) {
  return options.id_field.empty() ? "id" : options.id_field;
}

/// What is wrong with an object without it. `for_each_key(take)` calls take() with every key.
template <class Keys>
std::string no_id_message(const std::string& id_field, const Keys& for_each_key) {
  std::string message = "the object has no '" + id_field + "'";
  if (id_field != "id") return message;
  std::string likely;
  for_each_key([&](std::string_view key) {
    if (likely.empty() && is_id_name(key)) likely = key;
  });
  return message + (likely.empty() ? " (--id-field names another member)" : id_field_hint(likely));
}

/// What is wrong with a text that is no JSON object, for which the parser gave the reason `why`.
std::string not_json(std::string_view json, std::string_view why);

/// Says which of the members named is twice in an object of simdjson's DOM: it has two meanings, of
/// which neither is the right one. Empty: none is.
template <class Object>
std::string twice_in(const Object& object, std::initializer_list<std::string_view> names) {
  for (const std::string_view name : names) {
    const auto is_it = [&](const auto& member) { return member.key == name; };
    if (std::count_if(object.begin(), object.end(), is_it) > 1) {
      return "'" + std::string(name) + "' occurs twice in one object";
    }
  }
  return {};
}

/// Objects and arrays of a record may be nested as deep as this: enough for any document, and for
/// the stack of any thread.
inline constexpr std::size_t kDeepestJson = 256;

/// Cuts at line ends where the file's first value ends on its first line; otherwise looks for the
/// ends of the values themselves, at the top level or inside one array, and fills in piece.spans.
/// A first line whose brackets do not close is a broken line, not the begin of a long value, if an
/// object follows where none may be, or if the value has no end and other lines are whole objects.
/// A value of several lines that lacks brackets ends, incomplete, where such an object begins.
///
/// Not simdjson's document_stream (iterate_many): it gives up the rest of its buffer at the first
/// record that is broken (an open quote joins all that follows to it), so that one could neither be
/// skipped nor named by its line, and it reads no arrays. One pass: every byte is looked at once,
/// and again only where a record does not fit what has been read, which then doubles; the first
/// value of a file twice.
class JsonSplitter : public RecordSplitter {
 public:
  std::size_t cut(std::string_view text, bool at_end, Piece& piece) override;

 private:
  enum class Shape { kUnknown, kLines, kValues };

  static Shape shape_of(std::string_view text, bool at_end);
  std::size_t cut_values(std::string_view text, bool at_end, Piece& piece);

  Shape shape_ = Shape::kUnknown;
  LineSplitter lines_;
  bool in_array_ = false;
  std::uint64_t array_line_ = 0;
};

}  // namespace gannet::corpora
