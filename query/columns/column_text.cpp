#include "query/columns/column_text.hpp"

#include <fmt/format.h>

#include <limits>
#include <string>
#include <utility>

#include "codecs/base/error.hpp"
#include "codecs/base/plain_number.hpp"

namespace gannet::query {
namespace {

/// The parts between separators; at least one, perhaps empty.
std::vector<std::string_view> split(std::string_view text, char separator) {
  std::vector<std::string_view> parts;
  for (;;) {
    const std::size_t end = text.find(separator);
    parts.push_back(text.substr(0, end));
    if (end == std::string_view::npos) return parts;
    text.remove_prefix(end + 1);
  }
}

/// `NAME` or `NAME:NUMBER`; 1 to 2^32 - 1.
std::uint32_t number_behind(std::string_view option, std::string_view text, std::uint32_t standard,
                            std::string& name) {
  const std::vector<std::string_view> parts = split(text, ':');
  name = std::string(parts[0]);
  if (parts.size() == 1 && !name.empty()) return standard;
  if (parts.size() == 2 && !name.empty()) {
    const auto number = plain_number<std::uint32_t>(parts[1]);
    if (number.value_or(0) > 0) return *number;
  }
  throw UsageError(fmt::format("{}: '{}' is neither a field nor FIELD:NUMBER, such as tag:{}",
                               option, text, standard));
}

/// What is meant by keys as other programs have them, "year desc", "-year", "year:descending", with
/// a hint; else empty.
std::string meant_key(std::string_view text) {
  std::string_view field = text;
  std::string_view direction = "asc";
  const auto ends = [&](char before, std::string_view word, std::string_view meaning) {
    const std::size_t size = word.size() + 1;
    if (field.size() <= size || !field.ends_with(word) || field[field.size() - size] != before) {
      return;
    }
    field.remove_suffix(size);
    direction = meaning;
  };
  if (text.starts_with('-') || text.starts_with('+')) {
    direction = text[0] == '-' ? "desc" : "asc";
    field.remove_prefix(1);
  }
  for (const char before : {' ', ':'}) {
    for (const char* const word : {"desc", "DESC", "descending"}) ends(before, word, "desc");
    for (const char* const word : {"asc", "ASC", "ascending"}) ends(before, word, "asc");
  }
  if (field == text || field.empty() || field.find_first_of(" :") != std::string_view::npos)
    return {};
  return fmt::format(" (did you mean '{}:{}'?)", field, direction);
}

SortKey sort_key(std::string_view text) {
  const std::vector<std::string_view> parts = split(text, ':');
  const bool by_score = parts[0] == "score";
  SortKey key{std::string(by_score ? "" : parts[0]), by_score, false};
  bool wrong = parts[0].empty() || parts[0].find(' ') != std::string_view::npos ||
               parts[0].starts_with('-') || parts[0].starts_with('+');
  bool has_direction = false;
  bool has_place = false;
  for (std::size_t i = 1; i < parts.size(); ++i) {
    const bool direction = parts[i] == "asc" || parts[i] == "desc";
    const bool place = !by_score && (parts[i] == "missing-first" || parts[i] == "missing-last");
    if (direction && !std::exchange(has_direction, true)) {
      key.descending = parts[i] == "desc";
    } else if (place && !std::exchange(has_place, true)) {
      key.missing_first = parts[i] == "missing-first";
    } else {
      wrong = true;
    }
  }
  if (!wrong) return key;
  throw UsageError(
      fmt::format("sort: '{}' is no key{}; FIELD, FIELD:desc, FIELD:desc:missing-first and score "
                  "are",
                  text, meant_key(text)));
}

}  // namespace

std::vector<SortKey> parse_sort(std::string_view text) {
  std::vector<SortKey> keys;
  for (const std::string_view part : split(text, ',')) keys.push_back(sort_key(part));
  return keys;
}

FacetRequest parse_facet(std::string_view text) {
  FacetRequest request;
  request.values = number_behind("facet", text, request.values, request.field);
  return request;
}

GroupRequest parse_group(std::string_view text) {
  GroupRequest request;
  request.hits = number_behind("group", text, request.hits, request.field);
  return request;
}

HistogramRequest parse_histogram(std::string_view text) {
  const std::vector<std::string_view> parts = split(text, ':');
  const bool nonempty = parts.size() == 3 && parts[2] == "nonempty";
  if (parts[0].empty() || (parts.size() != 2 && !nonempty)) {
    throw UsageError(
        fmt::format("histogram: '{}' is not of the form FIELD:WIDTH, FIELD:year, FIELD:month, "
                    "FIELD:day or FIELD:hour, with :nonempty behind it if wanted",
                    text));
  }
  HistogramRequest request{.field = std::string(parts[0]), .empty_bins = !nonempty};
  if (parts[1] == "year") {
    request.step = HistogramStep::kYear;
  } else if (parts[1] == "month") {
    request.step = HistogramStep::kMonth;
  } else if (parts[1] == "day") {
    request.step = HistogramStep::kDay;
  } else if (parts[1] == "hour") {
    request.step = HistogramStep::kHour;
  } else {
    request.width = std::string(parts[1]);
  }
  return request;
}

}  // namespace gannet::query
