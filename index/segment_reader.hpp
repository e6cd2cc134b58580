// A segment of an index on disk, opened.
#pragma once

#include <filesystem>
#include <memory>
#include <optional>
#include <string>
#include <vector>

#include "index/documents/documents.hpp"
#include "index/documents/stored_text.hpp"
#include "index/index.hpp"
#include "index/lexicon/lexicon.hpp"
#include "index/lists/postings.hpp"
#include "index/manifest/index_snapshot.hpp"

namespace gannet::index {

/// Immutable, safe from any number of threads.
class SegmentReader final : public Segment {
 public:
  /// Checks the files' structure. The lists' words are not checked yet:
  /// check_lists().
  explicit SegmentReader(const SegmentFiles& files);

  /// Throws FormatError, naming the term, if any list is not safe to decode. Parallel.
  void check_lists() const;

  const Statistics& statistics() const override { return record_.statistics; }
  const codecs::ListCodec& docid_codec() const override { return *record_.docid_codec; }
  const codecs::ListCodec& freq_codec() const override { return *record_.freq_codec; }
  std::optional<TermId> find(std::string_view term) const override { return lexicon_.find(term); }
  std::string_view term(TermId id) const override { return lexicon_.term(id); }
  std::uint64_t collection_frequency(TermId id) const override {
    return lexicon_.collection_frequency(id);
  }
  PostingList list(TermId id) const override { return postings_.list(id); }
  std::span<const std::uint32_t> document_lengths() const override { return documents_.lengths(); }
  std::string document_id(Docid docid) const override;
  std::optional<std::string> stored_text(Docid docid) const override;
  std::span<const ListEntry> list_table() const override { return postings_.table(); }
  std::span<const std::uint32_t> words() const override { return postings_.words(); }
  std::span<const std::uint32_t> skips() const override { return postings_.skips(); }
  std::span<const std::uint32_t> max_freqs() const override { return postings_.max_freqs(); }
  std::span<const std::uint32_t> min_lengths() const override { return postings_.min_lengths(); }

  const Postings& postings() const { return postings_; }
  const StoredText* text() const { return text_ ? &*text_ : nullptr; }

 private:
  void check_docid(Docid docid) const;

  SegmentRecord record_;
  Lexicon lexicon_;
  Documents documents_;
  Postings postings_;
  std::optional<StoredText> text_;
};

}  // namespace gannet::index
