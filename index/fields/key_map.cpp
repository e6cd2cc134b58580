#include "index/fields/key_map.hpp"

#include <utility>

namespace gannet::index {
namespace {

/// `make(why)` is nothing if it sets `reason`.
template <class Make>
auto with_reason(std::string* why, const Make& make) {
  std::string reason;
  auto made = make(reason);
  if (!made && why != nullptr) *why = std::move(reason);
  return made;
}

}  // namespace

std::optional<std::uint64_t> key_of(const FieldSpec& field, std::string_view text,
                                    std::string* why) {
  return with_reason(why, [&](std::string& reason) {
    return with_field_type(field.type, [&]<class T>() { return T::key(field, text, reason); });
  });
}

std::optional<KeySpan> keys_of(const FieldSpec& field, std::string_view text, std::string* why) {
  return with_reason(why, [&](std::string& reason) {
    return with_field_type(field.type, [&]<class T>() { return T::span(field, text, reason); });
  });
}

std::string value_text(const FieldSpec& field, std::uint64_t key) {
  return with_field_type(field.type, [&]<class T>() { return T::text(field, key); });
}

std::uint64_t zero_key(const FieldSpec& field) {
  return with_field_type(field.type, [&]<class T>() { return T::zero_key(field); });
}

ValueNumber value_number_of(const FieldSpec& field) {
  return with_field_type(field.type, []<class T>() -> ValueNumber { return &T::number; });
}

}  // namespace gannet::index
