#include "index/inversion/tables/document_register.hpp"

#include <string>

#include "codecs/error.hpp"
#include "index/files/format.hpp"
#include "index/files/messages.hpp"

namespace gannet::index {

DocumentRegister::DocumentRegister(IndexWriter& writer) : writer_(writer) {
  if (writer.kept() == nullptr) return;
  const Index& kept = *writer.kept();
  for (const auto& segment : kept.segments()) {
    const std::uint64_t documents = segment->statistics().documents;
    kept_have_ids_ = kept_have_ids_ || segment->has_ids();
    for (Docid d = 0; segment->has_ids() && d < documents; ++d) {
      ids_.insert(IdSet::hash_of(segment->document_id(d)), static_cast<Docid>(base_ + d));
    }
    base_ += documents;
  }
}

void DocumentRegister::add(std::span<const Entry> entries) {
  constexpr std::size_t kAhead = 16;
  for (std::size_t i = 0; i < entries.size(); ++i) {
    if (i + kAhead < entries.size()) ids_.prefetch(entries[i + kAhead].hash);
    add(entries[i]);
  }
}

void DocumentRegister::add(const Entry& entry) {
  check_id(entry);
  writer_.add_document(entry.id, entry.length, entry.text);
  empty_ += entry.length == 0 && !entry.has_text_fields ? 1 : 0;
}

void DocumentRegister::check_id(const Entry& entry) {
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
  if (entry.id.empty()) return;
  const auto before = ids_.insert(entry.hash, static_cast<Docid>(docid));
  if (!before) return;
  const std::string id = printable(entry.id);
  if (*before < base_) {
    throw UsageError("a document with the id '" + id + "' is in the index already (docid " +
                     std::to_string(*before) + "); ids must be unique");
  }
  throw UsageError("documents " + std::to_string(*before) + " and " + std::to_string(docid) +
                   " (counted from 0) both have the id '" + id + "'; ids must be unique");
}

std::uint64_t DocumentRegister::memory() const {
  // A vector of lengths that grows is there twice for a moment.
  return ids_.memory() + 3 * sizeof(std::uint32_t) * size();
}

}  // namespace gannet::index
