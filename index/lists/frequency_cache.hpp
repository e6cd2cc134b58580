// Document frequencies that were looked up lately: planning a query log asks for the same terms
// over and over, and a row of the list table is found by going through half a block of them.
#pragma once

#include <array>
#include <atomic>
#include <cstdint>
#include <memory>
#include <optional>

namespace gannet::index {

/// A term and its document frequency share a word, a term has one place: readers and writers need
/// no lock, and what is lost is looked up again. 128 KB. Any number of threads may use it.
class FrequencyCache {
 public:
  std::optional<std::uint32_t> find(std::uint32_t term) const {
    const std::uint64_t entry = place(term).load(std::memory_order_relaxed);
    const auto frequency = static_cast<std::uint32_t>(entry);
    if (frequency == 0 || entry >> 32 != term) return std::nullopt;
    return frequency;
  }

  /// `frequency`: at least 1.
  void keep(std::uint32_t term, std::uint32_t frequency) const {
    place(term).store(std::uint64_t{term} << 32 | frequency, std::memory_order_relaxed);
  }

 private:
  static constexpr std::uint32_t kPlaces = 1u << 14;
  using Places = std::array<std::atomic<std::uint64_t>, kPlaces>;

  std::atomic<std::uint64_t>& place(std::uint32_t term) const {
    // The upper bits of the product depend on all of the term's.
    return (*places_)[term * 0x9e3779b1u >> 18];
  }

  std::unique_ptr<Places> places_ = std::make_unique<Places>();
};

}  // namespace gannet::index
