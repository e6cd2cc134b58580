#include "index/fields/reading/mapped_texts.hpp"

#include <algorithm>

#include "codecs/base/error.hpp"
#include "index/fields/reading/present_bits.hpp"

namespace gannet::index {

MappedTexts::MappedTexts(const ContainerReader& file, const FieldSpec& spec, std::size_t number,
                         const FieldRow& row, std::uint64_t documents)
    : file_(file),
      spec_(spec),
      number_(number),
      row_(row),
      documents_(static_cast<std::uint32_t>(documents)) {
  check_row();
  present_ = open_present(file_, spec_, number_, row_.having, documents_);
  open_offsets();
  open_bytes();
  checked_.reset(new std::atomic<std::uint64_t>[blocks_.size() / 64 + 1]());
}

void MappedTexts::fail(const std::string& what) const {
  file_.fail("field '" + spec_.name + "': " + what);
}

void MappedTexts::check_row() const {
  const bool plain = row_.base == 0 && row_.unit == 1 && row_.strings == 0 &&
                     row_.reserved[0] == 0 && row_.reserved[1] == 0;
  if (!plain) fail("its row has more than stored texts have");
  if (row_.having > documents_ || row_.code_limit != (row_.having == 0 ? 0 : kByteLimit)) {
    fail("it cannot be in " + std::to_string(row_.having) + " of " + std::to_string(documents_) +
         " documents, with a limit of " + std::to_string(row_.code_limit));
  }
}

void MappedTexts::open_offsets() {
  offsets_ = file_.section<std::uint64_t>(field_tag(FieldSection::kOffsets, number_),
                                          std::uint64_t{documents_} + 1);
  if (offsets_.front() != 0 || offsets_.back() != row_.codes) {
    fail("the offsets of its texts do not fit their bytes");
  }
  for (std::uint32_t document = 0; document < documents_; ++document) {
    const std::uint64_t begin = offsets_[document];
    const std::uint64_t end = offsets_[document + 1];
    if (end < begin || (end > begin && !has(document))) {
      fail("the text of document " + std::to_string(document) + " is out of place");
    }
  }
}

void MappedTexts::open_bytes() {
  image_ = file_.section<std::byte>(field_tag(FieldSection::kCodes, number_));
  column_.emplace(image_, file_.path().string() + ": the texts of field '" + spec_.name + "'",
                  "`gannet repair` saves what is whole; or restore the index from a backup, or "
                  "rebuild it with `gannet index`");
  const std::uint64_t count = field_blocks(row_.codes);
  if (column_->type() != codecs::ValueType::kU8 || column_->count() != row_.codes ||
      column_->segments().size() != count) {
    fail("its blocks do not have the bytes of its texts");
  }
  for (std::size_t i = 0; i < count; ++i) {
    const std::uint32_t size = column_->segments()[i].count;
    const std::uint64_t first = i * std::uint64_t{kFieldBlock};
    if (size != std::min<std::uint64_t>(kFieldBlock, row_.codes - first)) {
      fail("block " + std::to_string(i) + " cannot have " + std::to_string(size) + " bytes");
    }
    blocks_.push_back({first, size, 0, kByteLimit - 1});
  }
}

/// Throws if the block's words are damaged.
void MappedTexts::check_image(std::size_t block) const {
  const ColumnSegment& segment = column_->segments()[block];
  const auto words = image_.subspan(segment.offset, segment.words * sizeof(std::uint32_t));
  if (const auto problem = file_.blocks()->problem(words)) {
    fail("block " + std::to_string(block) + ": " + *problem);
  }
  column_->words(block);
}

void MappedTexts::decode_part(std::size_t block, std::uint32_t first, std::uint32_t count,
                              std::byte* out) const {
  if (block >= blocks_.size()) {
    throw UsageError("field '" + spec_.name + "' has " + std::to_string(blocks_.size()) +
                     " blocks, none with number " + std::to_string(block));
  }
  const std::uint64_t bit = std::uint64_t{1} << block % 64;
  if ((checked_[block / 64].load(std::memory_order_acquire) & bit) == 0) {
    check_image(block);
    checked_[block / 64].fetch_or(bit, std::memory_order_release);
  }
  const ColumnSegment& segment = column_->segments()[block];
  const auto* words = reinterpret_cast<const std::uint32_t*>(image_.data() + segment.offset);
  column_->codec(block).decode(column_->type(), {words, segment.words}, segment.count, first, count,
                               out);
}

template <class Code>
void MappedTexts::decode_wide(std::size_t block, Code* out) const {
  std::vector<std::byte> bytes(block < blocks_.size() ? blocks_[block].count : 0);
  decode_part(block, 0, static_cast<std::uint32_t>(bytes.size()), bytes.data());
  std::ranges::transform(bytes, out, [](std::byte byte) { return static_cast<Code>(byte); });
}

void MappedTexts::decode(std::size_t block, std::uint32_t* out) const { decode_wide(block, out); }
void MappedTexts::decode(std::size_t block, std::uint64_t* out) const { decode_wide(block, out); }

void MappedTexts::copy_part(std::size_t block, std::uint32_t first, std::uint32_t count,
                            char* out) const {
  if (count == blocks_[block].count || codec(block) == "none") {
    return decode_part(block, first, count, reinterpret_cast<std::byte*>(out));
  }
  const auto whole = recent_.get(block, [&] {
    std::string bytes(blocks_[block].count, '\0');
    decode_part(block, 0, blocks_[block].count, reinterpret_cast<std::byte*>(bytes.data()));
    return bytes;
  });
  std::copy_n(whole->data() + first, count, out);
}

std::optional<std::string> MappedTexts::text(std::uint32_t document) const {
  if (document >= documents_) {
    throw UsageError("field '" + spec_.name + "' has the texts of " + std::to_string(documents_) +
                     " documents, none with number " + std::to_string(document));
  }
  if (!has(document)) return std::nullopt;
  std::uint64_t at = offsets_[document];
  const std::uint64_t end = offsets_[document + 1];
  std::string text;
  while (at < end) {
    const std::size_t block = static_cast<std::size_t>(at / kFieldBlock);
    const auto first = static_cast<std::uint32_t>(at % kFieldBlock);
    const auto count =
        static_cast<std::uint32_t>(std::min<std::uint64_t>(end - at, blocks_[block].count - first));
    const std::size_t length = text.size();
    text.resize(length + count);  // block by block: a damaged one is found before memory for all
    copy_part(block, first, count, text.data() + length);
    at += count;
  }
  return text;
}

}  // namespace gannet::index
