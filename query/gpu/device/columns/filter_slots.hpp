// Device memory for bitmaps of filters, many at a time.
#pragma once

#include <cstddef>
#include <cstdint>
#include <memory>
#include <utility>
#include <vector>

#include "query/gpu/plan/pruned/tables.hpp"

namespace gannet::query::cuda {

class FilterSlots;
struct FilterSlab;
struct FilterSlabs;

/// Room for the bitmap of one filter and its ranges. Movable; goes back when it ends. Work that
/// uses it must have ended then.
class FilterSlot {
 public:
  FilterSlot() = default;
  FilterSlot(FilterSlot&& other) noexcept { swap(other); }
  FilterSlot& operator=(FilterSlot&& other) noexcept {
    FilterSlot(std::move(other)).swap(*this);
    return *this;
  }
  ~FilterSlot();

  std::uint64_t* words() const { return words_; }    ///< bitmap_room() words
  std::uint16_t* ranges() const { return ranges_; }  ///< padded_superblocks() numbers
  std::uint64_t bytes() const { return bytes_; }
  FilterView view() const { return {words_, ranges_, nullptr, 0}; }

 private:
  friend class FilterSlots;
  void swap(FilterSlot& other) noexcept;

  std::shared_ptr<FilterSlabs> slabs_;
  FilterSlab* slab_ = nullptr;
  std::uint64_t* words_ = nullptr;
  std::uint16_t* ranges_ = nullptr;
  std::uint64_t bytes_ = 0;
};

/// Slots of many filters share allocations, which are used again: allocating memory for each filter
/// took three times as long as making its bitmap. Thread-safe; no lock is held while memory is
/// allocated or freed. The device must be current.
class FilterSlots {
 public:
  FilterSlots();

  /// Bytes of a slot for a segment of so many documents.
  static std::uint64_t bytes_for(std::uint32_t documents);

  /// `count` slots with undefined contents, idle ones first. Throws DeviceMemoryError.
  std::vector<FilterSlot> take(std::uint32_t documents, std::size_t count);

  /// Frees allocations of which no slot is in use, until idle slots take no more than `bytes`.
  /// Returns the bytes that it freed.
  std::uint64_t trim(std::uint64_t bytes);

  /// Bytes of device memory of all slots.
  std::uint64_t bytes() const;

 private:
  void add_slab(std::uint32_t documents, std::size_t wanted);
  void take_idle(std::uint32_t documents, std::size_t count, std::vector<FilterSlot>& slots);

  std::shared_ptr<FilterSlabs> slabs_;
};

}  // namespace gannet::query::cuda
