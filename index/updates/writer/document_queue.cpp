#include "index/updates/writer/document_queue.hpp"

#include <utility>

namespace gannet::index {
namespace {

struct QueuedBatch : RawBatch {
  std::unique_ptr<OwnedBatch> documents;
};

}  // namespace

std::string_view OwnedBatch::copy(std::string_view text) {
  bytes_ += text.size() + sizeof(std::string);
  return texts_.emplace_back(text);
}

void OwnedBatch::add_copy(const Document& document) {
  add(copy(document.id));
  for (const TextField& field : document.fields) add_field(copy(field.name), copy(field.text));
  for (const WeightedTerm& term : document.terms) add_term(copy(term.term), term.weight);
  for (const FieldText& value : document.values) add_value(value.field, copy(value.text));
}

bool DocumentQueue::push(std::unique_ptr<OwnedBatch> batch) {
  std::unique_lock lock(mutex_);
  changed_.wait(lock, [this] { return closed_ || batches_.size() < kMaxBatches; });
  if (closed_) return false;
  batches_.push_back(std::move(batch));
  changed_.notify_all();
  return true;
}

void DocumentQueue::end() {
  const std::lock_guard lock(mutex_);
  ended_ = true;
  changed_.notify_all();
}

void DocumentQueue::close() {
  const std::lock_guard lock(mutex_);
  closed_ = true;
  changed_.notify_all();
}

std::unique_ptr<RawBatch> DocumentQueue::read() {
  std::unique_lock lock(mutex_);
  changed_.wait(lock, [this] { return closed_ || ended_ || !batches_.empty(); });
  if (closed_ || batches_.empty()) return nullptr;
  auto batch = std::make_unique<QueuedBatch>();
  batch->documents = std::move(batches_.front());
  batches_.pop_front();
  bytes_read_ += batch->documents->bytes();
  changed_.notify_all();
  return batch;
}

std::unique_ptr<ParsedBatch> DocumentQueue::parse(std::unique_ptr<RawBatch> raw) const {
  return std::move(static_cast<QueuedBatch&>(*raw).documents);
}

std::uint64_t DocumentQueue::bytes_read() const {
  const std::lock_guard lock(mutex_);
  return bytes_read_;
}

}  // namespace gannet::index
