// Filters as text.
#include <algorithm>

#include "query/plan/filter.hpp"

namespace gannet::query {
namespace {

bool is_plain(char c) {
  return (c >= 'a' && c <= 'z') || (c >= 'A' && c <= 'Z') || (c >= '0' && c <= '9') || c == '_' ||
         c == '-' || c == '.' || c == ':';
}

/// A value, in quotation marks where it could be taken for something else: `in_list`, also for one
/// with a sign.
std::string in_quotes(std::string_view value, bool in_list = false) {
  const bool word = !value.empty() && std::ranges::all_of(value, is_plain) && value != "AND" &&
                    value != "OR" && value != "NOT" && value != "TO" && value != "IN" &&
                    !(in_list && value.front() == '-');
  if (word) return std::string(value);
  std::string text = "\"";
  for (const char c : value) {
    if (c == '"' || c == '\\') text += '\\';
    text += c;
  }
  return text + '"';
}

std::string text_of_set(const std::vector<std::string>& values) {
  if (values.size() == 1) return in_quotes(values.front());
  std::string text = "(";
  for (const std::string& value : values) {
    text += (text.size() > 1 ? " OR " : "") + in_quotes(value, true);
  }
  return text + ")";
}

std::string text_of_range(const FilterBound& least, const FilterBound& greatest) {
  const auto end = [](const FilterBound& bound) {
    return bound.value ? in_quotes(*bound.value) : "*";
  };
  return (least.inclusive ? "[" : "{") + end(least) + " TO " + end(greatest) +
         (greatest.inclusive ? "]" : "}");
}

std::string text_of(const Filter& filter, bool inside);

std::string text_of_chain(const Filter& filter, bool inside) {
  const char* const op = filter.kind() == Filter::Kind::kAnd ? " AND " : " OR ";
  std::string text = inside ? "(" : "";
  for (std::size_t i = 0; i < filter.parts().size(); ++i) {
    text += (i > 0 ? op : "") + text_of(filter.parts()[i], true);
  }
  return text + (inside ? ")" : "");
}

std::string text_of(const Filter& filter, bool inside) {
  switch (filter.kind()) {
    case Filter::Kind::kAll:
      return "*:*";
    case Filter::Kind::kNone:
      return "NOT *:*";
    case Filter::Kind::kAnyOf:
      return filter.field() + ":" + text_of_set(filter.values());
    case Filter::Kind::kInterval:
      return filter.field() + ":" + text_of_range(filter.least(), filter.greatest());
    case Filter::Kind::kPrefix:
      return filter.field() + ":" + in_quotes(filter.values().front()) + "*";
    case Filter::Kind::kExists:
      return filter.field() + ":*";
    case Filter::Kind::kLive:
      return "live";
    case Filter::Kind::kDocument:
      return "document " + filter.values().front();
    case Filter::Kind::kAnd:
    case Filter::Kind::kOr:
      return text_of_chain(filter, inside);
    case Filter::Kind::kNot:
      break;
  }
  return "NOT " + text_of(filter.parts().front(), true);
}

}  // namespace

std::string to_string(const Filter& filter) { return text_of(filter, false); }

}  // namespace gannet::query
