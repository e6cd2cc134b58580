// The bitmap of the documents that have a field, as a file has it.
#pragma once

#include <cstddef>
#include <cstdint>
#include <span>

#include "index/fields/schema.hpp"
#include "index/files/container/container.hpp"

namespace gannet::index {

/// The bits of field `number`, which `having` of `documents` documents have; empty if all have it.
/// Throws FormatError unless it is there if and only if some lack the field, and has so many bits.
std::span<const std::uint64_t> open_present(const ContainerReader& file, const FieldSpec& spec,
                                            std::size_t number, std::uint64_t having,
                                            std::uint32_t documents);

}  // namespace gannet::index
