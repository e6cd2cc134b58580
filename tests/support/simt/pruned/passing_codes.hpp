// A filter as steps over a made column.
#pragma once

#include <algorithm>
#include <cstdint>
#include <memory>
#include <span>
#include <vector>

#include "query/filter/document_bitmap.hpp"
#include "query/gpu/plan/pack_codes.hpp"
#include "query/gpu/plan/pruned/tables.hpp"

namespace gannet::query::cuda {

/// A column of codes, and steps over it that the documents of a bitmap pass: with all operations
/// but kValues and kAll.
class PassingCodes {
 public:
  explicit PassingCodes(const DocumentBitmap& passing) : memory_(std::make_unique<Memory>()) {
    Memory& m = *memory_;
    const std::uint32_t documents = passing.documents;
    for (std::uint32_t first = 0; first < documents; first += index::kFieldBlock) {
      const std::uint32_t count = std::min(documents - first, index::kFieldBlock);
      std::vector<std::uint32_t> codes;
      for (std::uint32_t d = first; d < first + count; ++d) {
        const std::uint32_t spread = d * 7 % kSpan;
        codes.push_back(!passing.has(d) ? kHeld + spread : (d % 3 == 0 ? kBelow : kAbove) + spread);
      }
      const auto [least, greatest] = std::ranges::minmax(codes);
      CodeBlock block = code_block({first, count, least, greatest});
      block.first_byte = used_;
      m.bytes.resize((used_ + packed_bytes(count, block)) / sizeof(Aligned) + 1);
      pack_codes(codes, block, reinterpret_cast<std::uint8_t*>(m.bytes.data()) + used_);
      used_ += packed_bytes(count, block);
      m.blocks.push_back(block);
    }
    m.all.assign(bitmap_room(documents), ~std::uint64_t{0});
    const CodesView codes{reinterpret_cast<const std::uint8_t*>(m.bytes.data()), m.blocks.data(),
                          documents};
    // ((NOT codes below kAbove) OR codes below kHeld) AND a bitmap of all documents.
    m.steps.push_back(codes_in(codes, {kBelow, kAbove - kBelow - 1}, nullptr));
    m.steps.push_back({FilterOperation::kNot, {}, nullptr, nullptr, {}});
    m.steps.push_back(codes_in(codes, {kBelow, kHeld - kBelow - 1}, m.all.data()));
    m.steps.push_back({FilterOperation::kOr, {}, nullptr, nullptr, {}});
    m.steps.push_back({FilterOperation::kWords, {}, nullptr, m.all.data(), {}});
    m.steps.push_back({FilterOperation::kAnd, {}, nullptr, nullptr, {}});
  }

  FilterView view() const {
    const auto& steps = memory_->steps;
    return {nullptr, nullptr, steps.data(), static_cast<std::uint32_t>(steps.size())};
  }

 private:
  static constexpr std::uint32_t kSpan = 300;
  static constexpr std::uint32_t kBelow = 100, kHeld = 1000, kAbove = 2000;

  struct alignas(16) Aligned {
    std::uint8_t bytes[16];
  };
  struct Memory {
    std::vector<Aligned> bytes;
    std::vector<CodeBlock> blocks;
    std::vector<std::uint64_t> all;
    std::vector<FilterStep> steps;
  };

  static FilterStep codes_in(const CodesView& codes, CodeInterval interval,
                             const std::uint64_t* present) {
    return {FilterOperation::kCodes, codes, nullptr, present, {interval, nullptr, nullptr, 1}};
  }

  std::unique_ptr<Memory> memory_;
  std::uint64_t used_ = 0;
};

}  // namespace gannet::query::cuda
