// A hash table from terms to values that is read without a lock.
#pragma once

#include <atomic>
#include <bit>
#include <cstddef>
#include <cstdint>
#include <memory>
#include <new>
#include <type_traits>
#include <utility>
#include <vector>

#include "index/index.hpp"

namespace gannet::query::cuda {

/// Pointers by term, of which a term may have several, told apart by what they point to. Its size
/// grows with what was added, not with the dictionary, since there is one table for each scorer and
/// filter. Any number of threads may read while one thread adds; nothing is ever removed. Reading
/// takes no lock and follows no more pointers than an array of pointers.
template <class Value>
class TermTable {
 public:
  TermTable() { grow(kMin); }
  TermTable(const TermTable&) = delete;
  TermTable& operator=(const TermTable&) = delete;

  /// The value of a term; null if none was added. Sees a value whole. Constant time.
  const Value* find(index::TermId term) const {
    return find(term, [](const Value&) { return true; });
  }
  /// The value of a term for which is_it(value) holds.
  template <class F>
  const Value* find(index::TermId term, const F& is_it) const {
    const std::uintptr_t now = now_.load(std::memory_order_acquire);
    const Slot* const all = reinterpret_cast<const Slot*>(now & ~kSizeBits);
    const std::size_t mask = (std::size_t{1} << (now & kSizeBits)) - 1;
    for (std::size_t at = place(term, mask);; at = (at + 1) & mask) {
      const Value* const value = all[at].value.load(std::memory_order_acquire);
      if (value == nullptr || (all[at].term == term && is_it(*value))) return value;
    }
  }

  /// Adds a value of a term. It must outlive the table.
  void add(index::TermId term, const Value& value) {
    if (2 * (size_ + 1) > tables_.back().size) grow(2 * tables_.back().size);
    put(tables_.back(), term, &value);
    ++size_;
  }

  std::size_t size() const { return size_; }
  /// Bytes of host memory.
  std::size_t bytes() const {
    std::size_t bytes = 0;
    for (const Slots& slots : tables_) bytes += slots.size * sizeof(Slot);
    return bytes;
  }

 private:
  static constexpr std::size_t kMin = 64;
  /// Tables begin at multiples of a line of the cache: the bits below have the logarithm of the
  /// size.
  static constexpr std::size_t kAlign = 64;
  static constexpr std::uintptr_t kSizeBits = kAlign - 1;

  struct Slot {
    std::atomic<const Value*> value{nullptr};
    index::TermId term = 0;  ///< written before `value`, never again
  };

  struct Free {
    void operator()(Slot* slots) const { ::operator delete[](slots, std::align_val_t{kAlign}); }
  };
  static_assert(std::is_trivially_destructible_v<Slot>);

  struct Slots {
    explicit Slots(std::size_t slots)
        : size(slots), all(new (std::align_val_t{kAlign}) Slot[slots]) {}
    std::size_t size;  ///< a power of two
    std::unique_ptr<Slot[], Free> all;
  };

  /// Multiplicative hashing: the terms of one query have numbers of any pattern.
  static std::size_t place(index::TermId term, std::size_t mask) {
    return (std::uint64_t{term} * 0x9e3779b97f4a7c15u >> 32) & mask;
  }

  static void put(Slots& slots, index::TermId term, const Value* value) {
    const std::size_t mask = slots.size - 1;
    std::size_t at = place(term, mask);
    while (slots.all[at].value.load(std::memory_order_relaxed) != nullptr) at = (at + 1) & mask;
    slots.all[at].term = term;
    slots.all[at].value.store(value, std::memory_order_release);
  }

  /// Copies all entries into a larger array. The arrays before it are kept, since readers may still
  /// use them; together they are as large as the last one.
  void grow(std::size_t size) {
    Slots larger(size);
    if (!tables_.empty()) {
      const Slots& before = tables_.back();
      for (std::size_t at = 0; at < before.size; ++at) {
        const Value* const value = before.all[at].value.load(std::memory_order_relaxed);
        if (value != nullptr) put(larger, before.all[at].term, value);
      }
    }
    tables_.push_back(std::move(larger));
    now_.store(reinterpret_cast<std::uintptr_t>(tables_.back().all.get()) |
                   static_cast<std::uintptr_t>(std::countr_zero(size)),
               std::memory_order_release);
  }

  std::vector<Slots> tables_;  ///< the last one is in use
  std::atomic<std::uintptr_t> now_{0};
  std::size_t size_ = 0;
};

}  // namespace gannet::query::cuda
