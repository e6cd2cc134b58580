// A field's column in memory, with codes of 32 bits: what the benchmark of columns on the device
// takes instead of an index.
#pragma once

#include <algorithm>
#include <cstdint>
#include <utility>
#include <vector>

#include "index/fields/field_column.hpp"

namespace gannet::bench {

/// One code a document; all documents have the field.
class MadeColumn : public index::FieldColumn {
 public:
  MadeColumn(std::string name, std::vector<std::uint32_t> codes) : codes_(std::move(codes)) {
    spec_.name = std::move(name);
    for (std::uint64_t first = 0; first < codes_.size(); first += index::kFieldBlock) {
      const std::uint64_t count =
          std::min<std::uint64_t>(index::kFieldBlock, codes_.size() - first);
      const auto begin = codes_.begin() + static_cast<std::ptrdiff_t>(first);
      const auto [least, greatest] =
          std::minmax_element(begin, begin + static_cast<std::ptrdiff_t>(count));
      blocks_.push_back({first, static_cast<std::uint32_t>(count), *least, *greatest});
      limit_ = std::max<std::uint64_t>(limit_, *greatest + std::uint64_t{1});
    }
  }

  const std::vector<std::uint32_t>& values() const { return codes_; }

  const index::FieldSpec& spec() const override { return spec_; }
  const index::KeyMap& keys() const override { return keys_; }
  std::uint32_t documents() const override { return static_cast<std::uint32_t>(codes_.size()); }
  std::uint64_t codes() const override { return codes_.size(); }
  std::uint64_t code_limit() const override { return limit_; }
  std::span<const std::uint64_t> present() const override { return {}; }
  std::span<const std::uint32_t> starts() const override { return {}; }
  std::span<const index::FieldBlock> blocks() const override { return blocks_; }
  void decode(std::size_t block, std::uint32_t* out) const override { copy(block, out); }
  void decode(std::size_t block, std::uint64_t* out) const override { copy(block, out); }
  std::string_view codec(std::size_t) const override { return "none"; }
  std::uint64_t bytes(std::size_t block) const override { return blocks_[block].count * 4; }
  const index::KeywordDictionary* dictionary() const override { return nullptr; }

 private:
  template <class Code>
  void copy(std::size_t block, Code* out) const {
    const index::FieldBlock& at = blocks_[block];
    std::copy_n(codes_.begin() + static_cast<std::ptrdiff_t>(at.first), at.count, out);
  }

  index::FieldSpec spec_;
  index::KeyMap keys_{0, 1};
  std::vector<std::uint32_t> codes_;
  std::vector<index::FieldBlock> blocks_;
  std::uint64_t limit_ = 0;
};

}  // namespace gannet::bench
