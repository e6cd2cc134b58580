#include "query/filter/segment_filter.hpp"

#include <algorithm>
#include <bit>
#include <limits>
#include <string>
#include <unordered_map>
#include <utility>

#include "codecs/base/cancellation.hpp"
#include "codecs/base/error.hpp"
#include "index/fields/key_map.hpp"
#include "index/segment/live_documents.hpp"
#include "query/filter/check_filter.hpp"

namespace gannet::query {
namespace {

using index::CodeRange;
using index::FieldColumn;
using index::FieldSpec;
using index::KeySpan;
using index::KeywordDictionary;
using FilterKind = SegmentFilter::Kind;

constexpr std::uint64_t kMaxKey = std::numeric_limits<std::uint64_t>::max();

KeySpan span_of(const FieldSpec& field, const std::string& value) {
  std::string why;
  if (const auto span = keys_of(field, value, &why)) return *span;
  throw UsageError("filter: '" + value + "' is no value of field '" + field.name + "': " + why);
}

/// The codes of keys within the bounds, which are those of a number. An end that means several
/// keys, such as a day of a time, is inside or outside with all of them.
CodeRange number_range(const FieldColumn& column, const FilterBound& least,
                       const FilterBound& greatest) {
  const FieldSpec& field = column.spec();
  std::uint64_t first = 0;
  std::uint64_t last = kMaxKey;
  if (least.value) {
    const KeySpan end = span_of(field, *least.value);
    first = least.inclusive ? end.first : end.last;
    if (!least.inclusive && first++ == kMaxKey) return {};
  }
  if (greatest.value) {
    const KeySpan end = span_of(field, *greatest.value);
    last = greatest.inclusive ? end.last : end.first;
    if (!greatest.inclusive && last-- == 0) return {};
  }
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
        throw_if_stopped();  // there may be a million
        ranges.push_back(range({value, true}, {value, true}));
      }
      return ranges;
    }
    default:
      return {{0, column.code_limit()}};
  }
}

/// The documents of a column that have one of these codes.
SegmentFilter filter_of_codes(const FieldColumn& column, std::vector<CodeRange> ranges) {
  CodeSet codes(std::move(ranges));
  if (codes.empty()) return {.kind = FilterKind::kNone};
  const bool everything =
      !column.multi() && column.present().empty() && codes.holds_all(0, column.code_limit() - 1);
  if (everything) return {.kind = FilterKind::kAll};
  return {.kind = FilterKind::kCodes, .column = &column, .codes = std::move(codes)};
}

SegmentFilter bind_predicate(const Filter& filter, const index::Index& index, std::size_t segment) {
  const int number = index.schema().find(filter.field());
  if (number < 0) throw UsageError("filter: " + unknown_field(filter.field(), index.schema()));
  const FieldColumn& column = index.segments()[segment]->field(static_cast<std::size_t>(number));
  std::vector<CodeRange> ranges = ranges_of(filter, column);
  for (CodeRange& range : ranges) range.end = std::min(range.end, column.code_limit());
  return filter_of_codes(column, std::move(ranges));
}

/// Parts of an OR: those of one column become one set of codes, so that a column is looked at once
/// however many values are written out.
std::vector<SegmentFilter> one_a_column(std::vector<SegmentFilter> parts) {
  std::vector<SegmentFilter> made;
  std::unordered_map<const FieldColumn*, std::size_t> places;
  std::unordered_map<std::size_t, std::vector<CodeRange>> joined;  // of places with several parts
  for (SegmentFilter& part : parts) {
    if (part.kind == FilterKind::kCodes) {
      const auto [known, fresh] = places.try_emplace(part.column, made.size());
      if (!fresh) {
        const std::vector<CodeRange>& more = part.codes.ranges();
        auto& ranges =
            joined.try_emplace(known->second, made[known->second].codes.ranges()).first->second;
        ranges.insert(ranges.end(), more.begin(), more.end());
        continue;
      }
    }
    made.push_back(std::move(part));
  }
  for (auto& [place, ranges] : joined) {
    made[place] = filter_of_codes(*made[place].column, std::move(ranges));
  }
  return made;
}

SegmentFilter bind_live(const index::LiveDocuments* live) {
  if (live == nullptr || live->deleted() == 0) return {.kind = FilterKind::kAll};
  if (live->deleted() == live->documents()) return {.kind = FilterKind::kNone};
  return {.kind = FilterKind::kLive, .live = live};
}

/// As if all other documents were deleted.
SegmentFilter bind_document(const Filter& filter, const index::Index& index, std::size_t segment) {
  const std::uint64_t docid = std::stoull(filter.values().front());
  const std::uint64_t base = index.docid_base(segment);
  const std::uint64_t documents = index.segments()[segment]->statistics().documents;
  if (docid < base || docid - base >= documents) return {.kind = FilterKind::kNone};
  std::vector<std::uint64_t> words(documents / 64 + (documents % 64 != 0 ? 1 : 0));
  words[(docid - base) / 64] = std::uint64_t{1} << (docid - base) % 64;
  auto own = std::make_shared<const index::LiveDocuments>(std::move(words), documents);
  return {.kind = FilterKind::kLive, .live = own.get(), .own = std::move(own)};
}

SegmentFilter bind_chain(const Filter& filter, const index::Index& index, std::size_t segment) {
  const bool all = filter.kind() == Filter::Kind::kAnd;
  SegmentFilter chain{.kind = all ? FilterKind::kAnd : FilterKind::kOr};
  for (const Filter& part : filter.parts()) {
    chain.parts.push_back(bind_filter(part, index, segment));
  }
  if (!all) chain.parts = one_a_column(std::move(chain.parts));
  const FilterKind absorbing = all ? FilterKind::kNone : FilterKind::kAll;
  const bool decided = std::ranges::count(chain.parts, absorbing, &SegmentFilter::kind) != 0;
  std::erase_if(chain.parts, [](const SegmentFilter& part) {
    return part.kind == FilterKind::kNone || part.kind == FilterKind::kAll;
  });
  if (decided) return {.kind = all ? FilterKind::kNone : FilterKind::kAll};
  if (chain.parts.empty()) return {.kind = all ? FilterKind::kAll : FilterKind::kNone};
  if (chain.parts.size() > 1) return chain;
  SegmentFilter only = std::move(chain.parts.front());
  return only;
}

SegmentFilter bind_not(SegmentFilter part) {
  if (part.kind == FilterKind::kAll) return {.kind = FilterKind::kNone};
  if (part.kind == FilterKind::kNone) return {.kind = FilterKind::kAll};
  SegmentFilter negation{.kind = FilterKind::kNot};
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
  const double missing =
      column.multi() ? 1 : static_cast<double>(index::documents_with(column)) / column.documents();
  return std::clamp(found * missing / column.documents(), 0.0, 1.0);
}

}  // namespace

SegmentFilter bind_filter(const Filter& filter, const index::Index& index, std::size_t segment) {
  switch (filter.kind()) {
    case Filter::Kind::kAll:
      return {.kind = FilterKind::kAll};
    case Filter::Kind::kNone:
      return {.kind = FilterKind::kNone};
    case Filter::Kind::kAnd:
    case Filter::Kind::kOr:
      return bind_chain(filter, index, segment);
    case Filter::Kind::kNot:
      return bind_not(bind_filter(filter.parts().front(), index, segment));
    case Filter::Kind::kLive:
      return bind_live(index.live(segment));
    case Filter::Kind::kDocument:
      return bind_document(filter, index, segment);
    default:
      return bind_predicate(filter, index, segment);
  }
}

std::uint64_t bytes_of(const SegmentFilter& filter) {
  std::uint64_t bytes = sizeof filter + filter.codes.bytes();
  if (filter.own) bytes += filter.own->words().size_bytes();
  for (const SegmentFilter& part : filter.parts) bytes += bytes_of(part);
  return bytes;
}

double estimated_share(const SegmentFilter& filter) {
  double share = 1;
  switch (filter.kind) {
    case FilterKind::kAll:
      return 1;
    case FilterKind::kNone:
      return 0;
    case FilterKind::kCodes:
      return share_of_codes(filter);
    case FilterKind::kLive:
      return 1 - static_cast<double>(filter.live->deleted()) /
                     static_cast<double>(filter.live->documents());
    case FilterKind::kNot:
      return 1 - estimated_share(filter.parts.front());
    case FilterKind::kAnd:
      for (const SegmentFilter& part : filter.parts) share *= estimated_share(part);
      return share;
    case FilterKind::kOr:
      for (const SegmentFilter& part : filter.parts) share *= 1 - estimated_share(part);
      return 1 - share;
  }
  return share;
}

}  // namespace gannet::query
