#include "query/bounds/dense_lists.hpp"

#include <tbb/blocked_range.h>
#include <tbb/parallel_for.h>

#include <array>
#include <atomic>
#include <bit>
#include <limits>

#include "codecs/base/cancellation.hpp"
#include "index/lists/list_table.hpp"
#include "query/bounds/list_bounds.hpp"

namespace gannet::query {
namespace {

using index::ListTable;

/// Blocks of the list table that are counted by one task.
constexpr std::uint64_t kBlocksPerTask = 1024;

/// Lists by classes of their lengths: eight for each power of two.
constexpr std::uint32_t kClasses = 32 * 8;
constexpr std::uint32_t kMaxPostings = std::numeric_limits<std::uint32_t>::max();

std::uint32_t class_of(std::uint32_t count) {
  const auto power = static_cast<std::uint32_t>(std::bit_width(count)) - 1;
  return power * 8 + (count >> (power - 3) & 7);  // count >= 128
}

/// The shortest list of a class.
std::uint32_t least_of(std::uint32_t list_class) {
  return (8 + list_class % 8) << (list_class / 8 - 3);
}

constexpr std::uint32_t kFirstClass = 7 * 8;  // 128 postings

using Counts = std::array<std::atomic<std::uint64_t>, kClasses>;

void count_lists(const ListTable& table, std::uint64_t first_block, std::uint64_t end_block,
                 Counts& counts) {
  std::array<std::uint64_t, kClasses> mine{};
  ListTable::Cursor cursor(table, first_block);
  const std::uint64_t lists = (end_block - first_block) * ListTable::kBlock;
  try {
    for (std::uint64_t i = 0; i < lists && cursor.next(); ++i) {
      const std::uint32_t count = cursor.row().count;
      if (!index::is_short_list(count)) ++mine[class_of(count)];
    }
  } catch (const FormatError&) {  // NOLINT(bugprone-empty-catch)
    // Whoever needs a list that is damaged is told so; the others are served.
  }
  for (std::uint32_t i = 0; i < kClasses; ++i) {
    counts[i].fetch_add(mine[i], std::memory_order_relaxed);
  }
}

}  // namespace

std::uint64_t bytes_of_bounds(const index::Segment& segment) {
  const std::uint64_t documents = segment.statistics().documents;
  const std::uint64_t superblocks = (documents + kSuperblock - 1) / kSuperblock;
  return sizeof(ListBounds) + padded_ranges(documents) + 2 * superblocks + superblocks / 16;
}

std::uint32_t least_dense_count(const index::Segment& segment, double bits,
                                const std::stop_token& stop, BytesOfList bytes_of) {
  const ListTable& table = segment.list_table();
  const std::uint64_t blocks = (table.lists() + ListTable::kBlock - 1) / ListTable::kBlock;
  Counts counts{};
  tbb::parallel_for(tbb::blocked_range<std::uint64_t>(0, blocks, kBlocksPerTask),
                    [&](const auto& range) {
                      throw_if_stopped(stop);
                      count_lists(table, range.begin(), range.end(), counts);
                    });
  const double budget = bits / 8 * static_cast<double>(segment.statistics().postings);
  const auto each = static_cast<double>(bytes_of(segment));
  double bytes = 0;
  std::uint32_t least = kMaxPostings;
  for (std::uint32_t list_class = kClasses; list_class-- > kFirstClass;) {
    bytes += static_cast<double>(counts[list_class].load(std::memory_order_relaxed)) * each;
    if (bytes > budget) break;
    least = least_of(list_class);
  }
  return least;
}

}  // namespace gannet::query
