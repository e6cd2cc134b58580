// The documents of a build: unique ids, docids in order of arrival.
#pragma once

#include <cstddef>
#include <cstdint>
#include <functional>
#include <optional>
#include <span>
#include <string>
#include <string_view>

#include "index/index_writer.hpp"
#include "index/inversion/id_set.hpp"

namespace gannet::index {

/// Adds documents to a segment writer. An id that was there before is refused, or the document that
/// had it is deleted. Not thread-safe.
class DocumentRegister {
 public:
  /// Documents of an index that is appended to are there before. `update`: ids may be there.
  explicit DocumentRegister(IndexWriter& writer, bool update = false);

  struct Entry {
    std::string_view id;  ///< empty: none
    IdSet::Hash hash;     ///< of the id
    std::uint32_t length;
    std::string_view text;
    bool has_text_fields = false;  ///< some text field has a term
  };

  /// Adds documents. `place_of` says where entry number i stands in the input, or "". Throws
  /// InputError for an id that another document has, and what the writer throws.
  using PlaceOf = std::function<std::string(std::size_t i)>;
  void add(std::span<const Entry> entries, const PlaceOf& place_of = {});

  /// Number of documents so far: the docid of the next one.
  std::uint64_t size() const { return writer_.document_lengths().size(); }
  std::uint64_t empty_documents() const { return empty_; }
  /// Documents that were deleted because others with their ids came.
  std::uint64_t replaced() const { return replaced_; }
  /// Bytes that ids and lengths take, while an index is built.
  std::uint64_t memory() const;

  /// Gives the memory for ids back. No more documents may come.
  void finish() { ids_ = {}; }

 private:
  void add(const Entry& entry, std::size_t i, const PlaceOf& place_of);
  void check_number(const Entry& entry) const;
  /// The document that has the id already; its place in `ids_` is the new one's if there is an
  /// update.
  std::optional<Docid> take_id(const Entry& entry);
  [[noreturn]] void fail_twice(Docid before, const Entry& entry, const std::string& place) const;

  IndexWriter& writer_;
  bool update_;
  IdSet ids_;
  std::uint64_t base_ = 0;      ///< documents of the index that is appended to
  bool kept_have_ids_ = false;  ///< whether these have ids
  std::uint64_t empty_ = 0;
  std::uint64_t replaced_ = 0;
};

}  // namespace gannet::index
