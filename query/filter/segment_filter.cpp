#include "query/filter/segment_filter.hpp"

#include <algorithm>
#include <bit>
#include <limits>
#include <string>
#include <utility>

#include "codecs/error.hpp"
#include "query/filter/check_filter.hpp"

namespace gannet::query {
namespace {

using index::CodeRange;
using index::FieldColumn;
using index::FieldSpec;
using index::KeywordDictionary;
using Kind = SegmentFilter::Kind;

constexpr std::uint64_t kLargestKey = std::numeric_limits<std::uint64_t>::max();

std::uint64_t key_of(const FieldSpec& field, const std::string& value) {
  std::string why;
  if (const auto key = index::key_of(field, value, &why)) return *key;
  throw UsageError("filter: '" + value + "' is no value of field '" + field.name + "': " + why);
}

/// The codes of keys within the bounds, which are those of a number.
CodeRange number_range(const FieldColumn& column, const FilterBound& least,
                       const FilterBound& greatest) {
  std::uint64_t first = least.value ? key_of(column.spec(), *least.value) : 0;
  std::uint64_t last = greatest.value ? key_of(column.spec(), *greatest.value) : kLargestKey;
  if (!least.inclusive && first++ == kLargestKey) return {};
  if (!greatest.inclusive && last-- == 0) return {};
  return first > last ? CodeRange{} : index::codes_of(column, first, last);
}

/// The number of the first string behind `text`.
std::uint32_t upper_bound(const KeywordDictionary& dictionary, const std::string& text) {
  const std::uint32_t at = dictionary.lower_bound(text);
  return at < dictionary.size() && dictionary.text(at) == text ? at + 1 : at;
}

CodeRange keyword_range(const KeywordDictionary& dictionary, const FilterBound& least,
                        const FilterBound& greatest) {
  CodeRange range{0, dictionary.size()};
  if (least.value) {
    range.first = least.inclusive ? dictionary.lower_bound(*least.value)
                                  : upper_bound(dictionary, *least.value);
  }
  if (greatest.value) {
    range.end = greatest.inclusive ? upper_bound(dictionary, *greatest.value)
                                   : dictionary.lower_bound(*greatest.value);
  }
  return range;
}

/// The least string that is behind all that begin with `text`; empty if there is none.
std::string behind_prefix(std::string text) {
  while (!text.empty() && static_cast<unsigned char>(text.back()) == 0xff) text.pop_back();
  if (!text.empty()) text.back() = static_cast<char>(static_cast<unsigned char>(text.back()) + 1);
  return text;
}

CodeRange prefix_range(const KeywordDictionary& dictionary, const std::string& text) {
  const std::string behind = behind_prefix(text);
  return {dictionary.lower_bound(text),
          behind.empty() ? dictionary.size() : dictionary.lower_bound(behind)};
}

std::vector<CodeRange> ranges_of(const Filter& filter, const FieldColumn& column) {
  const KeywordDictionary* const dictionary = column.dictionary();
  if (filter.kind() == Filter::Kind::kPrefix && dictionary == nullptr) {
    throw UsageError("filter: " + prefix_problem(column.spec()).value_or("it has a prefix"));
  }
  const auto range = [&](const FilterBound& least, const FilterBound& greatest) {
    return dictionary != nullptr ? keyword_range(*dictionary, least, greatest)
                                 : number_range(column, least, greatest);
  };
  switch (filter.kind()) {
    case Filter::Kind::kInterval:
      return {range(filter.least(), filter.greatest())};
    case Filter::Kind::kPrefix:
      return {prefix_range(*dictionary, filter.values().front())};
    case Filter::Kind::kAnyOf: {
      std::vector<CodeRange> ranges;
      for (const std::string& value : filter.values()) {
        ranges.push_back(range({value, true}, {value, true}));
      }
      return ranges;
    }
    default:
      return {{0, column.code_limit()}};
  }
}

SegmentFilter bind_predicate(const Filter& filter, const index::Schema& schema,
                             const index::Segment& segment) {
  const int number = schema.find(filter.field());
  if (number < 0) throw UsageError("filter: " + unknown_field(filter.field(), schema));
  const FieldColumn& column = segment.field(static_cast<std::size_t>(number));
  std::vector<CodeRange> ranges = ranges_of(filter, column);
  for (CodeRange& range : ranges) range.end = std::min(range.end, column.code_limit());
  CodeSet codes(std::move(ranges));
  if (codes.empty()) return {.kind = Kind::kNone};
  const bool everything =
      !column.multi() && column.present().empty() && codes.holds_all(0, column.code_limit() - 1);
  if (everything) return {.kind = Kind::kAll};
  return {.kind = Kind::kCodes, .column = &column, .codes = std::move(codes)};
}

SegmentFilter bind_chain(const Filter& filter, const index::Schema& schema,
                         const index::Segment& segment) {
  const bool all = filter.kind() == Filter::Kind::kAnd;
  SegmentFilter chain{.kind = all ? Kind::kAnd : Kind::kOr};
  bool decided = false;
  for (const Filter& part : filter.parts()) {
    SegmentFilter bound = bind_filter(part, schema, segment);
    if (bound.kind == (all ? Kind::kNone : Kind::kAll)) decided = true;
    if (bound.kind != Kind::kNone && bound.kind != Kind::kAll) {
      chain.parts.push_back(std::move(bound));
    }
  }
  if (decided) return {.kind = all ? Kind::kNone : Kind::kAll};
  if (chain.parts.empty()) return {.kind = all ? Kind::kAll : Kind::kNone};
  if (chain.parts.size() > 1) return chain;
  SegmentFilter only = std::move(chain.parts.front());
  return only;
}

SegmentFilter bind_not(SegmentFilter part) {
  if (part.kind == Kind::kAll) return {.kind = Kind::kNone};
  if (part.kind == Kind::kNone) return {.kind = Kind::kAll};
  SegmentFilter negation{.kind = Kind::kNot};
  negation.parts.push_back(std::move(part));
  return negation;
}

/// As if the codes between a block's least and greatest were equally frequent.
double share_of_codes(const SegmentFilter& filter) {
  const FieldColumn& column = *filter.column;
  if (column.documents() == 0) return 0;
  double found = 0;
  if (column.texts() != nullptr) found = column.documents();  // asked whether they are there
  for (const index::FieldBlock& block : column.blocks()) {
    if (block.least > block.greatest || column.texts() != nullptr) continue;
    const double codes = static_cast<double>(block.greatest - block.least) + 1;
    found +=
        block.count * static_cast<double>(filter.codes.among(block.least, block.greatest)) / codes;
  }
  std::uint64_t with_field = column.documents();
  if (!column.present().empty()) {
    with_field = 0;
    for (const std::uint64_t word : column.present()) {
      with_field += static_cast<std::uint64_t>(std::popcount(word));
    }
  }
  const double missing =
      column.multi() ? 1
                     : static_cast<double>(with_field) / static_cast<double>(column.documents());
  return std::clamp(found * missing / column.documents(), 0.0, 1.0);
}

}  // namespace

SegmentFilter bind_filter(const Filter& filter, const index::Schema& schema,
                          const index::Segment& segment) {
  switch (filter.kind()) {
    case Filter::Kind::kAll:
      return {.kind = Kind::kAll};
    case Filter::Kind::kNone:
      return {.kind = Kind::kNone};
    case Filter::Kind::kAnd:
    case Filter::Kind::kOr:
      return bind_chain(filter, schema, segment);
    case Filter::Kind::kNot:
      return bind_not(bind_filter(filter.parts().front(), schema, segment));
    default:
      return bind_predicate(filter, schema, segment);
  }
}

double estimated_share(const SegmentFilter& filter) {
  double share = 1;
  switch (filter.kind) {
    case Kind::kAll:
      return 1;
    case Kind::kNone:
      return 0;
    case Kind::kCodes:
      return share_of_codes(filter);
    case Kind::kNot:
      return 1 - estimated_share(filter.parts.front());
    case Kind::kAnd:
      for (const SegmentFilter& part : filter.parts) share *= estimated_share(part);
      return share;
    case Kind::kOr:
      for (const SegmentFilter& part : filter.parts) share *= 1 - estimated_share(part);
      return 1 - share;
  }
  return share;
}

}  // namespace gannet::query
