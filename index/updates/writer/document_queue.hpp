// Documents on their way from who adds them to a build that runs beside.
#pragma once

#include <condition_variable>
#include <cstdint>
#include <deque>
#include <memory>
#include <mutex>
#include <string>
#include <string_view>

#include "index/builder.hpp"

namespace gannet::index {

/// A batch of documents that holds their bytes.
class OwnedBatch : public ParsedBatch {
 public:
  /// Copies a document.
  void add_copy(const Document& document);
  /// Of text, about.
  std::uint64_t bytes() const { return bytes_; }

 private:
  std::string_view copy(std::string_view text);

  std::deque<std::string> texts_;
  std::uint64_t bytes_ = 0;
};

/// A source that a build reads while documents are pushed. The reader waits for documents, who
/// pushes for room.
class DocumentQueue final : public DocumentSource {
 public:
  /// False if nobody reads any more.
  bool push(std::unique_ptr<OwnedBatch> batch);
  /// There are no more.
  void end();
  /// Nobody reads any more, and nobody waits.
  void close();

  std::unique_ptr<RawBatch> read() override;
  std::unique_ptr<ParsedBatch> parse(std::unique_ptr<RawBatch> raw) const override;
  std::uint64_t bytes_read() const override;
  std::uint64_t bytes_total() const override { return 0; }

 private:
  static constexpr std::size_t kMaxBatches = 8;

  mutable std::mutex mutex_;
  std::condition_variable changed_;
  std::deque<std::unique_ptr<OwnedBatch>> batches_;
  bool ended_ = false;
  bool closed_ = false;
  std::uint64_t bytes_read_ = 0;
};

}  // namespace gannet::index
