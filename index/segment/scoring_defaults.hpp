// Scoring parameters that an index records.
#pragma once

#include <optional>
#include <string>

namespace gannet::index {

/// Largest k1 of BM25. Up to this value every contribution of a scored term is > 0 and no score
/// overflows, for all lengths and frequencies.
inline constexpr float kMaxK1 = 1e9f;

/// How weights were quantized to impacts: impact = round(weight * scale), limited to the range 1 to
/// 2^bits - 1.
struct Quantization {
  unsigned bits = 0;  ///< 0: the weights were integers and are stored unchanged
  double scale = 1;
  bool operator==(const Quantization&) const = default;
};

/// The meaning of the second stream of posting lists.
struct Payload {
  /// True: impacts, the weights of terms in documents that a model computed. False: term
  /// frequencies.
  bool impacts = false;
  Quantization quantization = {};  ///< only for impacts
  bool operator==(const Payload&) const = default;
};

/// Default parameters of BM25, which a query may override, and the payload of the lists. Writers
/// and the constructor of Index throw UsageError for parameters out of range.
struct ScoringDefaults {
  float k1 = 0.9f;  ///< 0 .. kMaxK1
  float b = 0.4f;   ///< 0 .. 1
  /// A property of the lists that no query can override: frequencies are scored by any scorer,
  /// impacts are added up.
  Payload payload = {};
  bool operator==(const ScoringDefaults&) const = default;
};

/// Checks parameters of BM25. Returns the problem as a message ("b must be ..."), or nothing if
/// both are in range. NaN is out of range. Indexes, plans and commands all use this function, so
/// that no index has defaults that its queries would refuse.
std::optional<std::string> scoring_problem(float k1, float b);

}  // namespace gannet::index
