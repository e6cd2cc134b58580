#include "query/gpu/device/matches/segment_fields.hpp"

#include "query/gpu/device/matches/largest_keys.hpp"

namespace gannet::query::cuda {
namespace {

/// Asks for fields, and notes why some are not there.
class FieldFinder {
 public:
  FieldFinder(const index::Segment& segment, DeviceFields& fields, tbb::task_arena& arena,
              const std::stop_token& stop, ColumnReasons& reasons)
      : segment_(segment), fields_(fields), arena_(arena), stop_(stop), reasons_(reasons) {}

  std::shared_ptr<const DeviceField> of(std::size_t number) {
    const index::FieldColumn& column = segment_.field(number);
    if (!DeviceField::fits(column)) return missing(ColumnReason::kWideCodes);
    auto field = fields_.of(column, arena_, stop_);
    return field != nullptr ? field : missing(ColumnReason::kDeviceMemory);
  }

  /// Those of all keys, or none.
  std::vector<std::shared_ptr<const DeviceField>> of(const FirstWanted& first) {
    if (first.k > LargestKeys::kMost) {
      missing(ColumnReason::kManyHits);
      return {};
    }
    std::vector<std::shared_ptr<const DeviceField>> found;
    for (const OrderKey& key : first.keys) {
      found.push_back(of(key.field));
      if (found.back() == nullptr) return {};
    }
    return found;
  }

 private:
  std::shared_ptr<const DeviceField> missing(ColumnReason reason) {
    reasons_.add(reason);
    return nullptr;
  }

  const index::Segment& segment_;
  DeviceFields& fields_;
  tbb::task_arena& arena_;
  const std::stop_token& stop_;
  ColumnReasons& reasons_;
};

}  // namespace

SegmentFields SegmentFields::of(const index::Segment& segment, const ColumnWork& work,
                                DeviceFields& fields, RepeatedCodesCache& repeated,
                                tbb::task_arena& arena, const std::stop_token& stop) {
  SegmentFields found;
  FieldFinder finder(segment, fields, arena, stop, found.reasons);
  for (const CountsWanted& wanted : work.counted) {
    found.counted.push_back(finder.of(wanted.field));
    found.repeated.push_back(wanted.codes == 0 ? repeated.of(found.counted.back()) : nullptr);
  }
  for (const std::size_t field : work.totals) found.totals.push_back(finder.of(field));
  for (const BinsWanted& wanted : work.binned) {
    found.binned.push_back(finder.of(wanted.field));
    found.bins.push_back(CodeBins::of(wanted, segment.field(wanted.field)));
  }
  if (work.first && work.first->k > 0) found.first = finder.of(*work.first);
  return found;
}

}  // namespace gannet::query::cuda
