// Fields in memory: columns that count how often they are decoded, and segments that have them.
#pragma once

#include <algorithm>
#include <atomic>
#include <cstdint>
#include <functional>
#include <memory>
#include <numeric>
#include <optional>
#include <string>
#include <utility>
#include <vector>

#include "codecs/base/error.hpp"
#include "index/fields/field_column.hpp"
#include "index/index.hpp"

namespace gannet::test {

/// The values of a field, document by document, as documents spell them.
struct FieldValues {
  index::FieldSpec spec;
  std::vector<std::vector<std::string>> values;
};

/// A column that holds its codes as they are.
class MemoryColumn : public index::FieldColumn {
 public:
  MemoryColumn(const FieldValues& field, std::size_t begin, std::size_t end) : spec_(field.spec) {
    const bool keyword = spec_.type == index::FieldType::kKeyword;
    std::vector<std::vector<std::uint64_t>> keys;
    if (keyword) dictionary_ = std::make_unique<Dictionary>(field, begin, end);
    for (std::size_t d = begin; d < end; ++d) {
      std::vector<std::uint64_t> own;
      for (const std::string& value : field.values[d]) {
        own.push_back(keyword ? dictionary_->lower_bound(value)
                              : index::key_of(spec_, value).value());
      }
      std::ranges::sort(own);
      keys.push_back(std::move(own));
    }
    documents_ = static_cast<std::uint32_t>(keys.size());
    map_keys(keys, keyword);
    lay_out(keys);
  }

  /// decode() throws from now on.
  void damage() { damaged_ = true; }
  std::uint64_t decoded() const { return decoded_; }
  /// What decode() does besides, from now on; while nobody else uses the column.
  void on_decode(std::function<void()> hook) { on_decode_ = std::move(hook); }

  const index::FieldSpec& spec() const override { return spec_; }
  const index::KeyMap& keys() const override { return keys_; }
  std::uint32_t documents() const override { return documents_; }
  std::uint64_t codes() const override { return codes_.size(); }
  std::uint64_t code_limit() const override { return limit_; }
  std::span<const std::uint64_t> present() const override { return present_; }
  std::span<const std::uint32_t> starts() const override { return starts_; }
  std::span<const index::FieldBlock> blocks() const override { return blocks_; }
  void decode(std::size_t block, std::uint32_t* out) const override { copy(block, out); }
  void decode(std::size_t block, std::uint64_t* out) const override { copy(block, out); }
  std::string_view codec(std::size_t) const override { return "none"; }
  std::uint64_t bytes(std::size_t block) const override { return 8 * blocks_[block].count; }
  const index::KeywordDictionary* dictionary() const override { return dictionary_.get(); }

 private:
  class Dictionary : public index::KeywordDictionary {
   public:
    Dictionary(const FieldValues& field, std::size_t begin, std::size_t end) {
      for (std::size_t d = begin; d < end; ++d) {
        texts_.insert(texts_.end(), field.values[d].begin(), field.values[d].end());
      }
      std::ranges::sort(texts_);
      texts_.erase(std::unique(texts_.begin(), texts_.end()), texts_.end());
    }
    std::uint32_t size() const override { return static_cast<std::uint32_t>(texts_.size()); }
    std::string text(std::uint32_t number) const override { return texts_[number]; }
    std::uint32_t lower_bound(std::string_view text) const override {
      return static_cast<std::uint32_t>(std::ranges::lower_bound(texts_, text) - texts_.begin());
    }

   private:
    std::vector<std::string> texts_;
  };

  void map_keys(const std::vector<std::vector<std::uint64_t>>& keys, bool keyword) {
    bool any = false;
    std::uint64_t least = ~std::uint64_t{0};
    std::uint64_t greatest = 0;
    for (const auto& own : keys) {
      for (const std::uint64_t key : own) {
        any = true;
        least = std::min(least, key);
        greatest = std::max(greatest, key);
      }
    }
    if (!any) return;
    if (keyword) {
      limit_ = greatest + 1;
      return;
    }
    std::uint64_t unit = 0;
    for (const auto& own : keys) {
      for (const std::uint64_t key : own) unit = std::gcd(unit, key - least);
    }
    keys_ = {least, std::max<std::uint64_t>(unit, 1)};
    limit_ = (greatest - least) / keys_.unit + 1;
  }

  void lay_out(const std::vector<std::vector<std::uint64_t>>& keys) {
    bool all = true;
    for (const auto& own : keys) all = all && !own.empty();
    if (!all) present_.resize((keys.size() + 63) / 64);
    std::vector<bool> counts;
    for (std::size_t d = 0; d < keys.size(); ++d) {
      if (spec_.multi) starts_.push_back(static_cast<std::uint32_t>(codes_.size()));
      for (const std::uint64_t key : keys[d]) {
        codes_.push_back((key - keys_.base) / keys_.unit);
        counts.push_back(true);
      }
      if (keys[d].empty() && !spec_.multi) {
        codes_.push_back(d * 7 % (limit_ + 3));  // without a meaning
        counts.push_back(false);
      }
      if (!all && !keys[d].empty()) present_[d / 64] |= std::uint64_t{1} << d % 64;
    }
    if (spec_.multi) starts_.push_back(static_cast<std::uint32_t>(codes_.size()));
    for (std::size_t first = 0; first < codes_.size(); first += index::kFieldBlock) {
      index::FieldBlock block{first, 0, ~std::uint64_t{0}, 0};
      for (std::size_t i = first; i < codes_.size() && block.count < index::kFieldBlock; ++i) {
        ++block.count;
        if (!counts[i]) continue;
        block.least = std::min(block.least, codes_[i]);
        block.greatest = std::max(block.greatest, codes_[i]);
      }
      blocks_.push_back(block);
    }
  }

  template <class Code>
  void copy(std::size_t block, Code* out) const {
    if (damaged_) throw FormatError("field '" + spec_.name + "': a block is damaged");
    if (sizeof(Code) == 4 && limit_ > std::uint64_t{1} << 32) {
      throw UsageError("the codes of field '" + spec_.name + "' do not fit");
    }
    ++decoded_;
    if (on_decode_) on_decode_();
    for (std::uint32_t i = 0; i < blocks_[block].count; ++i) {
      out[i] = static_cast<Code>(codes_[blocks_[block].first + i]);
    }
  }

  index::FieldSpec spec_;
  index::KeyMap keys_;
  std::uint32_t documents_ = 0;
  std::uint64_t limit_ = 0;
  std::vector<std::uint64_t> codes_;
  std::vector<std::uint64_t> present_;
  std::vector<std::uint32_t> starts_;
  std::vector<index::FieldBlock> blocks_;
  std::unique_ptr<Dictionary> dictionary_;
  std::atomic<bool> damaged_{false};
  std::function<void()> on_decode_;
  mutable std::atomic<std::uint64_t> decoded_{0};
};

/// A segment with fields beside what another one has.
class SegmentWithFields : public index::Segment {
 public:
  SegmentWithFields(std::shared_ptr<const Segment> segment, const std::vector<FieldValues>& fields,
                    std::size_t begin)
      : segment_(std::move(segment)) {
    const std::size_t end = begin + segment_->statistics().documents;
    for (const FieldValues& field : fields) {
      columns_.push_back(std::make_unique<MemoryColumn>(field, begin, end));
    }
  }

  MemoryColumn& column(std::size_t number) const { return *columns_[number]; }
  const index::FieldColumn& field(std::size_t number) const override { return *columns_[number]; }

  const index::Statistics& statistics() const override { return segment_->statistics(); }
  const codecs::ListCodec& docid_codec() const override { return segment_->docid_codec(); }
  const codecs::ListCodec& freq_codec() const override { return segment_->freq_codec(); }
  std::optional<index::TermId> find(std::string_view term) const override {
    return segment_->find(term);
  }
  index::TermRange terms_with_prefix(std::string_view prefix) const override {
    return segment_->terms_with_prefix(prefix);
  }
  std::string term(index::TermId id) const override { return segment_->term(id); }
  std::uint32_t document_frequency(index::TermId id) const override {
    return segment_->document_frequency(id);
  }
  std::uint64_t collection_frequency(index::TermId id) const override {
    return segment_->collection_frequency(id);
  }
  index::PostingList list(index::TermId id) const override { return segment_->list(id); }
  std::span<const std::uint32_t> document_lengths() const override {
    return segment_->document_lengths();
  }
  std::string document_id(index::Docid docid) const override {
    return segment_->document_id(docid);
  }
  std::optional<std::string> stored_text(index::Docid docid) const override {
    return segment_->stored_text(docid);
  }
  const index::ListTable& list_table() const override { return segment_->list_table(); }
  std::span<const std::uint32_t> words() const override { return segment_->words(); }
  std::span<const std::uint32_t> skips() const override { return segment_->skips(); }
  std::span<const std::uint16_t> max_freqs() const override { return segment_->max_freqs(); }
  std::span<const std::uint16_t> min_lengths() const override { return segment_->min_lengths(); }

 private:
  std::shared_ptr<const Segment> segment_;
  std::vector<std::unique_ptr<MemoryColumn>> columns_;
};

inline index::Schema schema_of(const std::vector<FieldValues>& fields) {
  std::vector<index::FieldSpec> specs;
  for (const FieldValues& field : fields) specs.push_back(field.spec);
  return index::Schema(std::move(specs));
}

/// The segments of an index with fields beside what they have.
inline std::shared_ptr<const index::Index> with_fields(const index::Index& index,
                                                       const std::vector<FieldValues>& fields) {
  std::vector<std::shared_ptr<const index::Segment>> segments;
  std::size_t begin = 0;
  for (const auto& segment : index.segments()) {
    segments.push_back(std::make_shared<SegmentWithFields>(segment, fields, begin));
    begin += segment->statistics().documents;
  }
  return std::make_shared<const index::Index>(std::move(segments), index.analyzer(),
                                              index.defaults(), schema_of(fields));
}

}  // namespace gannet::test
