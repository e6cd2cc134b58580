// How often a number occurs.
#pragma once

#include <cstdint>

namespace gannet::query {

/// A number, and how often it occurred (>= 1).
struct NumberCount {
  std::uint64_t number = 0;
  std::uint64_t count = 0;
  bool operator==(const NumberCount&) const = default;
};

}  // namespace gannet::query
