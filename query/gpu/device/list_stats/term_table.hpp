// Values of a few of many terms.
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

/// Pointers by term, in a table that is as large as there are such terms, not as the dictionary:
/// there is one for each scorer and filter. Readers take no lock, and follow no more pointers than
/// in an array. One thread at a time may add; terms stay.
template <class Value>
class TermTable {
 public:
  TermTable() { grow(kMin); }
  TermTable(const TermTable&) = delete;
  TermTable& operator=(const TermTable&) = delete;

  /// Null if there is none yet. What it points to is as it was when it was added.
  const Value* find(index::TermId term) const {
    const std::uintptr_t now = now_.load(std::memory_order_acquire);
    const Slot* const all = reinterpret_cast<const Slot*>(now & ~kSizeBits);
    const std::size_t mask = (std::size_t{1} << (now & kSizeBits)) - 1;
    for (std::size_t at = place(term, mask);; at = (at + 1) & mask) {
      const Value* const value = all[at].value.load(std::memory_order_acquire);
      if (value == nullptr || all[at].term == term) return value;
    }
  }

  /// The term must be new.
  void add(index::TermId term, const Value& value) {
    if (2 * (size_ + 1) > tables_.back().size) grow(2 * tables_.back().size);
    put(tables_.back(), term, &value);
    ++size_;
  }

  std::size_t size() const { return size_; }
  /// Of host memory.
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

  /// Terms that are asked together have numbers of every kind.
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

  /// Readers may still use the table before, which is kept: all of those before are as large as the
  /// last one together.
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
