// Values of a few of many terms.
#pragma once

#include <atomic>
#include <cstddef>
#include <cstdint>
#include <memory>
#include <utility>
#include <vector>

#include "index/index.hpp"

namespace gannet::query::cuda {

/// Pointers by term, in a table that is as large as there are such terms, not as the dictionary:
/// there is one for each scorer and filter. Readers take no lock, and follow one pointer more than
/// in an array. One thread at a time may add; terms stay.
template <class Value>
class TermTable {
 public:
  TermTable() { grow(kLeast); }
  TermTable(const TermTable&) = delete;
  TermTable& operator=(const TermTable&) = delete;

  /// Null if there is none yet. What it points to is as it was when it was added.
  const Value* find(index::TermId term) const {
    const Slots& slots = *now_.load(std::memory_order_acquire);
    for (std::size_t at = slots.place(term);; at = (at + 1) & slots.mask) {
      const Value* const value = slots.all[at].value.load(std::memory_order_acquire);
      if (value == nullptr || slots.all[at].term == term) return value;
    }
  }

  /// The term must be new.
  void add(index::TermId term, const Value& value) {
    if (2 * (size_ + 1) > tables_.back()->mask + 1) grow(2 * (tables_.back()->mask + 1));
    put(*tables_.back(), term, &value);
    ++size_;
  }

  std::size_t size() const { return size_; }
  /// Of host memory.
  std::size_t bytes() const {
    std::size_t bytes = 0;
    for (const auto& slots : tables_) bytes += (slots->mask + 1) * sizeof(Slot);
    return bytes;
  }

 private:
  static constexpr std::size_t kLeast = 64;

  struct Slot {
    std::atomic<const Value*> value{nullptr};
    index::TermId term = 0;  ///< written before `value`, never again
  };

  struct Slots {
    explicit Slots(std::size_t size) : mask(size - 1), all(new Slot[size]) {}
    /// Terms that are asked together have numbers of every kind.
    std::size_t place(index::TermId term) const {
      return (std::uint64_t{term} * 0x9e3779b97f4a7c15u >> 32) & mask;
    }
    std::size_t mask;
    std::unique_ptr<Slot[]> all;
  };

  static void put(Slots& slots, index::TermId term, const Value* value) {
    std::size_t at = slots.place(term);
    while (slots.all[at].value.load(std::memory_order_relaxed) != nullptr) {
      at = (at + 1) & slots.mask;
    }
    slots.all[at].term = term;
    slots.all[at].value.store(value, std::memory_order_release);
  }

  /// Readers may still use the table before, which is kept: all of those before are as large as the
  /// last one together.
  void grow(std::size_t size) {
    auto larger = std::make_unique<Slots>(size);
    if (!tables_.empty()) {
      const Slots& before = *tables_.back();
      for (std::size_t at = 0; at <= before.mask; ++at) {
        const Value* const value = before.all[at].value.load(std::memory_order_relaxed);
        if (value != nullptr) put(*larger, before.all[at].term, value);
      }
    }
    tables_.push_back(std::move(larger));
    now_.store(tables_.back().get(), std::memory_order_release);
  }

  std::vector<std::unique_ptr<Slots>> tables_;  ///< the last one is in use
  std::atomic<const Slots*> now_{nullptr};
  std::size_t size_ = 0;
};

}  // namespace gannet::query::cuda
