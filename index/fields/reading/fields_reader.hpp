// The fields of a segment on disk, opened.
#pragma once

#include <atomic>
#include <cstdint>
#include <memory>
#include <optional>
#include <span>
#include <string>
#include <vector>

#include "codecs/base/threads/once.hpp"
#include "index/columns/column_file.hpp"
#include "index/fields/field_column.hpp"
#include "index/fields/fields_layout.hpp"
#include "index/fields/reading/mapped_bitmaps.hpp"
#include "index/files/container/container.hpp"
#include "index/lexicon/front_coding.hpp"

namespace gannet::index {

/// A keyword field's strings in a mapped file.
class MappedDictionary final : public KeywordDictionary {
 public:
  MappedDictionary(const ContainerReader& file, std::size_t field, std::uint64_t strings)
      : strings_(file, field_tag(FieldSection::kText, field),
                 field_tag(FieldSection::kTextBlocks, field), strings),
        bytes_(file.section<std::byte>(field_tag(FieldSection::kText, field)).size() +
               file.section<std::byte>(field_tag(FieldSection::kTextBlocks, field)).size()) {}

  std::uint32_t size() const override { return static_cast<std::uint32_t>(strings_.size()); }
  std::string text(std::uint32_t number) const override { return strings_.at(number); }
  std::uint32_t lower_bound(std::string_view text) const override {
    return static_cast<std::uint32_t>(strings_.lower_bound(text));
  }
  std::unique_ptr<KeywordReader> reader() const override;
  std::uint64_t bytes() const override { return bytes_; }
  /// For who goes through them in order.
  const FrontCoded& strings() const { return strings_; }

 private:
  FrontCoded strings_;
  std::uint64_t bytes_;
};

/// A column in a mapped file, of any type but stored texts.
class MappedColumn final : public FieldColumn {
 public:
  /// Checks all tables, in a time that grows with them, and leaves the codes. Throws FormatError
  /// that names the field. `file` must stay.
  MappedColumn(const ContainerReader& file, const FieldSpec& spec, std::size_t number,
               const FieldRow& row, std::uint64_t documents);

  const FieldSpec& spec() const override { return spec_; }
  const KeyMap& keys() const override { return keys_; }
  std::uint32_t documents() const override { return documents_; }
  std::uint64_t codes() const override { return row_.codes; }
  std::uint64_t code_limit() const override { return row_.code_limit; }
  std::span<const std::uint64_t> present() const override { return present_; }
  std::span<const std::uint32_t> starts() const override { return starts_; }
  std::span<const FieldBlock> blocks() const override { return blocks_; }
  void decode(std::size_t block, std::uint32_t* out) const override;
  void decode(std::size_t block, std::uint64_t* out) const override;
  std::string_view codec(std::size_t block) const override {
    return bitmaps_ ? kBitmapCodec : column_->codec(block).name;
  }
  std::uint64_t bytes(std::size_t block) const override {
    return sizeof(std::uint32_t) *
           (bitmaps_ ? bitmaps_->words(block) : column_->segments()[block].words);
  }
  const BlockBitmaps* bitmaps() const override { return bitmaps_ ? &*bitmaps_ : nullptr; }
  const KeywordDictionary* dictionary() const override {
    return dictionary_ ? &*dictionary_ : nullptr;
  }

 private:
  void check_row() const;
  void open_starts();
  void open_codes();
  void open_blocks();
  void open_image(std::uint64_t blocks);
  void open_bitmaps(std::uint64_t blocks);
  /// Decodes a block as it is stored; the first time, checks it.
  void decode_stored(std::size_t block, std::byte* out) const;
  void check_image(std::size_t block) const;
  void check_block(std::size_t block, const std::byte* codes) const;
  template <class Code>
  void check_codes(std::size_t block, const std::byte* codes) const;
  Tag tag(FieldSection section) const { return field_tag(section, number_); }
  [[noreturn]] void fail(const std::string& what) const;

  const ContainerReader& file_;
  FieldSpec spec_;
  std::size_t number_;
  FieldRow row_;
  KeyMap keys_;
  std::uint32_t documents_;
  std::span<const std::uint64_t> present_;
  std::span<const std::uint32_t> starts_;
  std::span<const std::byte> image_;  ///< of the column file
  // One of the two has the codes.
  std::optional<ColumnFile> column_;
  std::optional<MappedBitmaps> bitmaps_;
  std::vector<FieldBlock> blocks_;
  std::optional<MappedDictionary> dictionary_;
  /// A bit per block: it was found to be sound. Two threads may check one at a time.
  std::unique_ptr<std::atomic<std::uint64_t>[]> checked_;
};

/// The file of a segment's fields. Immutable, safe from any number of threads.
class FieldsReader {
 public:
  /// Checks that the file has a row for each field, in a time that does not depend on its size.
  /// Throws FormatError.
  FieldsReader(std::filesystem::path path, MappedFile file, const Schema& schema,
               std::uint64_t documents);
  FieldsReader(const FieldsReader&) = delete;
  FieldsReader& operator=(const FieldsReader&) = delete;

  const ContainerReader& file() const { return file_; }
  std::size_t size() const { return schema_.fields().size(); }
  /// Opens the column when it is first asked for. Throws FormatError if its tables are damaged,
  /// UsageError if there is no such field.
  const FieldColumn& column(std::size_t number) const;

 private:
  void check_tables(std::size_t number) const;
  std::unique_ptr<const FieldColumn> open(std::size_t number) const;

  ContainerReader file_;
  Schema schema_;
  std::uint64_t documents_;
  std::span<const FieldRow> rows_;
  std::unique_ptr<Once[]> once_;
  mutable std::vector<std::unique_ptr<const FieldColumn>> columns_;
};

}  // namespace gannet::index
