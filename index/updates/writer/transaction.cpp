#include "index/updates/writer/transaction.hpp"

#include <string>
#include <utility>

#include "codecs/base/cancellation.hpp"
#include "codecs/base/error.hpp"
#include "index/files/format.hpp"
#include "index/index_writer.hpp"

namespace gannet::index {
namespace {

/// Documents go to the build in pieces of this size.
constexpr std::uint64_t kBatchBytes = std::uint64_t{256} << 10;

}  // namespace

Transaction::Transaction(std::filesystem::path directory, BuildOptions options,
                         std::shared_ptr<const Index> index)
    : directory_(std::move(directory)),
      options_(std::move(options)),
      index_(std::move(index)),
      outer_stop_(options_.stop,
                  [this] {
                    stop_.request_stop();
                    queue_.close();
                  }),
      batch_(std::make_unique<OwnedBatch>()) {
  options_.stop = stop_.get_token();
  options_.update = true;  // which ids may come again, find() has told
  options_.before_commit = [this](IndexWriter& writer, const BuildReport&) {
    for (const Docid docid : removed_) writer.remove(docid);
  };
  build_ = std::thread([this] {
    try {
      report_ = build_index(queue_, directory_, options_);
    } catch (...) {
      error_ = std::current_exception();
    }
    queue_.close();
  });
}

Transaction::~Transaction() {
  stop_.request_stop();
  queue_.close();
  if (build_.joinable()) build_.join();
}

std::optional<Docid> Transaction::find(std::string_view id) const {
  if (const auto added = ids_.find(IdSet::hash_of(id)); added && is_there(*added)) return added;
  const std::optional<Docid> docid = index_->find_document(id);
  return docid && is_there(*docid) ? docid : std::nullopt;
}

void Transaction::check_room() const {
  if (index_->statistics().documents + added_ < kMaxIndexDocuments) return;
  throw UsageError("an index can have at most " + std::to_string(kMaxIndexDocuments) +
                   " documents; build a second one");
}

void Transaction::add(const Document& document) {
  const std::uint64_t docid = index_->statistics().documents + added_;
  if (!document.id.empty()) {
    const IdSet::Hash hash = IdSet::hash_of(document.id);
    const auto number = static_cast<Docid>(docid);
    if (ids_.insert(hash, number)) ids_.assign(hash, number);
  }
  batch_->add_copy(document);
  ++added_;
  if (batch_->bytes() >= kBatchBytes) push_batch();
}

void Transaction::push_batch() {
  if (batch_->size() == 0) return;
  if (!queue_.push(std::exchange(batch_, std::make_unique<OwnedBatch>()))) join();
}

void Transaction::join() {
  if (build_.joinable()) build_.join();
  if (error_) std::rethrow_exception(error_);
  throw_if_stopped(stop_.get_token());
}

void Transaction::commit() {
  push_batch();
  queue_.end();
  build_.join();
  if (error_) std::rethrow_exception(error_);
}

}  // namespace gannet::index
