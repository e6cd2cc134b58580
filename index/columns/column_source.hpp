// A column file, or a range of its segments, as a source for codecs::cuda::stream_column().
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

/// Reads a segment when stream_column() needs it, and checks it then (ColumnFile::read()). Has no
/// segments in page-locked memory. Immutable and thread-safe.
class ColumnFileSource : public codecs::cuda::SegmentSource {
 public:
  /// Segments [begin, end) of `file`, where begin <= end <= file.segments().size(). The file must
  /// outlive the object. read() throws what ColumnFile::read() throws, and CancelledError soon
  /// after `stop` is requested.
  ColumnFileSource(const ColumnFile& file, std::size_t begin, std::size_t end,
                   std::stop_token stop = {})
      : file_(file), begin_(begin), end_(end), stop_(std::move(stop)) {}
  /// All segments of `file`, which must outlive the object.
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
