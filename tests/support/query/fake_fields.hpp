// Columns, dictionaries and segments with fields in memory, of any type and with any values: what
// consumers of FieldColumn are tested against without files.
#pragma once

#include <algorithm>
#include <cstdint>
#include <limits>
#include <memory>
#include <numeric>
#include <optional>
#include <span>
#include <stdexcept>
#include <string>
#include <string_view>
#include <utility>
#include <vector>

#include "codecs/base/error.hpp"
#include "index/fields/field_column.hpp"
#include "index/index.hpp"

namespace gannet::test {

/// The values that documents have of a field, in any order; a document without any lacks it. Fields
/// that are not multi have one at most.
struct FakeField {
  index::FieldSpec spec = {};
  /// By document; of all types but keywords.
  std::vector<std::vector<std::uint64_t>> keys = {};
  /// By document; of keywords.
  std::vector<std::vector<std::string>> texts = {};

  bool is_keyword() const { return spec.type == index::FieldType::kKeyword; }
  std::size_t documents() const { return is_keyword() ? texts.size() : keys.size(); }

  /// The same of documents [begin, end).
  FakeField part(std::size_t begin, std::size_t end) const {
    const auto cut = [&](const auto& all) {
      using All = std::remove_cvref_t<decltype(all)>;
      return all.empty() ? All{}
                         : All(all.begin() + static_cast<std::ptrdiff_t>(begin),
                               all.begin() + static_cast<std::ptrdiff_t>(end));
    };
    return {spec, cut(keys), cut(texts)};
  }
};

class FakeDictionary : public index::KeywordDictionary {
 public:
  explicit FakeDictionary(const std::vector<std::vector<std::string>>& texts) {
    for (const auto& of_document : texts) {
      texts_.insert(texts_.end(), of_document.begin(), of_document.end());
    }
    std::sort(texts_.begin(), texts_.end());
    texts_.erase(std::unique(texts_.begin(), texts_.end()), texts_.end());
  }

  std::uint32_t size() const override { return static_cast<std::uint32_t>(texts_.size()); }
  std::string text(std::uint32_t number) const override { return texts_.at(number); }
  std::uint32_t lower_bound(std::string_view text) const override {
    return static_cast<std::uint32_t>(
        std::lower_bound(texts_.begin(), texts_.end(), text, std::less<>()) - texts_.begin());
  }

 private:
  std::vector<std::string> texts_;
};

/// A column of plain codes. `block`: codes of every block but the last one; columns of an index
/// have index::kFieldBlock, smaller ones make small tests cross the borders of blocks.
class FakeColumn : public index::FieldColumn {
 public:
  explicit FakeColumn(const FakeField& field, std::uint32_t block = index::kFieldBlock)
      : spec_(field.spec), documents_(static_cast<std::uint32_t>(field.documents())) {
    std::vector<std::vector<std::uint64_t>> keys = keys_of(field);
    map_keys(keys);
    lay_out(keys);
    cut(keys, block);
  }

  const index::FieldSpec& spec() const override { return spec_; }
  const index::KeyMap& keys() const override { return keys_; }
  std::uint32_t documents() const override { return documents_; }
  std::uint64_t codes() const override { return codes_.size(); }
  std::uint64_t code_limit() const override { return code_limit_; }
  std::span<const std::uint64_t> present() const override { return present_; }
  std::span<const std::uint32_t> starts() const override { return starts_; }
  std::span<const index::FieldBlock> blocks() const override { return blocks_; }
  void decode(std::size_t block, std::uint32_t* out) const override {
    if (code_limit_ > std::uint64_t{1} << 32) throw UsageError("codes of more than 32 bits");
    decode_to(block, out);
  }
  void decode(std::size_t block, std::uint64_t* out) const override { decode_to(block, out); }
  std::string_view codec(std::size_t) const override { return "none"; }
  std::uint64_t bytes(std::size_t block) const override { return blocks_[block].count * 8; }
  const index::KeywordDictionary* dictionary() const override {
    return dictionary_ ? &*dictionary_ : nullptr;
  }

 private:
  std::vector<std::vector<std::uint64_t>> keys_of(const FakeField& field) {
    std::vector<std::vector<std::uint64_t>> keys = field.keys;
    if (field.is_keyword()) {
      dictionary_.emplace(field.texts);
      for (const auto& texts : field.texts) {
        keys.emplace_back();
        for (const std::string& text : texts) keys.back().push_back(dictionary_->lower_bound(text));
      }
    }
    for (auto& of_document : keys) std::sort(of_document.begin(), of_document.end());
    return keys;
  }

  void map_keys(const std::vector<std::vector<std::uint64_t>>& keys) {
    if (spec_.type == index::FieldType::kKeyword) {
      keys_ = {0, 1};
      return;
    }
    std::uint64_t least = std::numeric_limits<std::uint64_t>::max();
    for (const auto& of_document : keys) {
      for (const std::uint64_t key : of_document) least = std::min(least, key);
    }
    std::uint64_t unit = 0;
    for (const auto& of_document : keys) {
      for (const std::uint64_t key : of_document) unit = std::gcd(unit, key - least);
    }
    keys_ = {least, std::max<std::uint64_t>(unit, 1)};
  }

  std::uint64_t code_of(std::uint64_t key) const { return (key - keys_.base) / keys_.unit; }

  void lay_out(const std::vector<std::vector<std::uint64_t>>& keys) {
    std::uint64_t greatest = 0;
    bool any = false;
    bool all = true;
    present_.assign((keys.size() + 63) / 64, 0);
    for (std::size_t d = 0; d < keys.size(); ++d) {
      all = all && !keys[d].empty();
      if (!keys[d].empty()) present_[d / 64] |= std::uint64_t{1} << d % 64;
      for (const std::uint64_t key : keys[d]) greatest = std::max(greatest, code_of(key));
      any = any || !keys[d].empty();
    }
    if (all) present_.clear();
    constexpr std::uint64_t kMax = std::numeric_limits<std::uint64_t>::max();
    code_limit_ = !any ? 0 : greatest == kMax ? kMax : greatest + 1;
    if (spec_.multi) starts_.push_back(0);
    for (const auto& of_document : keys) {
      if (!spec_.multi && of_document.size() > 1) throw std::logic_error("one value at most");
      for (const std::uint64_t key : of_document) codes_.push_back(code_of(key));
      // Where there is no value, a code is in its place that no document has.
      if (!spec_.multi && of_document.empty()) {
        codes_.push_back(std::min<std::uint64_t>(code_limit_ + 7, 0xffffffff));
      }
      if (spec_.multi) starts_.push_back(static_cast<std::uint32_t>(codes_.size()));
    }
  }

  void cut(const std::vector<std::vector<std::uint64_t>>& keys, std::uint32_t block) {
    for (std::uint64_t first = 0; first < codes_.size(); first += block) {
      const auto count = std::min<std::uint64_t>(block, codes_.size() - first);
      index::FieldBlock made{first, static_cast<std::uint32_t>(count), 1, 0};
      bool any = false;
      for (std::uint64_t i = first; i < first + count; ++i) {
        if (!spec_.multi && keys[i].empty()) continue;
        made.least = any ? std::min(made.least, codes_[i]) : codes_[i];
        made.greatest = any ? std::max(made.greatest, codes_[i]) : codes_[i];
        any = true;
      }
      blocks_.push_back(made);
    }
  }

  template <class Code>
  void decode_to(std::size_t block, Code* out) const {
    const index::FieldBlock& at = blocks_[block];
    for (std::uint32_t i = 0; i < at.count; ++i) out[i] = static_cast<Code>(codes_[at.first + i]);
  }

  index::FieldSpec spec_;
  index::KeyMap keys_;
  std::uint32_t documents_;
  std::uint64_t code_limit_ = 0;
  std::optional<FakeDictionary> dictionary_;
  std::vector<std::uint64_t> codes_;
  std::vector<std::uint64_t> present_;
  std::vector<std::uint32_t> starts_;
  std::vector<index::FieldBlock> blocks_;
};

/// A segment with fields: another segment's documents and terms, or documents without any text.
class FakeSegment : public index::Segment {
 public:
  /// Documents without text, named by their numbers.
  FakeSegment(std::uint32_t documents, std::vector<std::shared_ptr<index::FieldColumn>> fields)
      : fields_(std::move(fields)), lengths_(documents, 0) {
    statistics_.documents = documents;
  }
  /// The documents of `text`, which has as many as the fields.
  FakeSegment(std::shared_ptr<const index::Segment> text,
              std::vector<std::shared_ptr<index::FieldColumn>> fields)
      : text_(std::move(text)), fields_(std::move(fields)), statistics_(text_->statistics()) {}

  const index::Statistics& statistics() const override { return statistics_; }
  const index::FieldColumn& field(std::size_t number) const override { return *fields_.at(number); }
  std::span<const std::uint32_t> document_lengths() const override {
    return text_ ? text_->document_lengths() : std::span<const std::uint32_t>(lengths_);
  }
  std::string document_id(index::Docid docid) const override {
    return text_ ? text_->document_id(docid) : std::to_string(docid);
  }
  std::optional<std::string> stored_text(index::Docid docid) const override {
    return text_ ? text_->stored_text(docid) : std::nullopt;
  }
  std::span<const std::uint32_t> text_spans(std::uint32_t text) const override {
    return this->text().text_spans(text);
  }
  const index::Positions* positions() const override {
    return text_ ? text_->positions() : nullptr;
  }
  index::PlaceOfPositions place_of_positions(index::TermId id,
                                             const index::PostingList& list) const override {
    return text().place_of_positions(id, list);
  }
  std::optional<index::TermId> find(std::string_view term) const override {
    return text_ ? text_->find(term) : std::nullopt;
  }
  index::TermRange terms_with_prefix(std::string_view prefix) const override {
    return text_ ? text_->terms_with_prefix(prefix) : index::TermRange{};
  }
  const codecs::ListCodec& docid_codec() const override { return text().docid_codec(); }
  const codecs::ListCodec& freq_codec() const override { return text().freq_codec(); }
  std::string term(index::TermId id) const override { return text().term(id); }
  std::uint32_t document_frequency(index::TermId id) const override {
    return text().document_frequency(id);
  }
  std::uint64_t collection_frequency(index::TermId id) const override {
    return text().collection_frequency(id);
  }
  index::PostingList list(index::TermId id) const override { return text().list(id); }
  const index::ListTable& list_table() const override { return text().list_table(); }
  std::span<const std::uint32_t> words() const override { return text().words(); }
  std::span<const std::uint32_t> skips() const override { return text().skips(); }
  std::span<const std::uint16_t> max_freqs() const override { return text().max_freqs(); }
  std::span<const std::uint16_t> min_lengths() const override { return text().min_lengths(); }

 private:
  const index::Segment& text() const {
    if (!text_) throw std::logic_error("this segment has no text");
    return *text_;
  }

  std::shared_ptr<const index::Segment> text_;
  std::vector<std::shared_ptr<index::FieldColumn>> fields_;
  index::Statistics statistics_;
  std::vector<std::uint32_t> lengths_;
};

/// Documents [begin, end) of fields, as columns.
inline std::vector<std::shared_ptr<index::FieldColumn>> fake_columns(
    const std::vector<FakeField>& fields, std::size_t begin, std::size_t end,
    std::uint32_t block = index::kFieldBlock) {
  std::vector<std::shared_ptr<index::FieldColumn>> columns;
  for (const FakeField& field : fields) {
    columns.push_back(std::make_shared<FakeColumn>(field.part(begin, end), block));
  }
  return columns;
}

inline index::Schema schema_of(const std::vector<FakeField>& fields) {
  std::vector<index::FieldSpec> specs;
  for (const FakeField& field : fields) specs.push_back(field.spec);
  return index::Schema(std::move(specs));
}

/// An index of documents without text, in segments that end at `ends`.
inline index::Index fake_index(const std::vector<FakeField>& fields,
                               const std::vector<std::uint32_t>& ends,
                               std::uint32_t block = index::kFieldBlock) {
  std::vector<std::shared_ptr<const index::Segment>> segments;
  std::uint32_t begin = 0;
  for (const std::uint32_t end : ends) {
    segments.push_back(
        std::make_shared<FakeSegment>(end - begin, fake_columns(fields, begin, end, block)));
    begin = end;
  }
  return index::Index(std::move(segments), {}, {}, schema_of(fields));
}

/// The index `text`, whose segments get the fields of their documents.
inline std::shared_ptr<const index::Index> with_fields(const index::Index& text,
                                                       const std::vector<FakeField>& fields,
                                                       std::uint32_t block = index::kFieldBlock) {
  std::vector<std::shared_ptr<const index::Segment>> segments;
  for (std::size_t s = 0; s < text.segments().size(); ++s) {
    const std::size_t begin = text.docid_base(s);
    const std::size_t end = begin + text.segments()[s]->statistics().documents;
    segments.push_back(
        std::make_shared<FakeSegment>(text.segments()[s], fake_columns(fields, begin, end, block)));
  }
  return std::make_shared<const index::Index>(std::move(segments), text.analyzer(), text.defaults(),
                                              schema_of(fields));
}

}  // namespace gannet::test
