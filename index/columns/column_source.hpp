// A column file, or a range of its segments, as a source for streaming to the device.
#pragma once

#include <algorithm>
#include <cstddef>
#include <cstdint>
#include <span>
#include <stop_token>
#include <utility>
#include <vector>

#include "codecs/device/stream_column.hpp"
#include "index/columns/column_file.hpp"

namespace gannet::index {

/// Reads segments as the stream asks for them, in bounded memory; each is checked when it is read.
class ColumnFileSource : public codecs::cuda::SegmentSource {
 public:
  /// Segments [begin, end) of `file`, which must outlive the object. read() throws CancelledError
  /// once `stop` asks for it.
  ColumnFileSource(const ColumnFile& file, std::size_t begin, std::size_t end,
                   std::stop_token stop = {})
      : file_(file), begin_(begin), end_(end), stop_(std::move(stop)) {}
  explicit ColumnFileSource(const ColumnFile& file)
      : ColumnFileSource(file, 0, file.segments().size()) {}

  codecs::ValueType type() const override { return file_.type(); }
  std::size_t size() const override { return end_ - begin_; }
  codecs::cuda::StreamSegment segment(std::size_t i) const override {
    const ColumnSegment& segment = file_.segments()[begin_ + i];
    return {codecs::CodecId{segment.codec}, false, segment.count, file_.stored_words(begin_ + i)};
  }
  const std::uint32_t* pinned(std::size_t) const override { return nullptr; }
  void read(std::size_t i, std::span<std::uint32_t> words) const override {
    file_.read(begin_ + i, words, stop_);
  }

 private:
  const ColumnFile& file_;
  std::size_t begin_;
  std::size_t end_;
  std::stop_token stop_;
};

}  // namespace gannet::index
