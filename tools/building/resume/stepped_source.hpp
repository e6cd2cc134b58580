// Documents of a source in several steps.
#pragma once

#include <cstdint>
#include <memory>
#include <utility>

#include "index/builder.hpp"

namespace gannet::tools {

/// Ends after so many bytes of input, and goes on where it ended with the next step. A source cuts
/// its files the same way each time, so that the number of batches says what was read.
class SteppedSource : public index::DocumentSource {
 public:
  /// `step`: bytes as the source counts them, >= 1.
  SteppedSource(std::unique_ptr<index::DocumentSource> source, std::uint64_t step)
      : source_(std::move(source)), step_(step) {}

  /// Passes over batches without parsing them; false if there are fewer.
  bool skip(std::uint64_t batches) {
    while (batches_ < batches && source_->read() != nullptr) ++batches_;
    return batches_ == batches;
  }
  void begin_step() { end_ = source_->bytes_read() + step_; }
  std::uint64_t batches() const { return batches_; }
  /// The source has no more.
  bool ended() const { return ended_; }

  std::unique_ptr<index::RawBatch> read() override {
    if (ended_ || source_->bytes_read() >= end_) return nullptr;
    auto batch = source_->read();
    ended_ = batch == nullptr;
    if (!ended_) ++batches_;
    return batch;
  }
  std::unique_ptr<index::ParsedBatch> parse(std::unique_ptr<index::RawBatch> raw) const override {
    return source_->parse(std::move(raw));
  }
  std::uint64_t bytes_read() const override { return source_->bytes_read(); }
  std::uint64_t bytes_total() const override { return source_->bytes_total(); }

 private:
  std::unique_ptr<index::DocumentSource> source_;
  std::uint64_t step_;
  std::uint64_t end_ = 0;
  std::uint64_t batches_ = 0;
  bool ended_ = false;
};

}  // namespace gannet::tools
