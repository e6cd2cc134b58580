#include "index/fields/reading/fields_check.hpp"

#include <tbb/parallel_for.h>

#include <algorithm>
#include <optional>
#include <string>
#include <vector>

#include "codecs/base/error.hpp"
#include "index/files/messages.hpp"

namespace gannet::index {
namespace {

/// Codes, or texts.
std::uint64_t values_of(const FieldColumn& column) {
  return column.multi() ? column.codes() : documents_with(column);
}

std::vector<std::uint64_t> codes_of_block(const FieldColumn& column, std::size_t block) {
  std::vector<std::uint64_t> codes(column.blocks()[block].count);
  column.decode(block, codes.data());
  return codes;
}

/// What is wrong with the order of the strings, or nothing.
std::optional<std::string> check_strings(const FrontCoded& strings, Progress& progress) {
  FrontCoded::Cursor cursor(strings, 0);
  std::string previous;
  while (cursor.next()) {
    if (cursor.number() % 4096 == 0) progress.add(0);
    if (cursor.number() > 0 && previous >= cursor.text()) {
      return "string " + std::to_string(cursor.number()) + " ('" + printable(cursor.text()) +
             "') is not greater than the one before";
    }
    previous = cursor.text();
  }
  return std::nullopt;
}

/// What is wrong with a block that its first decoding does not show: values of a document that do
/// not ascend.
std::optional<std::string> check_block(const FieldColumn& column, std::size_t block) {
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

/// What is wrong with the whole: a limit that no code reaches, strings that are out of order.
std::optional<std::string> check_whole(const FieldColumn& column, Progress& progress) {
  if (column.texts() != nullptr) return std::nullopt;  // checked when they were opened
  std::uint64_t limit = 0;
  for (const FieldBlock& block : column.blocks()) {
    if (block.least <= block.greatest) limit = std::max(limit, block.greatest + 1);
  }
  if (limit != column.code_limit()) {
    return "its largest code is below " + std::to_string(limit) + ", its row says " +
           std::to_string(column.code_limit());
  }
  const auto* const dictionary = dynamic_cast<const MappedDictionary*>(column.dictionary());
  if (dictionary == nullptr) return std::nullopt;
  return check_strings(dictionary->strings(), progress);
}

}  // namespace

std::uint64_t check_fields(const FieldsReader& fields, std::uint32_t area, ProblemList& problems,
                           Progress& progress) {
  std::uint64_t values = 0;
  for (std::size_t field = 0; field < fields.size(); ++field) {
    const std::uint64_t place = std::uint64_t{field} << 32;
    // Adds what `check` says or throws, at `more` places behind the field's tables.
    const auto look = [&](std::uint64_t more, auto&& check) {
      try {
        const FieldColumn& column = fields.column(field);
        const std::optional<std::string> problem = check(column);
        if (!problem) return;
        problems.add(area, place + more,
                     fields.file().path().filename().string() + ": field '" + column.spec().name +
                         "': " + *problem);
      } catch (const FormatError& error) {
        problems.add(area, place + more, error.what());
      }
    };
    std::size_t blocks = 0;
    look(0, [&](const FieldColumn& column) {
      blocks = column.blocks().size();
      values += values_of(column);
      return check_whole(column, progress);
    });
    tbb::parallel_for(std::size_t{0}, blocks, [&](std::size_t block) {
      progress.add(0);
      look(block + 1, [&](const FieldColumn& column) { return check_block(column, block); });
    });
  }
  return values;
}

}  // namespace gannet::index
