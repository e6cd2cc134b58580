// A column in the place of one that is damaged: no document has the field.
#pragma once

#include <algorithm>
#include <cstdint>
#include <optional>
#include <span>
#include <string>
#include <string_view>
#include <vector>

#include "index/fields/field_column.hpp"

namespace gannet::index {

class LostColumn : public FieldColumn {
 public:
  LostColumn(const FieldSpec& spec, std::uint32_t documents)
      : spec_(spec), documents_(documents), present_((std::size_t{documents} + 63) / 64) {
    const bool stored = spec.is_stored();
    if (spec.multi) starts_.resize(std::size_t{documents} + 1);
    codes_ = spec.multi || stored ? 0 : documents;
    for (std::uint64_t first = 0; first < codes_; first += kFieldBlock) {
      const std::uint64_t count = std::min<std::uint64_t>(kFieldBlock, codes_ - first);
      blocks_.push_back({first, static_cast<std::uint32_t>(count), ~std::uint64_t{0}, 0});
    }
  }

  const FieldSpec& spec() const override { return spec_; }
  const KeyMap& keys() const override { return keys_; }
  std::uint32_t documents() const override { return documents_; }
  std::uint64_t codes() const override { return codes_; }
  std::uint64_t code_limit() const override { return 0; }
  std::span<const std::uint64_t> present() const override { return present_; }
  std::span<const std::uint32_t> starts() const override { return starts_; }
  std::span<const FieldBlock> blocks() const override { return blocks_; }
  void decode(std::size_t block, std::uint32_t* out) const override {
    std::fill_n(out, blocks_[block].count, 0);
  }
  void decode(std::size_t block, std::uint64_t* out) const override {
    std::fill_n(out, blocks_[block].count, 0);
  }
  std::string_view codec(std::size_t) const override { return "none"; }
  std::uint64_t bytes(std::size_t) const override { return 0; }
  const KeywordDictionary* dictionary() const override {
    return spec_.is_keyword() ? &strings_ : nullptr;
  }
  const StoredTexts* texts() const override { return spec_.is_stored() ? &texts_ : nullptr; }

 private:
  struct NoStrings final : KeywordDictionary {
    std::uint32_t size() const override { return 0; }
    std::string text(std::uint32_t) const override { return {}; }
    std::uint32_t lower_bound(std::string_view) const override { return 0; }
  };
  struct NoTexts final : StoredTexts {
    std::optional<std::string> text(std::uint32_t) const override { return std::nullopt; }
  };

  const FieldSpec& spec_;
  KeyMap keys_ = {};
  std::uint32_t documents_;
  std::vector<std::uint64_t> present_;
  std::vector<std::uint32_t> starts_;
  std::vector<FieldBlock> blocks_;
  std::uint64_t codes_ = 0;
  NoStrings strings_;
  NoTexts texts_;
};

}  // namespace gannet::index
