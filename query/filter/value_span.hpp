// The values that a text in a filter means.
#pragma once

#include <cstdint>
#include <optional>
#include <string>
#include <string_view>

#include "index/fields/schema.hpp"

namespace gannet::query {

/// Keys (key_map.hpp) from `first` to `last`, both included.
struct KeySpan {
  std::uint64_t first = 0;
  std::uint64_t last = 0;
  bool operator==(const KeySpan&) const = default;
};

/// The keys of all values that `text` means. Of a date, `2024` and `2024-02` mean all days of the
/// year or the month; of a time, these and `2024-02-29` all milliseconds (UTC) of it; a time with
/// hours and minutes is one millisecond. Of floats, -0 and 0 are one number with two keys. Other
/// values have one key. Nothing if the field cannot have such a value; `why` then says what it must
/// be. Not for keywords and texts. Thread-safe.
std::optional<KeySpan> keys_of(const index::FieldSpec& field, std::string_view text,
                               std::string* why = nullptr);

}  // namespace gannet::query
