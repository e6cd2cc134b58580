// What an index records of how it is scored.
#pragma once

#include <optional>
#include <string>

namespace gannet::index {

/// Largest k1 of BM25: with it every contribution of a scored term is > 0 and no score overflows,
/// whatever the lengths and frequencies.
inline constexpr float kMaxK1 = 1e9f;

/// How weights became impacts: impact = round(weight * scale), at most 2^bits - 1, at least 1.
struct Quantization {
  unsigned bits = 0;  ///< 0: the weights were whole numbers and are as they were
  double scale = 1;
  bool operator==(const Quantization&) const = default;
};

/// What the numbers beside the docids of posting lists are.
struct Payload {
  /// Weights of the terms in their documents, as a model gave them; else frequencies.
  bool impacts = false;
  Quantization quantization = {};  ///< of impacts
  bool operator==(const Payload&) const = default;
};

/// Defaults for BM25, recorded in the index; a query may override them. 0 <= k1 <= kMaxK1 and
/// 0 <= b <= 1.
struct ScoringDefaults {
  float k1 = 0.9f;
  float b = 0.4f;
  /// Not a default: frequencies are scored by any scorer, impacts are added up.
  Payload payload = {};
  bool operator==(const ScoringDefaults&) const = default;
};

/// What is wrong with parameters of BM25, for messages: "b must be ..."; nothing if they are in
/// range. Indexes, plans and commands all ask here, so that no index has defaults which its queries
/// may not have.
std::optional<std::string> scoring_problem(float k1, float b);

}  // namespace gannet::index
