// What is whole of a damaged segment, as a segment.
#pragma once

#include <atomic>
#include <cstdint>
#include <memory>
#include <optional>
#include <span>
#include <string>
#include <string_view>
#include <vector>

#include "index/reading/segment_reader.hpp"
#include "index/repair/lost_column.hpp"

namespace gannet::index {

/// What of a segment cannot be read.
struct Losses {
  std::uint64_t documents = 0;  ///< their ids cannot be read
  std::uint64_t columns = 0;
  std::uint64_t lengths = 0;    ///< documents whose length was counted anew, from the lists
  std::uint64_t replaced = 0;   ///< documents that are left out, for a later one has their id
  std::uint64_t back = 0;       ///< deleted documents that are back, at most
  std::uint64_t deletions = 0;  ///< 1: it is not known which documents were deleted
};

/// Reads all of a column. Throws FormatError if anything of it cannot be read, CancelledError.
void read_column(const FieldColumn& column, const std::stop_token& stop);

/// A segment whose lists, texts and columns are those of another one that can be read to the last
/// value; documents keep their numbers. It is made for being written again: what writers of
/// segments do not ask for is not there (UsageError). Reads all of the segment when it is made, on
/// as many threads as there are. Immutable, safe from any number of threads.
class SalvagedSegment final : public Segment {
 public:
  /// What a document's length is: the sum of its frequencies in all lists of the main text, or
  /// something else.
  enum class Lengths { kSums, kOther };

  /// Both must stay. Throws CancelledError.
  SalvagedSegment(const SegmentReader& damaged, const Schema& schema, Lengths lengths,
                  const std::stop_token& stop);

  /// Takes lists and lengths of the main text from a segment that was made anew of the stored
  /// texts, if these are the texts that the damaged one was made of: all that is known of its lists
  /// and lengths, also by `written`, what the manifest says of it, is then the same there. Returns
  /// whether it is. Lists of text fields stay. Not beside other calls. Throws CancelledError.
  bool take_lists(std::shared_ptr<const Segment> rebuilt, const SegmentRecord& written,
                  const Schema& schema, const std::stop_token& stop);

  /// Bit d % 64 of word d / 64: the id of document d can be read.
  const std::vector<std::uint64_t>& named() const { return named_; }
  /// But for texts, which are read when they are asked for.
  const Losses& losses() const { return losses_; }
  std::uint64_t lost_texts() const { return lost_texts_.load(); }

  /// Terms and postings are those of the lists that are there.
  const Statistics& statistics() const override { return statistics_; }
  const codecs::ListCodec& docid_codec() const override { return damaged_.docid_codec(); }
  const codecs::ListCodec& freq_codec() const override { return damaged_.freq_codec(); }
  std::string term(TermId id) const override {
    const Place at = place_of(id);
    return at.segment.term(at.id);
  }
  std::uint32_t document_frequency(TermId id) const override {
    const Place at = place_of(id);
    return at.segment.document_frequency(at.id);
  }
  std::uint64_t collection_frequency(TermId id) const override {
    const Place at = place_of(id);
    return at.segment.collection_frequency(at.id);
  }
  PostingList list(TermId id) const override {
    const Place at = place_of(id);
    return at.segment.list(at.id);
  }
  std::span<const std::uint32_t> document_lengths() const override {
    return lengths_.empty() ? damaged_.document_lengths() : lengths_;
  }
  /// Those of the lists that are kept. nullptr if the main text's lengths are damaged and the lists
  /// do not give them again: spans are made of lengths. nullptr also if lists were made anew of
  /// texts of several values: where these end is not stored.
  const Positions* positions() const override {
    return has_positions_ ? damaged_.positions() : nullptr;
  }
  PlaceOfPositions place_of_positions(TermId id, const PostingList& list) const override {
    const Place at = place_of(id);
    return at.segment.place_of_positions(at.id, list);
  }
  /// Positions::spans() keeps what its first caller's lengths gave, so this is not to be called
  /// before `lengths_` is final.
  std::span<const std::uint32_t> text_spans(std::uint32_t text) const override {
    const Positions* const stored = damaged_.positions();
    if (text != kMainText || lengths_.empty() || stored == nullptr) {
      return damaged_.text_spans(text);
    }
    return stored->spans(text, lengths_);
  }
  std::span<const std::uint32_t> text_lengths(std::uint32_t text) const override {
    return text == kMainText ? document_lengths() : damaged_.text_lengths(text);
  }
  std::uint32_t text_of(TermId id) const override {
    const Place at = place_of(id);
    return at.segment.text_of(at.id);
  }
  /// Of one that has a name.
  std::string document_id(Docid docid) const override {
    return damaged_.documents().salvaged_id(docid).value();
  }
  bool has_ids() const override { return damaged_.has_ids(); }
  /// Empty if it cannot be read.
  std::optional<std::string> stored_text(Docid docid) const override;
  const FieldColumn& field(std::size_t number) const override;

  std::optional<TermId> find(std::string_view) const override { refuse(); }
  TermRange terms_with_prefix(std::string_view) const override { refuse(); }
  const ListTable& list_table() const override { refuse(); }
  std::span<const std::uint32_t> words() const override { refuse(); }
  std::span<const std::uint32_t> skips() const override { refuse(); }
  std::span<const std::uint16_t> max_freqs() const override { refuse(); }
  std::span<const std::uint16_t> min_lengths() const override { refuse(); }

 private:
  [[noreturn]] static void refuse();
  void read_names(const std::stop_token& stop);
  void read_terms(const Schema& schema, const std::stop_token& stop);
  void read_columns(const Schema& schema, const std::stop_token& stop);
  void count_lengths(Lengths lengths, const std::stop_token& stop);
  void count_lists();
  bool has_lengths_of(const Segment& rebuilt, const SegmentRecord& written) const;
  bool has_list_of(const Segment& rebuilt, TermId id) const;
  bool has_spans_of_fields(const Schema& schema) const;
  bool has_main_lengths(Lengths lengths) const;
  bool has_spans_of(const Segment& rebuilt) const;
  /// The segment that has a term, and its number there: those of text fields, which come first, are
  /// never rebuilt.
  struct Place {
    const Segment& segment;
    TermId id;
  };
  Place place_of(TermId id) const {
    if (id < terms_.size()) return {damaged_, terms_[id]};
    return {*rebuilt_, static_cast<TermId>(id - terms_.size())};
  }

  const SegmentReader& damaged_;
  std::shared_ptr<const Segment> rebuilt_;  ///< has the lists of the main text; null: `damaged_`
  Statistics statistics_;
  std::vector<std::uint64_t> named_;
  std::vector<std::uint32_t> lengths_;  ///< if those of the damaged one are
  std::vector<TermId> terms_;           ///< of the damaged one, whose lists are whole and taken
  std::vector<std::unique_ptr<LostColumn>> lost_columns_;  ///< by field; null: it is whole
  bool has_positions_ = false;
  Losses losses_;
  mutable std::atomic<std::uint64_t> lost_texts_{0};
};

}  // namespace gannet::index
