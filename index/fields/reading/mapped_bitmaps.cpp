#include "index/fields/reading/mapped_bitmaps.hpp"

#include <algorithm>
#include <bit>

#include "codecs/base/error.hpp"
#include "codecs/wah/wah.hpp"
#include "index/fields/reading/bitmap_rows.hpp"
#include "index/files/checksum.hpp"

namespace gannet::index {

MappedBitmaps::MappedBitmaps(const ContainerReader& file, const FieldSpec& spec, std::size_t number,
                             std::uint64_t blocks)
    : file_(file),
      name_(spec.name),
      words_(file.section<std::uint32_t>(field_tag(FieldSection::kBitmaps, number))),
      rows_(file.section<BitmapRow>(field_tag(FieldSection::kBitmapRows, number), blocks)),
      checked_(new std::atomic<std::uint64_t>[rows_.size() / 64 + 1]()) {
  std::uint64_t end = 0;
  for (std::size_t i = 0; i < rows_.size(); ++i) {
    if (rows_[i].offset != end || rows_[i].words > words_.size() - end) {
      fail(i, "they are not where its table says");
    }
    end += rows_[i].words;
  }
  if (end != words_.size()) fail(rows_.size(), "they are followed by more words");
}

void MappedBitmaps::fail(std::size_t number, const std::string& what) const {
  file_.fail("field '" + name_ + "': the bitmaps of block " + std::to_string(number) + ": " + what);
}

BitmapBlock MappedBitmaps::block(std::size_t number) const {
  if (number >= rows_.size()) {
    throw UsageError("field '" + name_ + "' has " + std::to_string(rows_.size()) +
                     " blocks, none with number " + std::to_string(number));
  }
  const std::uint64_t bit = std::uint64_t{1} << number % 64;
  if ((checked_[number / 64].load(std::memory_order_acquire) & bit) == 0) {
    check(number);
    checked_[number / 64].fetch_or(bit, std::memory_order_release);
  }
  return BitmapBlock(words_of(number));
}

void MappedBitmaps::check(std::size_t number) const {
  if (xxh3(std::as_bytes(words_of(number))) != rows_[number].checksum) {
    fail(number, "their checksum is wrong");
  }
  check_tables(number);
  check_vectors(number);
  check_bounds(number);
}

void MappedBitmaps::check_tables(std::size_t number) const {
  const std::span<const std::uint32_t> words = words_of(number);
  if (words.empty() || words[0] == 0 || words[0] > kMaxBitmapCodes ||
      words.size() < 2 + 2 * std::size_t{words[0]}) {
    fail(number, "it cannot have so many");
  }
  const std::size_t vectors = words[0];
  const auto codes = words.subspan(1, vectors);
  const auto starts = words.subspan(1 + vectors, vectors + 1);
  if (std::ranges::adjacent_find(codes, std::greater_equal<>()) != codes.end() ||
      codes.back() >= std::max<std::uint64_t>(expected_(number).limit, 1)) {
    fail(number, "their codes do not ascend to the limit");
  }
  if (starts.front() != 0 || !std::ranges::is_sorted(starts) ||
      starts.back() != words.size() - (2 + 2 * vectors)) {
    fail(number, "their atoms are out of place");
  }
}

/// Every place is in one vector: so many places in all, and all of them.
void MappedBitmaps::check_vectors(std::size_t number) const {
  const std::uint32_t count = expected_(number).count;
  const BitmapBlock block(words_of(number));
  std::vector<std::uint64_t> rows(codecs::bit_words(count));
  std::uint64_t all = 0;
  for (std::uint32_t i = 0; i < block.size(); ++i) {
    try {
      codecs::wah_validate(block.atoms(i), count);
    } catch (const FormatError& error) {
      fail(number, error.what());
    }
    const std::uint64_t own = codecs::wah_count(block.atoms(i));
    if (own == 0) fail(number, "one is empty");
    all += own;
    add_rows(block.atoms(i), rows);
  }
  if (all != count || count_ones(rows, 0, count) != count) {
    fail(number, "not every place is in one of them");
  }
}

void MappedBitmaps::check_bounds(std::size_t number) const {
  const Expected expected = expected_(number);
  const BitmapBlock block(words_of(number));
  const auto has_value = [&](std::uint32_t i) {
    return expected.present.empty() || count_rows_in(block.atoms(i), expected.present) > 0;
  };
  CodeBounds bounds;
  for (std::uint32_t i = 0; i < block.size() && bounds.empty(); ++i) {
    if (has_value(i)) bounds.add(block.code(i));
  }
  for (std::uint32_t i = block.size(); i > 0 && !bounds.empty(); --i) {
    if (!has_value(i - 1)) continue;
    bounds.add(block.code(i - 1));
    break;
  }
  if (bounds != expected.bounds) fail(number, "the bounds are not those of its codes");
}

void MappedBitmaps::decode(std::size_t number, std::uint32_t* out) const {
  const BitmapBlock vectors = block(number);
  for (std::uint32_t i = 0; i < vectors.size(); ++i) {
    const std::uint32_t code = vectors.code(i);
    codecs::wah_for_each(vectors.atoms(i), [&](std::uint64_t place) { out[place] = code; });
  }
}

}  // namespace gannet::index
