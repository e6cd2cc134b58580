// A field as kernels read it, with some of its documents as matches, for tests of kernels on the
// host.
#pragma once

#include <algorithm>
#include <bit>
#include <cstdint>
#include <cstring>
#include <map>
#include <optional>
#include <random>
#include <vector>

#include "query/gpu/device/kernels/columns/code_groups.cuh"
#include "query/gpu/plan/pack_codes.hpp"
#include "tests/support/simt/launch.hpp"

namespace gannet::query::cuda::match_test {

using Words = std::vector<std::uint64_t>;

inline constexpr std::uint32_t kPoison = 0xabababab;

inline bool has(const Words& words, std::uint64_t i) { return (words[i / 64] >> i % 64 & 1) != 0; }

/// A field in the memory of kernels, with some of its documents as matches.
class Field {
 public:
  using Lists = std::vector<std::vector<std::uint32_t>>;

  /// `codes`: by document, ascending; with several of a document, of the field has several.
  Field(Lists codes, bool multi, std::uint64_t seed, std::uint32_t share = 5)
      : codes_(std::move(codes)), random_(seed) {
    const auto documents = static_cast<std::uint32_t>(codes_.size());
    view_.documents = documents;
    bool all = true;
    present_.resize(bitmap_room(documents));
    matches_.resize(bitmap_room(documents));
    for (std::uint32_t d = 0; d < documents; ++d) {
      starts_.push_back(static_cast<std::uint32_t>(flat_.size()));
      flat_.insert(flat_.end(), codes_[d].begin(), codes_[d].end());
      if (!multi && codes_[d].empty()) flat_.push_back(kPoison);
      if (!codes_[d].empty()) present_[d / 64] |= std::uint64_t{1} << d % 64;
      all = all && !codes_[d].empty();
      if (random_() % 16 < share) matches_[d / 64] |= std::uint64_t{1} << d % 64;
    }
    starts_.push_back(static_cast<std::uint32_t>(flat_.size()));
    pack(multi);
    view_.present = all ? nullptr : present_.data();
    view_.starts = multi ? starts_.data() : nullptr;
  }

  /// With codes below `below`; 0 stands for 2^32.
  static Field some(std::uint32_t documents, std::uint32_t below, bool multi, std::uint64_t seed,
                    std::uint32_t share = 5) {
    std::mt19937_64 random(seed);
    const std::uint64_t limit = below == 0 ? std::uint64_t{1} << 32 : below;
    Lists codes(documents);
    for (auto& of : codes) {
      std::uint32_t values = random() % 7 == 0 ? 0 : 1;
      if (multi) values = static_cast<std::uint32_t>(random() % 4);
      // The last code comes, too.
      for (; values > 0; --values) {
        const std::uint64_t code = random() % 50 == 0 ? limit - 1 : random() % limit;
        of.push_back(static_cast<std::uint32_t>(code));
      }
      if (!of.empty() && multi && random() % 3 == 0) of.push_back(of.back());
      std::ranges::sort(of);
    }
    return Field(std::move(codes), multi, seed, share);
  }

  const FieldView& view() const { return view_; }
  const std::uint64_t* matches() const { return matches_.data(); }
  bool has_code(std::uint32_t document) const { return !codes_[document].empty(); }
  std::uint32_t code(std::uint32_t document, bool last = false) const {
    return last ? codes_[document].back() : codes_[document].front();
  }
  bool multi() const { return view_.starts != nullptr; }

  /// Calls f(codes of a document) for the matches that have the field.
  template <class F>
  void for_each(const F& f) const {
    for (std::uint32_t d = 0; d < codes_.size(); ++d) {
      if (has(matches_, d) && !codes_[d].empty()) f(codes_[d]);
    }
  }
  std::uint64_t documents() const {
    std::uint64_t count = 0;
    for_each([&](const auto&) { ++count; });
    return count;
  }
  /// Documents by what `slot` gives for a code.
  template <class Slot>
  std::map<std::uint32_t, std::uint32_t> counts(const Slot& slot) const {
    std::map<std::uint32_t, std::uint32_t> counts;
    for_each([&](const auto& codes) {
      std::set<std::uint32_t> slots;
      for (const std::uint32_t code : codes) slots.insert(slot(code));
      for (const std::uint32_t one : slots) ++counts[one];
    });
    return counts;
  }

 private:
  void pack(bool multi) {
    for (std::size_t first = 0; first < flat_.size(); first += index::kFieldBlock) {
      const std::span block = std::span(flat_).subspan(
          first, std::min<std::size_t>(index::kFieldBlock, flat_.size() - first));
      index::FieldBlock at{first, static_cast<std::uint32_t>(block.size()), ~std::uint64_t{0}, 0};
      for (std::size_t i = 0; i < block.size(); ++i) {
        if (!multi && codes_[first + i].empty()) continue;
        at.least = std::min<std::uint64_t>(at.least, block[i]);
        at.greatest = std::max<std::uint64_t>(at.greatest, block[i]);
      }
      CodeBlock made = code_block(at);
      made.first_byte = used_;
      bytes_.resize((used_ + packed_bytes(block.size(), made)) / 16 + 1);
      pack_codes(block, made, reinterpret_cast<std::uint8_t*>(bytes_.data()) + used_);
      used_ += packed_bytes(block.size(), made);
      blocks_.push_back(made);
    }
    view_.codes = {reinterpret_cast<const std::uint8_t*>(bytes_.data()), blocks_.data(),
                   static_cast<std::uint32_t>(flat_.size())};
  }

  Lists codes_;
  std::mt19937_64 random_;
  std::vector<std::uint32_t> flat_, starts_;
  Words present_, matches_;
  std::vector<uint4> bytes_;
  std::uint64_t used_ = 0;
  std::vector<CodeBlock> blocks_;
  FieldView view_{};
};

inline constexpr std::uint32_t kDocuments[] = {1, 3, 31, 32, 33, 511, 512, 513, 4097, 20011};

inline simt::Launch columns_launch(unsigned blocks, std::size_t shared = 0,
                                   std::uint64_t seed = 0) {
  return {.grid = {blocks, 1, 1},
          .block = {kColumnThreads, 1, 1},
          .shared_bytes = shared,
          .seed = seed};
}

}  // namespace gannet::query::cuda::match_test
