// XXH3-64, the checksum of every file.
#pragma once

#include <cstddef>
#include <cstdint>
#include <memory>
#include <optional>
#include <span>
#include <string>
#include <string_view>

namespace gannet::index {

/// XXH3-64 (seed 0) of `bytes`.
std::uint64_t xxh3(std::span<const std::byte> bytes);

/// XXH3-64 of bytes that come piece by piece. Not thread-safe.
class Hasher {
 public:
  Hasher();
  void reset();
  void update(std::span<const std::byte> bytes);
  /// The checksum of all bytes since the last reset.
  std::uint64_t digest() const;

 private:
  struct Free {
    void operator()(void* state) const;
  };
  std::unique_ptr<void, Free> state_;
};

/// A checksum as 16 lower-case hexadecimal digits (as `xxhsum -H3` prints it), and back; nothing if
/// `text` is not exactly that.
std::string to_hex(std::uint64_t checksum);
std::optional<std::uint64_t> from_hex(std::string_view text);

}  // namespace gannet::index
