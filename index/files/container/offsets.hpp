// Tables of offsets: entry i says where thing i starts, one more entry where the last one ends.
#pragma once

#include <cstdint>
#include <span>
#include <string>

#include "index/files/container/container.hpp"

namespace gannet::index {

/// Throws FormatError unless `offsets` starts with 0 and ends with `end`.
inline void check_ends(const ContainerReader& file, Tag section,
                       std::span<const std::uint64_t> offsets, std::uint64_t end) {
  const std::string name = "section '" + to_string(section) + "'";
  if (offsets.empty() || offsets.front() != 0) file.fail(name + " does not start with 0");
  if (offsets.back() != end) {
    file.fail(name + " ends with " + std::to_string(offsets.back()) + " instead of " +
              std::to_string(end));
  }
}

/// Throws FormatError if `offsets` descends anywhere.
inline void check_offsets(const ContainerReader& file, Tag section,
                          std::span<const std::uint64_t> offsets) {
  for (std::size_t i = 1; i < offsets.size(); ++i) {
    if (offsets[i] >= offsets[i - 1]) continue;
    file.fail("section '" + to_string(section) + "': entry " + std::to_string(i) +
              " is smaller than the one before");
  }
}

}  // namespace gannet::index
