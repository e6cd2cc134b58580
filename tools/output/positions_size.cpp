#include "tools/output/positions_size.hpp"

#include "index/positions/positions.hpp"

namespace gannet::tools {

PositionsSize positions_size(const index::Index& index) {
  PositionsSize size;
  for (const auto& segment : index.segments()) {
    const index::Positions* const positions = segment->positions();
    if (positions == nullptr) continue;
    size.bytes += positions->file().bytes().size();
    size.number += segment->statistics().tokens;
    for (const std::uint32_t field : segment->text_fields()) {
      size.number += segment->text_statistics(field).tokens;
    }
  }
  return size;
}

}  // namespace gannet::tools
