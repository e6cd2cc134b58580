// A segment as a plan with unions of terms or phrases sees it.
#pragma once

#include <memory>
#include <vector>

#include "query/postings/made_list.hpp"

namespace gannet::query {

/// A segment with more lists: those of unions and phrases have the numbers from statistics().terms
/// on. All else is the segment's, which must outlive it. Thread-safe.
class UnionSegment final : public index::Segment {
 public:
  using Lists = std::vector<std::shared_ptr<const MadeList>>;

  UnionSegment(const index::Segment& segment, Lists lists)
      : segment_(segment), terms_(segment.statistics().terms), lists_(std::move(lists)) {}

  /// The list of a union or phrase; null if `id` is a term of the segment.
  const MadeList* find_made(index::TermId id) const {
    return id < terms_ ? nullptr : lists_[id - terms_].get();
  }
  /// The same shared; also null if `id` is the number of no list.
  std::shared_ptr<const MadeList> share_made(index::TermId id) const {
    return id < terms_ || id - terms_ >= lists_.size() ? nullptr : lists_[id - terms_];
  }

  const index::Statistics& statistics() const override { return segment_.statistics(); }
  std::uint64_t identity() const override { return segment_.identity(); }
  const codecs::ListCodec& docid_codec() const override { return segment_.docid_codec(); }
  const codecs::ListCodec& freq_codec() const override { return segment_.freq_codec(); }
  std::optional<index::TermId> find(std::string_view term) const override {
    return segment_.find(term);
  }
  index::TermRange terms_with_prefix(std::string_view prefix) const override {
    return segment_.terms_with_prefix(prefix);
  }
  std::unique_ptr<index::TermWalk> walk_terms() const override { return segment_.walk_terms(); }
  /// Empty for a union or phrase.
  std::string term(index::TermId id) const override {
    return id < terms_ ? segment_.term(id) : std::string();
  }
  std::uint32_t document_frequency(index::TermId id) const override {
    const MadeList* const made = find_made(id);
    return made != nullptr ? made->list().count : segment_.document_frequency(id);
  }
  std::uint64_t collection_frequency(index::TermId id) const override {
    const MadeList* const made = find_made(id);
    return made != nullptr ? made->occurrences() : segment_.collection_frequency(id);
  }
  index::PostingList list(index::TermId id) const override {
    const MadeList* const made = find_made(id);
    return made != nullptr ? made->list() : segment_.list(id);
  }
  std::span<const std::uint32_t> document_lengths() const override {
    return segment_.document_lengths();
  }
  std::span<const std::uint32_t> text_lengths(std::uint32_t text) const override {
    return segment_.text_lengths(text);
  }
  std::vector<std::uint32_t> text_fields() const override { return segment_.text_fields(); }
  index::TextStatistics text_statistics(std::uint32_t field) const override {
    return segment_.text_statistics(field);
  }
  std::string document_id(index::Docid docid) const override { return segment_.document_id(docid); }
  void find_documents(std::string_view id, std::vector<index::Docid>& found) const override {
    segment_.find_documents(id, found);
  }
  bool has_ids() const override { return segment_.has_ids(); }
  std::optional<std::string> stored_text(index::Docid docid) const override {
    return segment_.stored_text(docid);
  }
  const index::FieldColumn& field(std::size_t number) const override {
    return segment_.field(number);
  }
  const index::ListTable& list_table() const override { return segment_.list_table(); }
  std::span<const std::uint32_t> words() const override { return segment_.words(); }
  std::span<const std::uint32_t> skips() const override { return segment_.skips(); }
  std::span<const std::uint16_t> max_freqs() const override { return segment_.max_freqs(); }
  std::span<const std::uint16_t> min_lengths() const override { return segment_.min_lengths(); }

 private:
  const index::Segment& segment_;
  std::uint64_t terms_;
  Lists lists_;
};

}  // namespace gannet::query
