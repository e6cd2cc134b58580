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
    : writer_(std::in_place, directory, options_for(directory, std::move(stop))),
      index_(writer_->shared_kept()),
      gone_(index_->statistics().documents) {}

DocumentRemover::DocumentRemover(std::shared_ptr<const Index> index)
    : index_(std::move(index)), gone_(index_->statistics().documents) {}

DocumentRemover DocumentRemover::preview(const std::filesystem::path& directory) {
  return DocumentRemover(std::make_shared<const Index>(Index::open(directory)));
}

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
  if (writer_) writer_->remove(docid);
  gone_[docid] = true;
  ++removed_;
  return true;
}

void DocumentRemover::commit() {
  if (!writer_) throw UsageError("a preview of deletions cannot be committed");
  writer_->commit();
}

}  // namespace gannet::index
