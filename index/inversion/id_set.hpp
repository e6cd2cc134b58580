// The external ids of a build, to find those that occur twice.
#pragma once

#include <array>
#include <cstddef>
#include <cstdint>
#include <optional>
#include <string_view>
#include <vector>

#include "index/segment/segment.hpp"

namespace gannet::index {

/// A set of ids, each with its docid. Keeps 96 bits of a hash instead of the id: 19 to 28 bytes an
/// id. (Two different ids among 2^32 have the same 96 bits with a probability below 10^-9, also if
/// they were made to: the hash has a seed of this process.) Not thread-safe.
class IdSet {
 public:
  struct Hash {
    std::uint64_t low;
    std::uint32_t high;
  };

  IdSet();

  static Hash hash_of(std::string_view id);

  /// Starts to load what insert(hash, ...) will look at. A large set is far outside the caches: a
  /// caller that knows what comes next saves most of the waiting.
  void prefetch(Hash hash) const {
    const Shard& shard = shards_[hash.low % kShards];
    __builtin_prefetch(&shard.slots[home_of(hash.low, shard.slots.size())], 1);
  }

  /// Adds an id; returns the docid of the one that is there already, if any.
  std::optional<Docid> insert(Hash hash, Docid docid);

  /// The docid of an id that is there.
  std::optional<Docid> find(Hash hash) const;

  /// The id, which is there, is another document's from now on.
  void assign(Hash hash, Docid docid);

  /// Bytes of memory in use.
  std::uint64_t memory() const { return memory_; }
  /// Slots that a search for an id goes through at most. Looks at all of them.
  std::size_t longest_run() const;

 private:
  struct Slot {
    std::uint64_t low;
    std::uint32_t high;
    Docid docid;  ///< kFree: no id here
  };
  struct Shard {
    std::vector<Slot> slots;
    std::size_t used = 0;
  };
  /// They grow one by one, so that no great leap occurs.
  static constexpr std::size_t kShards = 256;

  /// The lowest byte chose the shard; 32 other bits, scaled to the number of slots, choose the
  /// place.
  static std::size_t home_of(std::uint64_t low, std::size_t slots) {
    return static_cast<std::size_t>((low >> 32) * slots >> 32);
  }
  /// Where a hash is, or would be.
  static std::size_t place_of(const Shard& shard, Hash hash);
  void grow(Shard& shard);

  std::array<Shard, kShards> shards_;
  std::uint64_t memory_ = 0;
};

}  // namespace gannet::index
