// Weights of words and groups: term^2.5
#pragma once

#include <cstddef>
#include <optional>
#include <string>
#include <string_view>

namespace gannet::query {

/// A `^` with a number behind it.
struct WeightSuffix {
  /// Of the `^`, in bytes from the word's beginning.
  std::size_t position;
  /// 0, or kMinWeight .. kMaxWeight (plan.hpp).
  float weight = 1;
  /// What is wrong with the number; empty if nothing is.
  std::string problem = {};
};

/// What is wrong with a weight, for messages: it is neither 0 nor kMinWeight .. kMaxWeight
/// (plan.hpp). Nothing if it can be used.
std::optional<std::string> weight_problem(float weight);

/// Looks for a weight at the end of `word`, behind anything or nothing. What stands behind the last
/// `^` is a number if it is made of digits, points, signs and e, with a digit; otherwise, as in
/// `^^` and `a^b`, it is plain text and there is no weight.
std::optional<WeightSuffix> find_weight(std::string_view word);

}  // namespace gannet::query
