#include "gannet/index/document_register.hpp"

#include <string>

namespace gannet::index {

void DocumentRegister::add(std::string_view id, IdSet::Hash hash, std::uint32_t length,
                           std::string_view text) {
  const std::uint64_t docid = size();
  if (!id.empty()) {
    if (const auto before = ids_.insert(hash, static_cast<Docid>(docid))) {
      throw UsageError("documents " + std::to_string(*before) + " and " + std::to_string(docid) +
                       " (counted from 0) both have the id '" + std::string(id) +
                       "'; ids must be unique");
    }
  }
  writer_.add_document(id, length, text);
  empty_ += length == 0 ? 1 : 0;
}

std::uint64_t DocumentRegister::memory() const {
  // A vector of lengths that grows is there twice for a moment.
  return ids_.memory() + 3 * sizeof(std::uint32_t) * size();
}

}  // namespace gannet::index
