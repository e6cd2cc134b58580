// Where rows of the list table begin, in blocks of rows that were used: going through half a block
// for each list was a seventh of a search in several segments.
#pragma once

#include <array>
#include <atomic>
#include <cstddef>
#include <cstdint>
#include <memory>

namespace gannet::index {

/// Where a row begins, counted from the beginning of its block.
struct RowPoint {
  std::uint32_t offset;  ///< bytes
  std::uint32_t tiles;
  std::uint64_t words;
};

/// Rows of a block, and from one of its points to the next.
inline constexpr std::uint64_t kRowBlock = 64;
inline constexpr std::uint64_t kPointRows = 8;

/// Of the rows 8, 16 ... 56 of a block.
using BlockPoints = std::array<RowPoint, kRowBlock / kPointRows - 1>;

/// The points of the blocks that were used. They are kept: 120 bytes per block, some 2 bytes per
/// list. Any number of threads may use it.
class RowPoints {
 public:
  explicit RowPoints(std::size_t blocks)
      : blocks_(blocks), points_(std::make_unique<std::atomic<const BlockPoints*>[]>(blocks)) {}
  ~RowPoints() {
    for (std::size_t i = 0; i < blocks_; ++i) delete points_[i].load(std::memory_order_relaxed);
  }
  RowPoints(const RowPoints&) = delete;
  RowPoints& operator=(const RowPoints&) = delete;

  /// Null if they are not known.
  const BlockPoints* find(std::size_t block) const {
    return points_[block].load(std::memory_order_acquire);
  }

  /// All who find them out find out the same; the first one's are kept.
  const BlockPoints* keep(std::size_t block, const BlockPoints& found) const {
    auto mine = std::make_unique<const BlockPoints>(found);
    const BlockPoints* kept = nullptr;
    const bool first = points_[block].compare_exchange_strong(
        kept, mine.get(), std::memory_order_acq_rel, std::memory_order_acquire);
    return first ? mine.release() : kept;
  }

 private:
  std::size_t blocks_;
  std::unique_ptr<std::atomic<const BlockPoints*>[]> points_;
};

}  // namespace gannet::index
