#include "query/gpu/device/columns/code_leaf.hpp"

#include <algorithm>
#include <span>
#include <utility>

namespace gannet::query::cuda {
namespace {

/// Codes that a table may span: 512 KiB.
constexpr std::uint64_t kMaxTable = std::uint64_t{1} << 22;

BlockDecision decide(const index::FieldBlock& block, const CodeSet& codes) {
  if (block.least > block.greatest || codes.holds_none(block.least, block.greatest)) {
    return BlockDecision::kNothing;
  }
  return codes.holds_all(block.least, block.greatest) ? BlockDecision::kEverything
                                                      : BlockDecision::kSome;
}

CodeInterval interval_of(const index::CodeRange& range) {
  return {static_cast<std::uint32_t>(range.first),
          static_cast<std::uint32_t>(range.end - 1 - range.first)};
}

std::vector<std::uint32_t> table_of(const std::vector<index::CodeRange>& ranges) {
  const std::uint64_t first = ranges.front().first;
  const std::uint64_t span = ranges.back().end - first;
  if (ranges.size() <= FewIntervals::kMax || span > kMaxTable) return {};
  std::vector<std::uint32_t> bits((span + 31) / 32);
  for (const index::CodeRange& range : ranges) {
    for (std::uint64_t at = range.first - first; at < range.end - first; ++at) {
      bits[at / 32] |= 1u << at % 32;
    }
  }
  return bits;
}

}  // namespace

CodeLeaf::CodeLeaf(const SegmentFilter& filter, std::shared_ptr<const DeviceField> field)
    : field_(std::move(field)), table_(table_of(filter.codes.ranges())) {
  for (const index::FieldBlock& block : filter.column->blocks()) {
    decisions_.push_back(decide(block, filter.codes));
  }
  for (const index::CodeRange& range : filter.codes.ranges()) {
    intervals_.push_back(interval_of(range));
  }
}

std::size_t CodeLeaf::room() const {
  return Arena::room<BlockDecision>(decisions_.size()) +
         Arena::room<CodeInterval>(intervals_.size()) + Arena::room<std::uint32_t>(table_.size());
}

void CodeLeaf::put(Arena& arena) {
  decisions_there_ = arena.put(std::span<const BlockDecision>(decisions_));
  if (intervals_.size() > FewIntervals::kMax && table_.empty()) {
    intervals_there_ = arena.put(std::span<const CodeInterval>(intervals_));
  }
  if (!table_.empty()) table_there_ = arena.put(std::span<const std::uint32_t>(table_));
}

void CodeLeaf::launch(std::uint64_t* words, CUstream_st* stream) const {
  const FieldView& field = field_->view();
  const CodeSearch search{field.codes, decisions_there_,
                          field.starts == nullptr ? field.present : nullptr, words};
  if (table_there_ != nullptr) {
    const CodeInterval within{
        intervals_.front().first,
        intervals_.back().first + intervals_.back().span - intervals_.front().first};
    return launch_find_codes(search, CodeTable{table_there_, within}, stream);
  }
  if (intervals_there_ != nullptr) {
    const auto count = static_cast<std::uint32_t>(intervals_.size());
    return launch_find_codes(search, ManyIntervals{intervals_there_, count}, stream);
  }
  FewIntervals few{};
  std::ranges::fill(few.intervals, intervals_.front());
  std::ranges::copy(intervals_, few.intervals);
  launch_find_codes(search, few, stream);
}

}  // namespace gannet::query::cuda
