#include "query/multi_gpu/device_report.hpp"

#include <algorithm>

namespace gannet::query {
namespace {

/// Takes the longer times of two reports, and the sum of what is kept in memory.
void join(Report& all, const Report& one, Queries queries) {
  Report sum = all;
  sum.add(one);
  if (queries == Queries::kOfAll) sum.queries = std::max(all.queries, one.queries);
  sum.bounds_bytes = all.bounds_bytes + one.bounds_bytes;
  sum.bounds_seconds = std::max(all.bounds_seconds, one.bounds_seconds);
  sum.bitmap_bytes = all.bitmap_bytes + one.bitmap_bytes;
  sum.filter.bytes = all.filter.bytes + one.filter.bytes;
  sum.device_seconds = std::max(all.device_seconds, one.device_seconds);
  sum.transfer_seconds = std::max(all.transfer_seconds, one.transfer_seconds);
  all = sum;
}

}  // namespace

DeviceReports::DeviceReports(std::size_t devices, Report& whole)
    : reports_(devices), whole_(whole) {
  for (Report& report : reports_) {
    report.backend = whole.backend;
    report.reason = whole.reason;
  }
}

void DeviceReports::add(Queries queries) {
  Report all = reports_.front();
  for (std::size_t i = 1; i < reports_.size(); ++i) {
    join(all, reports_[i], queries);
  }
  all.add_host_plans_to_reason();
  all.seconds = std::chrono::duration<double>(std::chrono::steady_clock::now() - start_).count();
  whole_.add(all);
}

}  // namespace gannet::query
