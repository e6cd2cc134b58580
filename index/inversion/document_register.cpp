#include "index/inversion/document_register.hpp"

#include <string>

#include "codecs/base/error.hpp"
#include "index/files/format.hpp"
#include "index/files/messages.hpp"

namespace gannet::index {

DocumentRegister::DocumentRegister(IndexWriter& writer, bool update)
    : writer_(writer), update_(update) {
  if (writer.kept() == nullptr) return;
  for (const auto& segment : writer.kept()->segments()) {
    kept_have_ids_ = kept_have_ids_ || segment->has_ids();
  }
  base_ = writer.kept()->statistics().documents;
}

void DocumentRegister::add(std::span<const Entry> entries, const PlaceOf& place_of) {
  constexpr std::size_t kAhead = 16;
  for (std::size_t i = 0; i < entries.size(); ++i) {
    if (i + kAhead < entries.size()) ids_.prefetch(entries[i + kAhead].hash);
    add(entries[i], i, place_of);
  }
}

void DocumentRegister::add(const Entry& entry, std::size_t i, const PlaceOf& place_of) {
  check_number(entry);
  const std::optional<Docid> before = take_id(entry);
  if (before && !update_) fail_twice(*before, entry, place_of ? place_of(i) : "");
  writer_.add_document(entry.id, entry.length, entry.text);
  empty_ += entry.length == 0 && !entry.has_text_fields ? 1 : 0;
  if (!before) return;
  writer_.remove(*before);
  ++replaced_;
}

void DocumentRegister::check_number(const Entry& entry) const {
  const std::uint64_t docid = base_ + size();
  if (docid >= kMaxIndexDocuments) {
    throw UsageError("an index can have at most " + std::to_string(kMaxIndexDocuments) +
                     " documents; build a second one");
  }
  if (base_ > 0 && entry.id.empty() == kept_have_ids_) {
    throw UsageError("document " + std::to_string(docid) + " (counted from 0) has " +
                     (kept_have_ids_ ? "no id; the documents of the index have"
                                     : "an id; the documents of the index have none"));
  }
}

std::optional<Docid> DocumentRegister::take_id(const Entry& entry) {
  if (entry.id.empty()) return std::nullopt;
  const auto docid = static_cast<Docid>(base_ + size());
  std::optional<Docid> before = ids_.insert(entry.hash, docid);
  if (before && update_) ids_.assign(entry.hash, docid);
  if (!before && base_ > 0) before = writer_.kept()->find_document(entry.id);
  return before;
}

void DocumentRegister::fail_twice(Docid before, const Entry& entry,
                                  const std::string& place) const {
  const std::string id = printable(entry.id);
  const std::string where = place.empty() ? "" : place + ": ";
  if (before < base_) {
    throw InputError(where + "a document with the id '" + id + "' is in the index already (docid " +
                     std::to_string(before) +
                     "); ids must be unique, but an update takes the place of what is there");
  }
  throw InputError(where + "documents " + std::to_string(before) + " and " +
                   std::to_string(base_ + size()) + " (counted from 0) both have the id '" + id +
                   "'; ids must be unique");
}

std::uint64_t DocumentRegister::memory() const {
  // A vector that grows is there twice for a moment: of lengths, and of hashes of ids.
  return ids_.memory() + 6 * sizeof(std::uint32_t) * size();
}

}  // namespace gannet::index
