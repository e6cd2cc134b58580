#include "tools/building/shares.hpp"

#include <algorithm>
#include <numeric>

namespace gannet::tools {

std::vector<std::size_t> share_out(std::span<const std::uint64_t> sizes, std::size_t parts) {
  const double all = std::accumulate(sizes.begin(), sizes.end(), 0.0);
  std::vector<std::size_t> starts{0};
  double before = 0;
  std::size_t piece = 0;
  for (std::size_t part = 1; part < parts; ++part) {
    const double wanted = all * static_cast<double>(part) / static_cast<double>(parts);
    // A piece belongs to the part that has its middle.
    while (piece < sizes.size() && before + static_cast<double>(sizes[piece]) / 2 < wanted) {
      before += static_cast<double>(sizes[piece++]);
    }
    const std::size_t most = sizes.size() - (parts - part);
    starts.push_back(std::clamp(piece, starts.back() + 1, most));
  }
  starts.push_back(sizes.size());
  return starts;
}

}  // namespace gannet::tools
