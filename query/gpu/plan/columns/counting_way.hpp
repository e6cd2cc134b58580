// Where the codes of a field are counted in device memory, and what of that goes to the host.
#pragma once

#include <cstdint>
#include <optional>

namespace gannet::query::cuda {

struct CountingWay {
  enum class Fetched {
    kAll,      ///< all counters
    kLargest,  ///< the codes with the largest ones
    kNumber,   ///< only how many codes occur
  };
  Fetched fetched = Fetched::kAll;
  /// Slots of a hash table, a power of two; 0: a counter for each code.
  std::uint32_t table = 0;

  bool operator==(const CountingWay&) const = default;

  /// The way for a field with codes below `limit` (>= 1), of which up to `values` are among the
  /// matches. `wanted`: CountsWanted::codes. Nothing if there is no way.
  static std::optional<CountingWay> of(std::uint64_t limit, std::uint64_t values,
                                       std::uint32_t wanted);
};

}  // namespace gannet::query::cuda
