// The sections of a file whose section table is lost, as far as they follow from the rest.
#pragma once

#include <cstddef>
#include <cstdint>
#include <span>
#include <vector>

#include "index/files/container/container.hpp"
#include "index/segment/segment.hpp"

namespace gannet::index {

/// Rows for a file's section table, in order, without checksums. How long sections are follows from
/// the statistics of the segment, and from what ends of tables say of other sections. Empty if
/// nothing fits; whether it is right, the footer's checksum tells. Not of files of fields and of
/// positions, whose sections are as long as their codes.
///
/// `file`: as long as it was written, whatever stands in it.
std::vector<SectionRow> lost_table(FileKind kind, const Statistics& segment,
                                   std::span<const std::byte> file);

}  // namespace gannet::index
