#include "query/gpu/plan/filter_programs.hpp"

#include <algorithm>
#include <numeric>

namespace gannet::query::cuda {
namespace {

using Kind = SegmentFilter::Kind;

/// Codes that a table may span: 512 KiB. Words of all tables together; with more, intervals are
/// searched.
constexpr std::uint64_t kMaxTable = std::uint64_t{1} << 22;
constexpr std::size_t kMaxTables = std::size_t{1} << 20;

CodeInterval interval_of(const index::CodeRange& range) {
  return {static_cast<std::uint32_t>(range.first),
          static_cast<std::uint32_t>(range.end - 1 - range.first)};
}

std::uint32_t sets_of(const SegmentFilter& filter);

/// The parts of an AND or OR, with the number of sets that each needs at a time, the most first: a
/// part behind the first one needs one more, for the result so far (Sethi and Ullman 1970).
std::vector<std::pair<std::uint32_t, const SegmentFilter*>> sorted_parts(
    const SegmentFilter& chain) {
  std::vector<std::pair<std::uint32_t, const SegmentFilter*>> parts;
  for (const SegmentFilter& part : chain.parts) parts.emplace_back(sets_of(part), &part);
  std::ranges::stable_sort(parts, [](const auto& a, const auto& b) { return a.first > b.first; });
  return parts;
}

/// Sets that a filter needs at a time.
std::uint32_t sets_of(const SegmentFilter& filter) {
  if (filter.parts.empty()) return 1;
  std::uint32_t most = 0;
  std::uint32_t before = 0;
  for (const auto& [sets, part] : sorted_parts(filter)) {
    most = std::max(most, before + sets);
    before = 1;
  }
  return most;
}

}  // namespace

std::optional<std::size_t> FilterPrograms::add(const SegmentFilter& filter,
                                               const FilterSources& sources) {
  if (sets_of(filter) > kFilterDepth) return std::nullopt;
  const std::size_t first = steps_.size();
  if (!append(filter, sources)) {
    steps_.resize(first);
    std::erase_if(references_, [&](const Reference& one) { return one.step >= first; });
    return std::nullopt;
  }
  programs_.push_back({first, static_cast<std::uint32_t>(steps_.size() - first)});
  return programs_.size() - 1;
}

const CodeBlock* FilterPrograms::column(std::size_t filter) const {
  const auto [first, count] = programs_[filter];
  for (std::size_t i = first; i < first + count; ++i) {
    if (steps_[i].operation == FilterOperation::kCodes) return steps_[i].codes.blocks;
  }
  return nullptr;
}

bool FilterPrograms::append(const SegmentFilter& filter, const FilterSources& sources) {
  switch (filter.kind) {
    case Kind::kAll:
      push(FilterOperation::kAll);
      return true;
    case Kind::kNone:
      push(FilterOperation::kAll);
      push(FilterOperation::kNot);
      return true;
    case Kind::kCodes:
      return append_leaf(filter, sources);
    case Kind::kLive: {
      const std::uint64_t* const words = sources.live(*filter.live);
      if (words != nullptr) push(FilterOperation::kWords, words);
      return words != nullptr;
    }
    case Kind::kAnd:
    case Kind::kOr:
      return append_chain(filter, sources);
    case Kind::kNot:
      break;
  }
  if (!append(filter.parts.front(), sources)) return false;
  push(FilterOperation::kNot);
  return true;
}

bool FilterPrograms::append_chain(const SegmentFilter& filter, const FilterSources& sources) {
  bool first = true;
  for (const auto& [sets, part] : sorted_parts(filter)) {
    if (!append(*part, sources)) return false;
    if (!first) push(filter.kind == Kind::kAnd ? FilterOperation::kAnd : FilterOperation::kOr);
    first = false;
  }
  return true;
}

/// Of texts filters ask only whether they are there.
bool FilterPrograms::append_leaf(const SegmentFilter& filter, const FilterSources& sources) {
  const FieldView* const field = sources.field(*filter.column);
  if (field == nullptr) return false;
  if (filter.column->texts() != nullptr) {
    if (field->present == nullptr) {
      push(FilterOperation::kAll);
    } else {
      push(FilterOperation::kWords, field->present);
    }
    return true;
  }
  FilterStep step{};
  step.operation = field->starts == nullptr ? FilterOperation::kCodes : FilterOperation::kValues;
  step.codes = field->codes;
  step.starts = field->starts;
  step.words = field->starts == nullptr ? field->present : nullptr;
  step.set = choice(filter.codes);
  steps_.push_back(step);
  return true;
}

void FilterPrograms::push(FilterOperation operation, const std::uint64_t* words) {
  FilterStep step{};
  step.operation = operation;
  step.words = words;
  steps_.push_back(step);
}

/// The set of the step that comes next.
CodeChoice FilterPrograms::choice(const CodeSet& codes) {
  const std::vector<index::CodeRange>& ranges = codes.ranges();
  const std::uint64_t first = ranges.front().first;
  const std::uint64_t end = ranges.back().end;
  CodeChoice set{interval_of({first, end}), nullptr, nullptr,
                 static_cast<std::uint32_t>(ranges.size())};
  if (ranges.size() == 1) return set;
  const std::size_t words = static_cast<std::size_t>((end - first + 31) / 32);
  const std::size_t at = tables_.size();
  if (ranges.size() <= FewIntervals::kMax || end - first > kMaxTable || at + words > kMaxTables) {
    references_.push_back({steps_.size(), false, intervals_.size()});
    for (const index::CodeRange& range : ranges) intervals_.push_back(interval_of(range));
    return set;
  }
  references_.push_back({steps_.size(), true, at});
  tables_.resize(at + words);
  for (const index::CodeRange& range : ranges) {
    for (std::uint64_t code = range.first - first; code < range.end - first; ++code) {
      tables_[at + code / 32] |= 1u << code % 32;
    }
  }
  return set;
}

}  // namespace gannet::query::cuda
