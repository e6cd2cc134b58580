// Fields of a segment as kernels read them, in host memory.
#pragma once

#include <cstdint>
#include <cstring>
#include <map>
#include <memory>
#include <span>
#include <vector>

#include "index/fields/field_column.hpp"
#include "index/segment/live_documents.hpp"
#include "query/gpu/plan/filter_programs.hpp"
#include "query/gpu/plan/pack_codes.hpp"

namespace gannet::query::cuda {

/// What DeviceField has on the device.
class FieldCopy {
 public:
  explicit FieldCopy(const index::FieldColumn& column) {
    view.documents = column.documents();
    present_ = padded(column.present(), column.documents());
    if (!present_.empty()) view.present = present_.data();
    if (column.texts() != nullptr) return;
    std::uint64_t bytes = 0;
    for (const index::FieldBlock& block : column.blocks()) {
      blocks_.push_back(code_block(block));
      blocks_.back().first_byte = bytes;
      bytes += packed_bytes(block.count, blocks_.back());
    }
    bytes_.resize(bytes / sizeof(Aligned) + 1);
    auto* const to = reinterpret_cast<std::uint8_t*>(bytes_.data());
    for (std::size_t b = 0; b < blocks_.size(); ++b) {
      std::vector<std::uint32_t> codes(column.blocks()[b].count);
      column.decode(b, codes.data());
      pack_codes(codes, blocks_[b], to + blocks_[b].first_byte);
    }
    view.codes = {to, blocks_.data(), static_cast<std::uint32_t>(column.codes())};
    if (column.multi()) view.starts = column.starts().data();
  }

  /// A bitmap with room for whole groups; empty if `words` is.
  static std::vector<std::uint64_t> padded(std::span<const std::uint64_t> words,
                                           std::uint32_t documents) {
    std::vector<std::uint64_t> all(words.begin(), words.end());
    if (!all.empty()) all.resize(bitmap_room(documents));
    return all;
  }

  FieldView view{};

 private:
  struct alignas(16) Aligned {
    std::uint8_t bytes[16];
  };
  std::vector<std::uint64_t> present_;
  std::vector<CodeBlock> blocks_;
  std::vector<Aligned> bytes_;
};

/// What filters of one segment read, in host memory.
class FilterCopies {
 public:
  FilterSources sources() {
    FilterSources from;
    from.field = [this](const index::FieldColumn& column) -> const FieldView* {
      if (column.texts() == nullptr && column.code_limit() > std::uint64_t{1} << 32) return nullptr;
      auto& copy = fields_[&column];
      if (copy == nullptr) copy = std::make_unique<FieldCopy>(column);
      return &copy->view;
    };
    from.live = [this](const index::LiveDocuments& live) {
      auto& words = live_[&live];
      const auto documents = static_cast<std::uint32_t>(live.documents());
      if (words.empty()) words = FieldCopy::padded(live.words(), documents);
      return words.data();
    };
    return from;
  }

 private:
  std::map<const index::FieldColumn*, std::unique_ptr<FieldCopy>> fields_;
  std::map<const index::LiveDocuments*, std::vector<std::uint64_t>> live_;
};

/// Tables in host memory, as Arena has them on a device.
class HostTables {
 public:
  template <class T>
  const T* put(std::span<const T> values) {
    auto copy = std::make_shared<std::vector<T>>(values.begin(), values.end());
    const T* const there = copy->data();
    kept_.push_back(std::move(copy));
    return there;
  }
  template <class T>
  static std::size_t room(std::size_t count) {
    return count * sizeof(T);
  }

 private:
  std::vector<std::shared_ptr<void>> kept_;
};

}  // namespace gannet::query::cuda
