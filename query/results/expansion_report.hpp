// What expanding a batch of plans took.
#pragma once

#include <cstdint>

#include "query/results/results.hpp"

namespace gannet::query {

/// What expanding a batch did.
struct ExpansionReport {
  /// Of the first pass.
  Report first_pass = {};
  /// Distinct documents whose terms were gathered, and terms that they have together.
  std::uint64_t documents = 0;
  std::uint64_t terms = 0;
  /// Tiles of the lists that were looked at for them, and of them decoded.
  std::uint64_t tiles_total = 0;
  std::uint64_t tiles_decoded = 0;
  /// Of all: the first pass, gathering, weighing, planning.
  double seconds = 0;
  /// Of it, gathering.
  double gather_seconds = 0;
};

}  // namespace gannet::query
