// How workers share the parts of a described column.
#pragma once

#include <cstdint>

#include "codecs/core/lanes.hpp"

namespace gannet::codecs::cuda {

/// The parts that a worker goes through, first_part, first_part + part_step, ..., and in each of
/// them the units (blocks, chunks) first_unit, first_unit + unit_step, ...
struct PartShare {
  std::uint32_t first_part;
  std::uint32_t part_step;
  std::uint32_t first_unit;
  std::uint32_t unit_step;
};

/// The share of worker `worker` (0 .. workers - 1) of `parts` (> 0) parts: together, workers go
/// through every unit of every part once. Neighbouring workers have neighbouring units. With fewer
/// parts than workers some of these (below half) may have nothing to do.
GANNET_HD PartShare share_of(std::uint32_t worker, std::uint32_t workers, std::uint32_t parts) {
  const std::uint32_t teams = parts < workers ? parts : workers;
  const std::uint32_t members = workers / teams;
  const std::uint32_t team = worker / members;
  return {team < teams ? team : parts, teams, worker % members, members};
}

}  // namespace gannet::codecs::cuda
