#include <algorithm>
#include <cstring>

#include "codecs/base/error.hpp"
#include "index/fields/reading/fields_reader.hpp"
#include "index/fields/reading/present_bits.hpp"

namespace gannet::index {

MappedColumn::MappedColumn(const ContainerReader& file, const FieldSpec& spec, std::size_t number,
                           const FieldRow& row, std::uint64_t documents)
    : file_(file),
      spec_(spec),
      number_(number),
      row_(row),
      keys_{row.base, row.unit},
      documents_(static_cast<std::uint32_t>(documents)) {
  check_row();
  if (spec_.is_keyword()) dictionary_.emplace(file, number, row.strings);
  present_ = open_present(file_, spec_, number_, row_.having, documents_);
  open_starts();
  open_codes();
  checked_.reset(new std::atomic<std::uint64_t>[blocks_.size() / 64 + 1]());
}

void MappedColumn::fail(const std::string& what) const {
  file_.fail("field '" + spec_.name + "': " + what);
}

void MappedColumn::check_row() const {
  const bool keyword = spec_.is_keyword();
  const std::uint64_t limit = row_.code_limit;
  if (row_.reserved[0] != 0 || row_.reserved[1] != 0) fail("its row has more than it should");
  if (row_.unit == 0) fail("its unit is 0");
  if (limit != 0 && (limit - 1) > (~std::uint64_t{0} - row_.base) / row_.unit) {
    fail("its largest code has no key");
  }
  if (keyword && (row_.base != 0 || row_.unit != 1 || limit != row_.strings)) {
    fail("its codes are not the numbers of its strings");
  }
  if (row_.strings > ~std::uint32_t{0} || (!keyword && row_.strings != 0)) {
    fail("it cannot have " + std::to_string(row_.strings) + " strings");
  }
  if (row_.having > documents_ || (row_.having == 0) != (limit == 0)) {
    fail("it cannot be in " + std::to_string(row_.having) + " of " + std::to_string(documents_) +
         " documents");
  }
  const bool fits = spec_.multi ? row_.codes >= row_.having && row_.codes <= ~std::uint32_t{0}
                                : row_.codes == documents_;
  if (!fits) fail("it cannot have " + std::to_string(row_.codes) + " codes");
}

void MappedColumn::open_starts() {
  if (!spec_.multi) {
    if (file_.has(tag(FieldSection::kStarts))) fail("it has starts, though it has single values");
    return;
  }
  starts_ = file_.section<std::uint32_t>(tag(FieldSection::kStarts), std::uint64_t{documents_} + 1);
  if (starts_.front() != 0 || starts_.back() != row_.codes) fail("its starts do not fit its codes");
  for (std::uint32_t document = 0; document < documents_; ++document) {
    const bool ascends = has(document) ? starts_[document] < starts_[document + 1]
                                       : starts_[document] == starts_[document + 1];
    if (!ascends) fail("its starts are wrong at document " + std::to_string(document));
  }
}

void MappedColumn::open_codes() {
  const std::uint64_t count = field_blocks(row_.codes);
  if (file_.has(tag(FieldSection::kBitmaps))) {
    open_bitmaps(count);
  } else {
    open_image(count);
  }
  open_blocks();
}

void MappedColumn::open_image(std::uint64_t blocks) {
  image_ = std::as_bytes(file_.section<std::byte>(tag(FieldSection::kCodes)));
  column_.emplace(image_, file_.path().string() + ": the codes of field '" + spec_.name + "'",
                  "`gannet repair` saves what is whole; or restore the index from a backup, or "
                  "rebuild it with `gannet index`");
  const auto type =
      has_wide_codes(row_.code_limit) ? codecs::ValueType::kU64 : codecs::ValueType::kU32;
  if (column_->type() != type) fail("its codes have the wrong width");
  if (column_->count() != row_.codes || column_->segments().size() != blocks) {
    fail("its blocks do not have its codes");
  }
}

void MappedColumn::open_bitmaps(std::uint64_t blocks) {
  if (file_.has(tag(FieldSection::kCodes))) fail("it has both codes and bitmaps");
  if (has_wide_codes(row_.code_limit)) fail("its codes have the wrong width");
  bitmaps_.emplace(file_, spec_, number_, blocks);
  bitmaps_->expect([this](std::size_t number) {
    const FieldBlock& block = blocks_[number];
    MappedBitmaps::Expected expected{block.count, row_.code_limit, {block.least, block.greatest}};
    if (!multi() && !present_.empty()) {
      expected.present = present_.subspan(block.first / 64, (block.count + 63) / 64);
    }
    return expected;
  });
}

void MappedColumn::open_blocks() {
  const std::uint64_t count = field_blocks(row_.codes);
  const auto bounds = file_.section<CodeBounds>(tag(FieldSection::kBounds), count);
  for (std::size_t i = 0; i < count; ++i) {
    const std::uint64_t first = i * std::uint64_t{kFieldBlock};
    const auto expected =
        static_cast<std::uint32_t>(std::min<std::uint64_t>(kFieldBlock, row_.codes - first));
    const bool sound =
        bounds[i].empty() ? bounds[i] == CodeBounds{} : bounds[i].greatest < row_.code_limit;
    if (!sound) fail("the bounds of block " + std::to_string(i) + " are no codes");
    if (column_ && column_->segments()[i].count != expected) {
      fail("block " + std::to_string(i) + " cannot have " +
           std::to_string(column_->segments()[i].count) + " codes");
    }
    blocks_.push_back({first, expected, bounds[i].least, bounds[i].greatest});
  }
}

void MappedColumn::decode_stored(std::size_t block, std::byte* out) const {
  if (block >= blocks_.size()) {
    throw UsageError("field '" + spec_.name + "' has " + std::to_string(blocks_.size()) +
                     " blocks, none with number " + std::to_string(block));
  }
  if (bitmaps_) return bitmaps_->decode(block, reinterpret_cast<std::uint32_t*>(out));
  const std::uint64_t bit = std::uint64_t{1} << block % 64;
  const bool checked = (checked_[block / 64].load(std::memory_order_acquire) & bit) != 0;
  if (!checked) check_image(block);
  const ColumnSegment& segment = column_->segments()[block];
  const auto* words = reinterpret_cast<const std::uint32_t*>(image_.data() + segment.offset);
  column_->codec(block).decode(column_->type(), {words, segment.words}, segment.count, 0,
                               segment.count, out);
  if (checked) return;
  check_block(block, out);
  checked_[block / 64].fetch_or(bit, std::memory_order_release);
}

/// Throws if the block's words are damaged.
void MappedColumn::check_image(std::size_t block) const {
  const ColumnSegment& segment = column_->segments()[block];
  const auto words = image_.subspan(segment.offset, segment.words * sizeof(std::uint32_t));
  if (const auto problem = file_.blocks()->problem(words)) {
    fail("block " + std::to_string(block) + ": " + *problem);
  }
  column_->words(block);
}

void MappedColumn::check_block(std::size_t block, const std::byte* codes) const {
  if (column_->type() == codecs::ValueType::kU64) {
    check_codes<std::uint64_t>(block, codes);
  } else {
    check_codes<std::uint32_t>(block, codes);
  }
}

/// Also codes that nothing means stay below the limit, so that they can be indices for everybody.
template <class Code>
void MappedColumn::check_codes(std::size_t block, const std::byte* codes) const {
  const FieldBlock& expected = blocks_[block];
  const std::uint64_t limit = std::max<std::uint64_t>(row_.code_limit, 1);
  CodeBounds bounds;
  bool within = true;
  for (std::uint32_t i = 0; i < expected.count; ++i) {
    Code code = 0;
    std::memcpy(&code, codes + i * sizeof(Code), sizeof code);
    within = within && code < limit;
    if (multi() || has(static_cast<std::uint32_t>(expected.first + i))) bounds.add(code);
  }
  if (!within) fail("block " + std::to_string(block) + " has a code beyond the limit");
  if (bounds != CodeBounds{expected.least, expected.greatest}) {
    fail("the bounds of block " + std::to_string(block) + " are not those of its codes");
  }
}

void MappedColumn::decode(std::size_t block, std::uint32_t* out) const {
  if (has_wide_codes(row_.code_limit)) {
    throw UsageError("field '" + spec_.name + "' has codes of 64 bits, which do not fit in 32");
  }
  decode_stored(block, reinterpret_cast<std::byte*>(out));
}

void MappedColumn::decode(std::size_t block, std::uint64_t* out) const {
  auto* const bytes = reinterpret_cast<std::byte*>(out);
  if (has_wide_codes(row_.code_limit)) return decode_stored(block, bytes);
  // To the second half, from which they are spread out from the front: none is overwritten before
  // it was read.
  const std::uint32_t count = block < blocks_.size() ? blocks_[block].count : 0;
  const std::byte* const narrow = bytes + count * sizeof(std::uint32_t);
  decode_stored(block, bytes + count * sizeof(std::uint32_t));
  for (std::uint32_t i = 0; i < count; ++i) {
    std::uint32_t code = 0;
    std::memcpy(&code, narrow + i * sizeof code, sizeof code);
    out[i] = code;
  }
}

}  // namespace gannet::index
