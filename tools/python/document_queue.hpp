// Hands batches of documents from the thread that iterates in Python to those of the builder.
#pragma once

#include <atomic>
#include <chrono>
#include <condition_variable>
#include <cstdint>
#include <deque>
#include <functional>
#include <memory>
#include <mutex>
#include <stop_token>
#include <string>
#include <utility>

#include "codecs/base/cancellation.hpp"
#include "tools/python/build_options.hpp"
#include "tools/python/document_batch.hpp"

namespace gannet::python {

/// The builder's source of documents; nothing in it touches Python. push() and close() are for one
/// thread, the rest for those of the builder.
class DocumentQueue : public index::DocumentSource {
 public:
  DocumentQueue(index::Schema schema, corpora::Malformed malformed, std::stop_token stop)
      : schema_(std::move(schema)), malformed_(malformed), stop_(std::move(stop)) {}

  /// Takes the batch, unless there is no room for it within `patience`.
  bool push(std::unique_ptr<QueuedBatch>& batch, std::chrono::milliseconds patience) {
    std::unique_lock lock(mutex_);
    if (!changed_.wait_for(lock, patience, [this] { return batches_.size() < kWaiting; })) {
      return false;
    }
    batches_.push_back(std::move(batch));
    changed_.notify_all();
    return true;
  }
  /// Nothing follows.
  void close() {
    const std::lock_guard lock(mutex_);
    closed_ = true;
    changed_.notify_all();
  }

  std::unique_ptr<index::RawBatch> read() override {
    std::unique_lock lock(mutex_);
    changed_.wait(lock, stop_, [this] { return closed_ || !batches_.empty(); });
    throw_if_stopped(stop_);
    if (batches_.empty()) return nullptr;
    auto batch = std::move(batches_.front());
    batches_.pop_front();
    documents_ += batch->records();
    changed_.notify_all();
    return batch;
  }
  std::unique_ptr<index::ParsedBatch> parse(std::unique_ptr<index::RawBatch> raw) const override {
    std::unique_ptr<QueuedBatch> batch(static_cast<QueuedBatch*>(raw.release()));
    const QueuedBatch& whole = *batch;
    return whole.parsed(std::move(batch), schema_, malformed_);
  }
  /// Documents, of which nobody knows how many there are.
  std::uint64_t bytes_read() const override { return documents_; }
  std::uint64_t bytes_total() const override { return 0; }

 private:
  /// Batches that wait, at most: enough for the builder to find one when it wants it.
  static constexpr std::size_t kWaiting = 4;

  index::Schema schema_;
  corpora::Malformed malformed_;
  std::stop_token stop_;
  std::mutex mutex_;
  std::condition_variable_any changed_;
  std::deque<std::unique_ptr<QueuedBatch>> batches_;
  bool closed_ = false;
  std::atomic<std::uint64_t> documents_{0};
};

/// Gives the next batch, with the interpreter lock; null at the end.
using NextBatch = std::function<std::unique_ptr<QueuedBatch>()>;

/// Builds an index of batches, which the calling thread makes while the builder's threads empty the
/// queue, and says what was built. `progress`: a Python callable, or None.
nb::dict build_of_batches(const BuildRequest& request, const std::string& path,
                          const nb::object& progress, const NextBatch& next);

}  // namespace gannet::python
