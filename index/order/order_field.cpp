#include "index/order/order_field.hpp"

#include <string>

#include "codecs/base/error.hpp"
#include "index/files/messages.hpp"

namespace gannet::index {
namespace {

bool has_order(const FieldSpec& field) { return !field.is_text() && !field.is_stored(); }

}  // namespace

std::size_t sortable_field(const Schema& schema, std::string_view name) {
  const int number = schema.find(name);
  if (number < 0) {
    std::string names;
    for (const FieldSpec& field : schema.fields()) {
      if (has_order(field)) names += (names.empty() ? "" : ", ") + field.name;
    }
    throw UsageError("there is no field '" + printable(name) + "' to order documents by; " +
                     (names.empty() ? "the index has none" : "there are " + names));
  }
  const FieldSpec& spec = schema.fields()[static_cast<std::size_t>(number)];
  if (!has_order(spec)) {
    throw UsageError("field '" + spec.name + "' is " + (spec.is_text() ? "a text" : "stored") +
                     ", which documents cannot be ordered by; a keyword, a number or a date can");
  }
  return static_cast<std::size_t>(number);
}

std::size_t url_field(const Schema& schema, std::string_view name) {
  const int number = schema.find(name);
  if (number < 0) {
    throw UsageError("there is no field '" + printable(name) + "' to take URLs from");
  }
  const FieldSpec& spec = schema.fields()[static_cast<std::size_t>(number)];
  if (!spec.is_keyword() && !spec.is_stored()) {
    throw UsageError("field '" + spec.name +
                     "' cannot have URLs: they are keywords or stored texts");
  }
  return static_cast<std::size_t>(number);
}

void check_order(const DocumentOrder& order, const Schema& schema) {
  if (order.key == DocumentOrder::Key::kField) sortable_field(schema, order.field);
  if (order.key == DocumentOrder::Key::kUrl && !order.field.empty()) url_field(schema, order.field);
}

}  // namespace gannet::index
