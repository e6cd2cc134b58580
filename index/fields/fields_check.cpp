#include "index/fields/fields_check.hpp"

#include <algorithm>
#include <vector>

#include "index/files/messages.hpp"

namespace gannet::index {
namespace {

std::vector<std::uint64_t> codes_of_block(const MappedColumn& column, std::size_t block) {
  std::vector<std::uint64_t> codes(column.blocks()[block].count);
  column.decode(block, codes.data());
  return codes;
}

std::optional<std::string> check_strings(const FrontCoded& strings,
                                         const std::function<void()>& step) {
  FrontCoded::Cursor cursor(strings, 0);
  std::string previous;
  while (cursor.next()) {
    if (cursor.number() % 4096 == 0) step();
    if (cursor.number() > 0 && previous >= cursor.text()) {
      return "string " + std::to_string(cursor.number()) + " ('" + printable(cursor.text()) +
             "') is not greater than the one before";
    }
    previous = cursor.text();
  }
  return std::nullopt;
}

}  // namespace

std::optional<std::string> check_block(const MappedColumn& column, std::size_t block) {
  const std::vector<std::uint64_t> codes = codes_of_block(column, block);
  if (!column.multi()) return std::nullopt;
  const std::span<const std::uint32_t> starts = column.starts();
  const std::uint64_t first = column.blocks()[block].first;
  // The last code of the block before belongs to the same document, perhaps.
  std::uint64_t previous = 0;
  if (block > 0) previous = codes_of_block(column, block - 1).back();
  auto next_start = std::lower_bound(starts.begin(), starts.end(), first);
  for (std::size_t i = 0; i < codes.size(); ++i) {
    const std::uint64_t position = first + i;
    while (next_start != starts.end() && *next_start < position) ++next_start;
    const bool begins = next_start != starts.end() && *next_start == position;
    if (!begins && codes[i] <= previous) {
      const auto document = std::upper_bound(starts.begin(), starts.end(), position);
      return "the values of document " + std::to_string(document - starts.begin() - 1) +
             " do not ascend";
    }
    previous = codes[i];
  }
  return std::nullopt;
}

std::optional<std::string> check_whole(const MappedColumn& column,
                                       const std::function<void()>& step) {
  std::uint64_t limit = 0;
  for (const FieldBlock& block : column.blocks()) {
    if (block.least <= block.greatest) limit = std::max(limit, block.greatest + 1);
  }
  if (limit != column.code_limit()) {
    return "its largest code is below " + std::to_string(limit) + ", its row says " +
           std::to_string(column.code_limit());
  }
  if (column.mapped_dictionary() == nullptr) return std::nullopt;
  return check_strings(column.mapped_dictionary()->strings(), step);
}

}  // namespace gannet::index
