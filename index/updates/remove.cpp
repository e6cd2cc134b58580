#include "index/updates/remove.hpp"

#include <algorithm>
#include <optional>
#include <string>
#include <utility>

#include "codecs/base/error.hpp"
#include "index/updates/add.hpp"

namespace gannet::index {
bool has_ids(const Index& index) {
  const auto has = [](const auto& segment) { return segment->has_ids(); };
  return index.statistics().documents == 0 || std::ranges::any_of(index.segments(), has);
}

void check_has_ids(const Index& index) {
  if (has_ids(index)) return;
  throw UsageError(
      index.path().string() +
      ": its documents have no ids, and their numbers change when segments are merged; "
      "delete them by a query or a filter, or build the index from documents with ids");
}

DocumentRemover::DocumentRemover(const std::filesystem::path& directory, const Limits& limits,
                                 double lock_wait) {
  if (limits.deadline != kNoDeadline) limit_.emplace(limits.stop, limits.deadline);
  const std::stop_token stop = limit_ ? limit_->token() : limits.stop;
  in_time([&] { writer_.emplace(directory, options_to_change(directory, stop, {}, lock_wait)); });
  index_ = writer_->shared_kept();
  gone_.resize(index_->statistics().documents);
}

template <class F>
void DocumentRemover::in_time(const F& f) const {
  try {
    f();
  } catch (const CancelledError&) {
    if (limit_ && limit_->passed()) fail_deadline();
    throw;
  }
}

DocumentRemover::DocumentRemover(std::shared_ptr<const Index> index)
    : index_(std::move(index)), gone_(index_->statistics().documents) {}

DocumentRemover DocumentRemover::preview(const std::filesystem::path& directory) {
  return DocumentRemover(std::make_shared<const Index>(Index::open(directory)));
}

bool DocumentRemover::remove(std::string_view id) {
  check_has_ids(*index_);
  const std::optional<Docid> docid = index_->find_document(id);
  if (docid) remove(*docid);
  return docid.has_value();
}

bool DocumentRemover::remove(Docid docid) {
  if (docid >= gone_.size()) {
    throw UsageError("there is no document " + std::to_string(docid) + "; the index has " +
                     std::to_string(gone_.size()));
  }
  if (gone_[docid] || !index_->is_live(docid)) return false;
  if (writer_) in_time([&] { writer_->remove(docid); });
  gone_[docid] = true;
  ++removed_;
  return true;
}

void DocumentRemover::commit() {
  if (!writer_) throw UsageError("a preview of deletions cannot be committed");
  in_time([&] { writer_->commit(); });
}

}  // namespace gannet::index
