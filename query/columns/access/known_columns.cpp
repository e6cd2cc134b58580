#include "query/columns/access/known_columns.hpp"

#include <algorithm>

namespace gannet::query {
namespace {

bool all_known(const auto& findings) {
  return std::ranges::all_of(findings, [](const auto& one) { return one.has_value(); });
}

/// The finding of the request `at`, of those that there are; null if it is not known.
const auto* finding(const auto& findings, std::size_t at) {
  const bool known = at < findings.size() && findings[at].has_value();
  return known ? &*findings[at] : nullptr;
}

}  // namespace

bool KnownColumns::complete() const {
  return !work.matches && std::ranges::all_of(findings, [&](const SegmentFindings& segment) {
    return (!work.first || segment.first) && all_known(segment.counted) &&
           all_known(segment.totals) && all_known(segment.binned);
  });
}

std::uint64_t KnownColumns::count() const {
  std::uint64_t count = 0;
  for (const SegmentFindings& segment : findings) count += segment.count;
  return count;
}

const CodeCounts* KnownColumns::counts(std::size_t segment, std::size_t field,
                                       std::uint32_t codes) const {
  for (std::size_t i = 0; i < work.counted.size(); ++i) {
    if (work.counted[i].field != field || work.counted[i].codes < codes) continue;
    return finding(findings[segment].counted, i);
  }
  return nullptr;
}

const CodeTotals* KnownColumns::totals(std::size_t segment, std::size_t field) const {
  const auto at = std::ranges::find(work.totals, field);
  return finding(findings[segment].totals, static_cast<std::size_t>(at - work.totals.begin()));
}

const BinCounts* KnownColumns::bins(std::size_t segment, std::size_t request) const {
  for (std::size_t i = 0; i < work.binned.size(); ++i) {
    if (work.binned[i].request == request) return finding(findings[segment].binned, i);
  }
  return nullptr;
}

std::optional<std::uint64_t> KnownColumns::missing(std::size_t segment, std::size_t field) const {
  if (const CodeTotals* const known = totals(segment, field)) return known->missing;
  if (const CodeCounts* const known = counts(segment, field, 0)) return known->missing;
  for (std::size_t i = 0; i < work.binned.size(); ++i) {
    const auto* const known = finding(findings[segment].binned, i);
    if (work.binned[i].field == field && known != nullptr) return known->missing;
  }
  return std::nullopt;
}

ColumnReasons KnownColumns::reasons() const {
  ColumnReasons all = work.reasons;
  for (const SegmentFindings& segment : findings) all.add(segment.reasons);
  return all;
}

}  // namespace gannet::query
