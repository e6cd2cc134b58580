// What pruned searches of an index keep in memory, for one scorer and its parameters.
#pragma once

#include <cstdint>

#include "index/index.hpp"
#include "tools/terminal/json.hpp"

namespace gannet::tools {

/// Bytes of each structure once every list that may have one has been searched. They are made when
/// a list is first searched, so a searcher has what its queries needed.
struct StructureBytes {
  std::uint64_t bounds = 0;    ///< of every 64 documents, 8 bits
  std::uint64_t pointers = 0;  ///< from 1,024 documents to the tile where they begin
  std::uint64_t groups = 0;    ///< docids before each 32nd posting
  std::uint64_t records = 0;   ///< of each list: its place, its largest and k-th best scores

  std::uint64_t all() const { return bounds + pointers + groups + records; }
};

struct PruningMemory {
  double bits = 0;                  ///< most that bounds and pointers may take, a posting
  std::uint64_t postings = 0;       ///< of the index
  std::uint64_t bounded_lists = 0;  ///< lists long enough for bounds
  std::uint64_t bounded_postings = 0;
  StructureBytes cpu;
  StructureBytes cuda;  ///< records in host memory, the rest in the device's
};

/// `bits`: as --bounds-bits.
PruningMemory pruning_memory(const index::Index& index, double bits);

Json json_of(const PruningMemory& memory);
void print_pruning_memory(const PruningMemory& memory);

}  // namespace gannet::tools
