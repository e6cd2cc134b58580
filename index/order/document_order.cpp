#include "index/document_order.hpp"

#include "codecs/base/error.hpp"
#include "codecs/base/plain_number.hpp"
#include "index/files/messages.hpp"

namespace gannet::index {
namespace {

using OrderKey = DocumentOrder::Key;

[[noreturn]] void fail(std::string_view text, const std::string& what) {
  throw UsageError("order '" + printable(text) + "': " + what +
                   "; orders are id, field:NAME, field:NAME:desc, url, url:NAME, random, "
                   "random:SEED, bisection and file:PATH");
}

std::uint64_t parse_seed(std::string_view text, std::string_view seed) {
  const auto value = plain_number<std::uint64_t>(seed);
  if (!value) fail(text, "the seed is a number from 0 to 18446744073709551615");
  return *value;
}

void parse_field_key(std::string_view text, std::string_view rest, DocumentOrder& order) {
  const std::size_t colon = rest.find(':');
  order.field = rest.substr(0, colon);
  if (order.field.empty()) fail(text, "name the field");
  if (colon == std::string_view::npos) return;
  const std::string_view direction = rest.substr(colon + 1);
  if (direction != "asc" && direction != "desc") fail(text, "behind the field stands asc or desc");
  order.descending = direction == "desc";
}

}  // namespace

DocumentOrder parse_order(std::string_view text) {
  const std::size_t colon = text.find(':');
  const std::string_view name = text.substr(0, colon);
  const bool has_rest = colon != std::string_view::npos;
  const std::string_view rest = has_rest ? text.substr(colon + 1) : std::string_view();
  DocumentOrder order;
  if (name == "field") {
    order.key = OrderKey::kField;
    parse_field_key(text, rest, order);
  } else if (name == "url") {
    order.key = OrderKey::kUrl;
    order.field = rest;
    if (has_rest && rest.empty()) fail(text, "name the field");
  } else if (name == "random") {
    order.key = OrderKey::kRandom;
    if (has_rest) order.seed = parse_seed(text, rest);
  } else if (name == "file") {
    order.key = OrderKey::kList;
    order.file = rest;
    if (rest.empty()) fail(text, "name the file that has the ids, one a line");
  } else if (text == "id" || text == "bisection") {
    order.key = text == "id" ? OrderKey::kId : OrderKey::kBisection;
  } else {
    fail(text, "there is none of this name");
  }
  return order;
}

}  // namespace gannet::index
