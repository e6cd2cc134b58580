// What several devices did at the same time, as one report.
#pragma once

#include <chrono>
#include <cstddef>
#include <vector>

#include "query/results/results.hpp"

namespace gannet::query {

/// Whether devices searched for plans of their own, or all of them for all plans.
enum class Queries { kOfOneDevice, kOfAll };

/// Counters are added up; of times, the longest of any device counts, and the wall time from making
/// this to add().
class DeviceReports {
 public:
  /// `whole`: of the call, which add() fills in.
  DeviceReports(std::size_t devices, Report& whole);

  Report& operator[](std::size_t device) { return reports_[device]; }
  void add(Queries queries);

 private:
  std::vector<Report> reports_;
  Report& whole_;
  std::chrono::steady_clock::time_point start_ = std::chrono::steady_clock::now();
};

}  // namespace gannet::query
