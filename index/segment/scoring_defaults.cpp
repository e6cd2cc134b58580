#include "index/segment/scoring_defaults.hpp"

#include <fmt/format.h>

namespace gannet::index {

std::optional<std::string> scoring_problem(float k1, float b) {
  if (!(k1 >= 0 && k1 <= kMaxK1)) {
    return fmt::format("k1 must be between 0 and 1e9, not {}", k1);
  }
  if (!(b >= 0 && b <= 1)) return fmt::format("b must be between 0 and 1, not {}", b);
  return std::nullopt;
}

}  // namespace gannet::index
