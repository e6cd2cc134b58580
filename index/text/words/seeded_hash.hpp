// Hashing what users give: by a number that nobody outside of the process knows, so that no input
// can be made whose strings all meet in one place of a table.
#pragma once

#include <cstddef>
#include <cstdint>
#include <string_view>

namespace gannet::index {

/// Random, and one number as long as the process runs. Nothing that is written or returned may
/// depend on it. Thread-safe.
std::uint64_t hash_seed();

/// Of any bytes, by hash_seed(): for hash tables of this process, never for files. Thread-safe.
std::uint64_t seeded_hash(std::string_view bytes);

/// The same for containers of the standard library, which may be asked by views.
struct SeededHash {
  using is_transparent = void;
  std::size_t operator()(std::string_view bytes) const { return seeded_hash(bytes); }
};

}  // namespace gannet::index
