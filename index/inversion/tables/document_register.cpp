#include "index/inversion/tables/document_register.hpp"

#include <string>

namespace gannet::index {

void DocumentRegister::add(std::span<const Entry> entries) {
  constexpr std::size_t kAhead = 16;
  for (std::size_t i = 0; i < entries.size(); ++i) {
    if (i + kAhead < entries.size()) ids_.prefetch(entries[i + kAhead].hash);
    add(entries[i]);
  }
}

void DocumentRegister::add(const Entry& entry) {
  const std::uint64_t docid = size();
  if (!entry.id.empty()) {
    if (const auto before = ids_.insert(entry.hash, static_cast<Docid>(docid))) {
      throw UsageError("documents " + std::to_string(*before) + " and " + std::to_string(docid) +
                       " (counted from 0) both have the id '" + std::string(entry.id) +
                       "'; ids must be unique");
    }
  }
  writer_.add_document(entry.id, entry.length, entry.text);
  empty_ += entry.length == 0 && !entry.has_text_fields ? 1 : 0;
}

std::uint64_t DocumentRegister::memory() const {
  // A vector of lengths that grows is there twice for a moment.
  return ids_.memory() + 3 * sizeof(std::uint32_t) * size();
}

}  // namespace gannet::index
