#include "index/updates/remove.hpp"

#include <optional>
#include <string>
#include <utility>

#include "codecs/error.hpp"
#include "index/updates/add.hpp"

namespace gannet::index {
namespace {

WriteOptions options_for(const std::filesystem::path& directory, std::stop_token stop) {
  WriteOptions options = write_options_of(directory);
  options.stop = std::move(stop);
  return options;
}

}  // namespace

DocumentRemover::DocumentRemover(const std::filesystem::path& directory, std::stop_token stop)
    : writer_(directory, options_for(directory, std::move(stop))),
      index_(writer_.shared_kept()),
      gone_(index_->statistics().documents) {}

bool DocumentRemover::remove(std::string_view id) {
  const std::optional<Docid> docid = index_->find_document(id);
  return docid && remove(*docid);
}

bool DocumentRemover::remove(Docid docid) {
  if (docid >= gone_.size()) {
    throw UsageError("there is no document " + std::to_string(docid) + "; the index has " +
                     std::to_string(gone_.size()));
  }
  if (gone_[docid] || !index_->is_live(docid)) return false;
  writer_.remove(docid);
  gone_[docid] = true;
  ++removed_;
  return true;
}

void DocumentRemover::commit() { writer_.commit(); }

}  // namespace gannet::index
