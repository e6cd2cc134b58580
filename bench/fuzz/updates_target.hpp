// What the target `updates` tries: any history of an index - documents added, replaced and deleted,
// commits, rollbacks, merges, a crash - leaves what a plain model has, and queries find that.
#pragma once

#include <cstdint>
#include <span>

#include "bench/fuzz/parts/index_history.hpp"

namespace gannet::fuzz {

/// Input: the steps of a history, two bytes each.
inline void try_updates(std::span<const std::uint8_t> input) {
  constexpr std::size_t kMaxBytes = 256;  // longer histories take long and find no more
  IndexHistory().run(input.first(std::min(input.size(), kMaxBytes)));
}

}  // namespace gannet::fuzz
