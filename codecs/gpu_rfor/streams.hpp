// gpu-rfor's two streams: their blocks, how they are written and checked. See gpu_rfor.hpp.
#pragma once

#include <algorithm>
#include <span>
#include <string>
#include <vector>

#include "codecs/core/codec.hpp"
#include "codecs/core/faults.hpp"

namespace gannet::codecs::rfor {

inline constexpr std::string_view kName = "gpu-rfor";
inline constexpr std::uint32_t kBlock = 512;
inline constexpr std::uint32_t kHeaderWords = 4;
inline constexpr std::uint32_t kMinis = 4;
inline constexpr std::uint32_t kBlockHeader = 3;
inline constexpr std::uint32_t kMaxLengthBits = 9;  ///< lengths are 1 .. 512, less their least

/// A block, and a place in it.
struct Cursor {
  std::uint32_t values;   ///< word at which the block's values start (its header)
  std::uint32_t lengths;  ///< word at which its run lengths start
  std::uint32_t runs;     ///< these from `runs` on are unknown at the start of a block
  std::uint32_t value_reference;
  std::uint32_t value_width;
  std::uint32_t length_reference;
  std::uint32_t length_width;
  std::uint32_t run;   ///< the block's run in which the next tile starts
  std::uint32_t done;  ///< values of that run in tiles before
};

inline void split_runs(std::span<const std::uint32_t> values,
                       std::vector<std::uint32_t>& run_values,
                       std::vector<std::uint32_t>& run_lengths) {
  run_values.clear();
  run_lengths.clear();
  for (std::size_t i = 0; i < values.size(); ++i) {
    if (i == 0 || values[i] != values[i - 1]) {
      run_values.push_back(values[i]);
      run_lengths.push_back(0);
    }
    ++run_lengths.back();
  }
}

/// Appends one stream, block by block.
class StreamWriter {
 public:
  StreamWriter(std::vector<std::uint32_t>& words, std::uint32_t count, std::uint32_t first)
      : words_(words), base_(words.size()) {
    words.resize(base_ + kHeaderWords + ceil_div(count, kBlock) + 1);
    words[base_] = kBlock;
    words[base_ + 1] = kMinis;
    words[base_ + 2] = count;
    words[base_ + 3] = first;
  }

  void add(const std::vector<std::uint32_t>& numbers) {
    finish();
    auto reference = static_cast<std::int32_t>(numbers[0]);
    for (const std::uint32_t number : numbers) {
      reference = std::min(reference, static_cast<std::int32_t>(number));
    }
    std::vector<std::uint32_t> offsets(numbers);
    for (std::uint32_t& offset : offsets) offset -= static_cast<std::uint32_t>(reference);
    const std::uint32_t width = max_width(offsets);
    words_.push_back(static_cast<std::uint32_t>(reference));
    words_.push_back(width * 0x01010101u);
    words_.push_back(static_cast<std::uint32_t>(offsets.size()));
    pack(offsets, width, words_);
  }

  /// Notes where the next block, or the end, is.
  void finish() {
    words_[base_ + kHeaderWords + blocks_++] = static_cast<std::uint32_t>(words_.size() - base_);
  }

 private:
  std::vector<std::uint32_t>& words_;
  std::size_t base_;
  std::size_t blocks_ = 0;
};

/// Where the stream at the beginning of `words` ends, by its index.
GANNET_HD std::uint64_t stream_end(WordView words, std::uint32_t count) {
  return words[kHeaderWords + std::uint64_t{ceil_div(count, kBlock)}];
}

/// What is wrong with the header and the index of the stream at the beginning of `words`.
GANNET_HD Fault stream_frame_fault(WordView words, std::uint32_t count) {
  const std::uint32_t blocks = ceil_div(count, kBlock);
  const std::uint64_t first = std::uint64_t{kHeaderWords} + blocks + 1;
  if (!words.has(0, first)) return "a stream is cut off";
  if (words[0] != kBlock || words[1] != kMinis) return "the header is not gpu-rfor's";
  if (words[2] != count) return "a header says another number of values";
  const std::uint64_t end = stream_end(words, count);
  if (end > words.size || end < first || (blocks == 0 && end != first)) {
    return "a stream is cut off, or does not end where it says";
  }
  return nullptr;
}

/// Where the block that starts at word `start` ends; 0 if not even its header is there.
GANNET_HD std::uint64_t stream_block_end(WordView words, std::uint32_t start) {
  if (!words.has(start, kBlockHeader)) return 0;
  const std::uint64_t bits = std::uint64_t{words[start + 2]} * (words[start + 1] & 0xff);
  return std::uint64_t{start} + kBlockHeader + (bits + 31) / 32;
}

/// What is wrong with block j of the stream, except for what its numbers are.
GANNET_HD Fault stream_block_fault(WordView words, std::uint32_t count, std::uint32_t j,
                                   std::uint32_t most_bits) {
  const std::uint32_t blocks = ceil_div(count, kBlock);
  const std::uint64_t first = std::uint64_t{kHeaderWords} + blocks + 1;
  const std::uint32_t start = words[kHeaderWords + j];
  if (start != (j == 0 ? first : stream_block_end(words, words[kHeaderWords + j - 1]))) {
    return kWrongStart;
  }
  if (!words.has(start, kBlockHeader)) return kCutOff;
  const std::uint32_t widths = words[std::uint64_t{start} + 1];
  const std::uint32_t width = widths & 0xff;
  if (widths != width * 0x01010101u || width > most_bits) {
    return "its values or run lengths cannot have this width";
  }
  const std::uint32_t runs = words[std::uint64_t{start} + 2];
  const std::uint32_t left = count - j * kBlock;
  if (runs == 0 || runs > (left < kBlock ? left : kBlock)) return "it cannot have so many runs";
  const std::uint64_t end = stream_block_end(words, start);
  const std::uint64_t stream = stream_end(words, count);
  if (end > stream || (j + 1 == blocks && end != stream)) return kCutOff;
  return nullptr;
}

/// What is wrong with the run lengths of a block of `size` values, which start at `start`.
GANNET_HD Fault lengths_fault(const std::uint32_t* start, std::uint32_t size) {
  const std::uint32_t reference = start[0];
  const std::uint32_t width = start[1] & 0xff;
  if (reference == 0 || reference > kBlock) return "it has impossible run lengths";
  std::uint64_t total = 0;
  for (std::uint32_t run = 0; run < start[2]; ++run) {
    total += reference + extract(start + kBlockHeader, run * width, width);
  }
  return total == size ? nullptr : "its runs have not as many values as it has";
}

}  // namespace gannet::codecs::rfor
