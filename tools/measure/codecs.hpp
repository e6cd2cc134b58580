// What `gannet bench codecs` measures, apart from options and output.
#pragma once

#include <cstddef>
#include <cstdint>
#include <functional>
#include <optional>
#include <string>
#include <string_view>
#include <vector>

#include "codecs/columns.hpp"

namespace gannet::tools {

/// A column to be measured.
struct BenchColumn {
  std::string name;
  std::vector<std::byte> values;  ///< raw, of the plan's type
};

struct CodecsPlan {
  codecs::ValueType type{};
  std::vector<std::string> codecs;  ///< names; auto is the smallest
  codecs::Parameters parameters;
  /// A shorter column is repeated to so many values for measuring speed, on each processor.
  std::uint64_t cpu_values = 0;
  std::uint64_t gpu_values = 0;
  bool gpu = false;
  int repeats = 7;
};

/// One codec over one column. Speeds are bytes of raw values per second.
struct CodecResult {
  std::string column;
  std::string codec;   ///< as asked for
  std::string chosen;  ///< what encodes: for auto the codec that it chose
  std::uint64_t values = 0;
  std::uint64_t words = 0;       ///< 32-bit words of the encoded column, all included
  std::uint64_t cpu_values = 0;  ///< that were measured
  std::uint64_t gpu_values = 0;
  std::optional<double> encode, decode, gpu_decode;
  double bits() const {
    return values == 0 ? 0 : 32.0 * static_cast<double>(words) / static_cast<double>(values);
  }
};

/// Measures every codec over the column: size, encoding and decoding on one thread of the CPU and,
/// with plan.gpu, decoding on the GPU where the codec does that. `progress` is told what comes
/// next. Throws Error if an output is not what was encoded, UsageError for an unknown codec.
std::vector<CodecResult> measure_codecs(
    const CodecsPlan& plan, const BenchColumn& column,
    const std::function<void(std::string_view codec)>& progress);

}  // namespace gannet::tools
