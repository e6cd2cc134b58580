#include "query/filter/filter_probe.hpp"

#include <algorithm>
#include <bit>
#include <utility>

#include "index/segment/live_documents.hpp"

namespace gannet::query {
namespace {

using FilterKind = SegmentFilter::Kind;

/// Bits of outcomes().
constexpr unsigned kMayPass = 1;
constexpr unsigned kMayFail = 2;

unsigned outcomes_of_codes(const SegmentFilter& filter, std::uint32_t number) {
  const index::FieldColumn& column = *filter.column;
  if (column.texts() != nullptr || column.multi()) return kMayPass | kMayFail;
  const index::FieldBlock& block = column.blocks()[number];
  if (block.least > block.greatest || filter.codes.holds_none(block.least, block.greatest)) {
    return kMayFail;
  }
  const bool all = column.present().empty() && filter.codes.holds_all(block.least, block.greatest);
  return all ? kMayPass : kMayPass | kMayFail;
}

}  // namespace

std::optional<FilterProbe> FilterProbe::make(const SegmentFilter& filter, PackedColumns& columns) {
  std::optional<Part> root = bind(filter, columns);
  if (!root) return std::nullopt;
  return FilterProbe(std::move(*root));
}

std::optional<FilterProbe::Part> FilterProbe::bind(const SegmentFilter& filter,
                                                   PackedColumns& columns) {
  Part part{&filter, nullptr, {}};
  if (filter.kind == FilterKind::kCodes && filter.column->texts() == nullptr) {
    part.column = columns.of(*filter.column);
    if (part.column == nullptr) return std::nullopt;
  }
  for (const SegmentFilter& each : filter.parts) {
    std::optional<Part> bound = bind(each, columns);
    if (!bound) return std::nullopt;
    part.parts.push_back(std::move(*bound));
  }
  return part;
}

FilterProbe::OneRange FilterProbe::one_range_of(const Part& part) {
  const SegmentFilter& filter = *part.filter;
  if (part.column == nullptr || filter.codes.ranges().size() != 1) return {};
  if (filter.column->multi() || !filter.column->present().empty()) return {};
  const index::CodeRange range = filter.codes.ranges().front();
  return {part.column.get(), range.first, range.end - range.first};
}

std::uint64_t FilterProbe::among(std::uint64_t documents, std::uint32_t range) const {
  std::uint64_t passing = 0;
  for (std::uint64_t left = documents; left != 0; left &= left - 1) {
    const auto bit = static_cast<std::uint32_t>(std::countr_zero(left));
    passing |= std::uint64_t{passes(range * 64 + bit)} << bit;
  }
  return passing;
}

bool FilterProbe::passes(const Part& part, std::uint32_t document) {
  const SegmentFilter& filter = *part.filter;
  const auto holds = [&](const Part& each) { return passes(each, document); };
  switch (filter.kind) {
    case FilterKind::kAll:
      return true;
    case FilterKind::kNone:
      return false;
    case FilterKind::kCodes:
      return filter.column->has(document) && has_code(part, document);
    case FilterKind::kLive:
      return filter.live->has(document);
    case FilterKind::kAnd:
      return std::ranges::all_of(part.parts, holds);
    case FilterKind::kOr:
      return std::ranges::any_of(part.parts, holds);
    case FilterKind::kNot:
      break;
  }
  return !passes(part.parts.front(), document);
}

/// Of a document that has the field.
bool FilterProbe::has_code(const Part& part, std::uint32_t document) {
  if (part.column == nullptr) return true;  // a text: asked whether it is there
  const CodeSet& codes = part.filter->codes;
  const auto starts = part.filter->column->starts();
  if (starts.empty()) return codes.holds(part.column->code(document));
  for (std::uint32_t i = starts[document]; i < starts[document + 1]; ++i) {
    if (codes.holds(part.column->code(i))) return true;
  }
  return false;
}

unsigned FilterProbe::outcomes(const Part& part, std::uint32_t block) {
  switch (part.filter->kind) {
    case FilterKind::kAll:
      return kMayPass;
    case FilterKind::kNone:
      return kMayFail;
    case FilterKind::kCodes:
      return outcomes_of_codes(*part.filter, block);
    case FilterKind::kLive:
      return kMayPass | kMayFail;
    case FilterKind::kNot: {
      const unsigned of = outcomes(part.parts.front(), block);
      return (of & kMayPass) << 1 | (of & kMayFail) >> 1;
    }
    case FilterKind::kAnd:
    case FilterKind::kOr:
      break;
  }
  const bool all = part.filter->kind == FilterKind::kAnd;
  // Of an AND each part may pass and one may fail; of an OR the other way round.
  const unsigned each = all ? kMayPass : kMayFail;
  unsigned every = each;
  unsigned some = 0;
  for (const Part& one : part.parts) {
    const unsigned of = outcomes(one, block);
    every &= of;
    some |= of & ~each;
  }
  return every | some;
}

}  // namespace gannet::query
