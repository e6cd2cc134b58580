// The texts of a stored field in a mapped file.
#pragma once

#include <atomic>
#include <cstdint>
#include <memory>
#include <optional>
#include <span>
#include <string>
#include <string_view>
#include <vector>

#include "index/columns/column_file.hpp"
#include "index/documents/recent_block.hpp"
#include "index/fields/field_column.hpp"
#include "index/fields/fields_layout.hpp"
#include "index/files/container/container.hpp"

namespace gannet::index {

/// Where a text lies among the bytes of a stored field.
struct TextRange {
  std::uint64_t first = 0;
  std::uint64_t count = 0;
};

/// A stored field as a column of bytes, of which each document has a range.
class MappedTexts final : public FieldColumn, public StoredTexts {
 public:
  /// Checks all tables, in a time that grows with them, and leaves the texts. Throws FormatError
  /// that names the field. `file` must stay.
  MappedTexts(const ContainerReader& file, const FieldSpec& spec, std::size_t number,
              const FieldRow& row, std::uint64_t documents);

  const FieldSpec& spec() const override { return spec_; }
  const KeyMap& keys() const override { return keys_; }
  std::uint32_t documents() const override { return documents_; }
  std::uint64_t codes() const override { return row_.codes; }
  std::uint64_t code_limit() const override { return row_.code_limit; }
  std::span<const std::uint64_t> present() const override { return present_; }
  std::span<const std::uint32_t> starts() const override { return {}; }
  std::span<const FieldBlock> blocks() const override { return blocks_; }
  void decode(std::size_t block, std::uint32_t* out) const override;
  void decode(std::size_t block, std::uint64_t* out) const override;
  std::string_view codec(std::size_t block) const override { return column_->codec(block).name; }
  std::uint64_t bytes(std::size_t block) const override {
    return column_->segments()[block].words * sizeof(std::uint32_t);
  }
  const KeywordDictionary* dictionary() const override { return nullptr; }
  const StoredTexts* texts() const override { return this; }
  /// That of a document (< documents()); empty if it lacks the field. Ascending.
  TextRange range(std::uint32_t document) const {
    return {offsets_[document], offsets_[document + std::size_t{1}] - offsets_[document]};
  }
  std::optional<std::string> text(std::uint32_t document) const override;

 private:
  void check_row() const;
  void open_offsets();
  void open_bytes();
  void check_image(std::size_t block) const;
  /// Decodes bytes [first, first + count) of a block; the first time, checks the block.
  void decode_part(std::size_t block, std::uint32_t first, std::uint32_t count,
                   std::byte* out) const;
  /// The same; keeps the whole block where a part would cost as much.
  void copy_part(std::size_t block, std::uint32_t first, std::uint32_t count, char* out) const;
  template <class Code>
  void decode_wide(std::size_t block, Code* out) const;
  [[noreturn]] void fail(const std::string& what) const;

  const ContainerReader& file_;
  FieldSpec spec_;
  std::size_t number_;
  FieldRow row_;
  KeyMap keys_;
  std::uint32_t documents_;
  std::span<const std::uint64_t> present_;
  std::span<const std::uint64_t> offsets_;  ///< documents + 1, ascending
  std::span<const std::byte> image_;        ///< of the column file
  std::optional<ColumnFile> column_;
  std::vector<FieldBlock> blocks_;
  /// A bit per block: it was found to be sound. Two threads may check one at a time.
  std::unique_ptr<std::atomic<std::uint64_t>[]> checked_;
  mutable RecentBlock recent_;
};

}  // namespace gannet::index
