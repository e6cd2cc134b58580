// A thread's memory of the raw tokens it has seen: analysis and dictionary are asked once for each.
#pragma once

#include <cstddef>
#include <cstdint>
#include <cstring>
#include <string_view>
#include <vector>

namespace gannet::index {

/// A hash table from raw tokens to what was found out about them. When it has reached its size
/// limit, it forgets everything and starts anew. Not thread-safe.
class TokenCache {
 public:
  struct Slot {
    std::uint64_t first;   ///< bytes of the token, or its hash if it is long
    std::uint64_t second;  ///< bytes of the token, or where a long one's bytes are
    std::uint32_t length;  ///< of the token in bytes; 0: the slot is free
    std::uint32_t term;    ///< for the owner of the cache, as are the two below; 0 when new
    std::uint32_t batch;
    std::uint32_t local;
  };
  static_assert(sizeof(Slot) == 32);

  /// `memory`: bytes that the cache may take, at least 64 kB.
  explicit TokenCache(std::uint64_t memory);

  /// The slot of a token (not empty) that was inserted before, or null. Slots move with insert().
  Slot* find(std::string_view token) {
    const Key key = key_of(token);
    for (std::size_t i = key.hash & mask_;; i = (i + 1) & mask_) {
      Slot& slot = slots_[i];
      if (slot.length == 0) return nullptr;
      if (matches(slot, key, token)) return &slot;
    }
  }

  /// A new slot for a token that is not there.
  Slot& insert(std::string_view token);

  void clear();

  /// Slots that a search for a token goes through at most. Looks at all of them.
  std::size_t longest_run() const;

 private:
  __extension__ using Product = unsigned __int128;
  struct Key {
    std::uint64_t first, second, hash;
  };
  static constexpr std::size_t kShort = 16;  ///< tokens up to here are kept in the slot

  template <class Word>
  static Word load(const char* bytes) {
    Word word;
    std::memcpy(&word, bytes, sizeof(word));
    return word;
  }

  /// The two halves of a product of 128 bits, of numbers that depend on the seed: what meets in one
  /// slot is another set of tokens in each process.
  std::uint64_t mix(std::uint64_t first, std::uint64_t second, std::size_t length) const {
    const std::uint64_t turned = seed_ >> 32 | seed_ << 32;
    const auto product =
        static_cast<Product>(first ^ seed_) * (second ^ length ^ turned ^ 0x9e3779b97f4a7c15u);
    const auto hash =
        static_cast<std::uint64_t>(product >> 64) ^ static_cast<std::uint64_t>(product);
    return hash ^ (hash >> 32);
  }

  /// Together with its length, (first, second) tells a token of up to 16 bytes from any other.
  Key key_of(std::string_view token) const {
    const char* const bytes = token.data();
    const std::size_t length = token.size();
    if (length > kShort) return long_key(token);
    std::uint64_t first = 0;
    std::uint64_t second = 0;
    if (length >= 8) {
      first = load<std::uint64_t>(bytes);
      second = load<std::uint64_t>(bytes + length - 8);
    } else if (length >= 4) {
      first = load<std::uint32_t>(bytes);
      second = load<std::uint32_t>(bytes + length - 4);
    } else {
      first = static_cast<unsigned char>(bytes[0]) |
              static_cast<unsigned>(static_cast<unsigned char>(bytes[length / 2])) << 8 |
              static_cast<unsigned>(static_cast<unsigned char>(bytes[length - 1])) << 16;
    }
    return {first, second, mix(first, second, length)};
  }

  Key long_key(std::string_view token) const;
  bool matches(const Slot& slot, const Key& key, std::string_view token) const {
    if (slot.length != token.size() || slot.first != key.first) return false;
    if (token.size() <= kShort) return slot.second == key.second;
    return token == std::string_view(long_tokens_.data() + slot.second, token.size());
  }

  Slot& free_slot(std::uint64_t hash);
  void make_room(std::size_t token_bytes);
  void grow();

  std::uint64_t seed_;  ///< hash_seed()
  std::uint64_t memory_;
  std::vector<Slot> slots_;
  std::size_t mask_ = 0;
  std::size_t used_ = 0;
  std::vector<char> long_tokens_;
};

}  // namespace gannet::index
