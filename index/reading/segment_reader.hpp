// A segment of an index on disk, opened.
#pragma once

#include <atomic>
#include <memory>
#include <optional>
#include <string>
#include <vector>

#include "index/documents/documents.hpp"
#include "index/documents/stored_text.hpp"
#include "index/fields/reading/fields_reader.hpp"
#include "index/lexicon/lexicon.hpp"
#include "index/lists/frequency_cache.hpp"
#include "index/lists/postings.hpp"
#include "index/manifest/index_snapshot.hpp"
#include "index/positions/positions.hpp"
#include "index/reading/text_lengths.hpp"
#include "index/segment/segment.hpp"

namespace gannet::index {

/// Immutable, safe from any number of threads.
class SegmentReader final : public Segment {
 public:
  /// Salvage: of a damaged segment, to save what is whole. Lengths of documents are taken as they
  /// stand, and lists are not held to them; a file of texts or of fields that is missing or cannot
  /// be opened is done without.
  enum class Use { kRead, kSalvage };

  /// Checks that the files belong to the manifest and have the right sizes, in a time that does not
  /// depend on these.
  explicit SegmentReader(const SegmentFiles& files, const Schema& schema = {},
                         Use use = Use::kRead);

  const Statistics& statistics() const override { return record_.statistics; }
  std::uint64_t identity() const override;
  const codecs::ListCodec& docid_codec() const override { return record_.docid_codec(); }
  const codecs::ListCodec& freq_codec() const override { return record_.freq_codec(); }
  std::optional<TermId> find(std::string_view term) const override { return lexicon_.find(term); }
  TermRange terms_with_prefix(std::string_view prefix) const override {
    return lexicon_.with_prefix(prefix);
  }
  std::string term(TermId id) const override { return lexicon_.term(id); }
  std::unique_ptr<TermWalk> walk_terms() const override { return lexicon_.walk(); }
  std::uint32_t document_frequency(TermId id) const override;
  std::uint64_t collection_frequency(TermId id) const override;
  PostingList list(TermId id) const override;
  std::span<const std::uint32_t> document_lengths() const override { return documents_.lengths(); }
  std::span<const std::uint32_t> text_lengths(std::uint32_t text) const override;
  std::span<const std::uint32_t> text_spans(std::uint32_t text) const override;
  const Positions* positions() const override { return positions_ ? &*positions_ : nullptr; }
  std::uint32_t text_of(TermId id) const override {
    return texts_ ? texts_->text_of(id) : kMainText;
  }
  std::vector<std::uint32_t> text_fields() const override;
  TextStatistics text_statistics(std::uint32_t field) const override;
  std::string document_id(Docid docid) const override;
  void find_documents(std::string_view id, std::vector<Docid>& found) const override;
  bool has_ids() const override { return documents_.has_ids(); }
  std::optional<std::string> stored_text(Docid docid) const override;
  /// Checks the column's tables the first time, in a time that grows with them.
  const FieldColumn& field(std::size_t number) const override;
  const ListTable& list_table() const override { return postings_.table(); }
  std::span<const std::uint32_t> words() const override { return postings_.words(); }
  std::span<const std::uint32_t> skips() const override { return postings_.skips(); }
  std::span<const std::uint16_t> max_freqs() const override { return postings_.max_freqs(); }
  std::span<const std::uint16_t> min_lengths() const override { return postings_.min_lengths(); }

  const SegmentRecord& record() const { return record_; }
  /// Whether its documents' texts are stored: salvaging, the file of these may be lost.
  bool has_texts() const { return record_.find(kTextFile) != nullptr; }
  /// Whether the lengths of the documents cannot be trusted, which only who salvages is not told.
  bool lengths_are_damaged() const { return lengths_damaged_; }
  /// Calls `f(const ContainerReader&)` for each of its files that this version knows.
  template <class F>
  void each_file(F&& f) const {
    f(lexicon_.file());
    f(documents_.file());
    f(postings_.file());
    if (positions_) f(positions_->file());
    if (text_) f(text_->file());
    if (fields_) f(fields_->file());
  }

  /// Whether the record is of the same files, but for live documents.
  bool is_of(const SegmentRecord& record) const;
  const Lexicon& lexicon() const { return lexicon_; }
  const Postings& postings() const { return postings_; }
  const Documents& documents() const { return documents_; }
  const StoredText* text() const { return text_ ? &*text_ : nullptr; }
  /// nullptr if there are no text fields, or their lengths are lost.
  const SegmentTexts* texts() const { return texts_ ? &*texts_ : nullptr; }
  /// The lengths of the text that a term is of.
  std::span<const std::uint32_t> lengths_of(TermId id) const;
  const FieldsReader* fields() const { return fields_ ? &*fields_ : nullptr; }

 private:
  void open_texts(const Schema& schema, Use use);
  template <class Reader, class... Arguments>
  void open(std::optional<Reader>& reader, const SegmentFiles& files, FileKind kind, Use use,
            const Arguments&... arguments);
  std::optional<std::string> find_problem(const PostingList& list,
                                          std::span<const std::uint32_t> lengths) const;
  void check_docid(Docid docid) const;
  /// Throws what `error` says of the term's list, with its name and the file's.
  [[noreturn]] void fail_list(TermId id, const std::string& error) const;
  bool is_checked(TermId id) const;
  void set_checked(TermId id) const;

  SegmentRecord record_;
  bool lengths_damaged_ = false;
  Lexicon lexicon_;
  Documents documents_;
  Postings postings_;
  std::optional<Positions> positions_;
  std::optional<StoredText> text_;
  std::optional<FieldsReader> fields_;
  std::optional<SegmentTexts> texts_;
  /// A bit per list: it was found to be sound. Two threads may check one list at a time; both find
  /// the same.
  std::unique_ptr<std::atomic<std::uint64_t>[]> checked_;
  FrequencyCache frequencies_;
};

}  // namespace gannet::index
