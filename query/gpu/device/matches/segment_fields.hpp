// The fields that a call needs of a segment, on the device.
#pragma once

#include <tbb/task_arena.h>

#include <memory>
#include <stop_token>
#include <vector>

#include "index/index.hpp"
#include "query/backend/column_work.hpp"
#include "query/gpu/device/columns/device_fields.hpp"
#include "query/gpu/device/matches/bin_counter.hpp"
#include "query/gpu/device/matches/repeated_codes.hpp"

namespace gannet::query::cuda {

/// What a call looks at in a segment. Null where a field cannot be on the device. Immutable, once
/// made.
struct SegmentFields {
  std::vector<std::shared_ptr<const DeviceField>> counted, totals, binned;
  /// Of the keys that documents are ordered by; empty if that cannot be done on the device.
  std::vector<std::shared_ptr<const DeviceField>> first;
  /// As `counted`, where only the number of codes is asked for; null where it is not known.
  std::vector<std::shared_ptr<const RepeatedCodes>> repeated;
  std::vector<CodeBins> bins;  ///< as `binned`
  ColumnReasons reasons;       ///< why some are not there

  /// Copies fields to the device that are not there. Throws CancelledError, CudaError. `arena`: the
  /// caller must not be inside.
  static SegmentFields of(const index::Segment& segment, const ColumnWork& work,
                          DeviceFields& fields, RepeatedCodesCache& repeated,
                          tbb::task_arena& arena, const std::stop_token& stop);
};

}  // namespace gannet::query::cuda
