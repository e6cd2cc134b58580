// gpu-rfor's two streams: their blocks, how they are written and checked. See gpu_rfor.hpp.
#pragma once

#include <algorithm>
#include <span>
#include <string>
#include <vector>

#include "codecs/core/codec.hpp"

namespace gannet::codecs::rfor {

inline constexpr std::string_view kName = "gpu-rfor";
inline constexpr std::uint32_t kBlock = 512;
inline constexpr std::uint32_t kHeaderWords = 4;
inline constexpr std::uint32_t kMinis = 4;
inline constexpr std::uint32_t kBlockHeader = 3;
inline constexpr std::uint32_t kMostLengthBits = 9;  ///< lengths are 1 .. 512, less their least

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

/// Checks the stream at the beginning of `words`, except for what its numbers are; returns its
/// length.
inline std::uint64_t validate_stream(std::span<const std::uint32_t> words, std::uint32_t count,
                                     const std::string& what, std::uint32_t most_bits) {
  const std::uint32_t blocks = ceil_div(count, kBlock);
  if (words.size() < std::size_t{kHeaderWords} + blocks + 1) {
    fail_list(kName, "the stream of " + what + " is cut off");
  }
  if (words[0] != kBlock || words[1] != kMinis) {
    fail_list(kName, "the header of the " + what + " is not gpu-rfor's");
  }
  if (words[2] != count) {
    fail_list(kName, "the header of the " + what + " says " + std::to_string(words[2]) +
                         " values, not " + std::to_string(count));
  }
  std::uint64_t expected = std::uint64_t{kHeaderWords} + blocks + 1;
  for (std::uint32_t j = 0; j < blocks; ++j) {
    if (words[kHeaderWords + j] != expected) {
      fail_block(kName, j, "its " + what + " do not start where those before them end");
    }
    if (expected + kBlockHeader > words.size()) {
      fail_block(kName, j, "its " + what + " are cut off");
    }
    const std::uint32_t width = words[expected + 1] & 0xff;
    if (words[expected + 1] != width * 0x01010101u || width > most_bits) {
      fail_block(kName, j, "its " + what + " cannot have this width");
    }
    const std::uint32_t runs = words[expected + 2];
    if (runs == 0 || runs > std::min(kBlock, count - j * kBlock)) {
      fail_block(kName, j, "it cannot have " + std::to_string(runs) + " runs");
    }
    expected += kBlockHeader + ceil_div(runs * width, 32);
  }
  if (words[kHeaderWords + blocks] != expected || words.size() < expected) {
    fail_list(kName, "the stream of " + what + " is cut off, or does not end where it says");
  }
  return expected;
}

inline void validate_lengths(const std::uint32_t* start, std::uint32_t size, std::uint32_t j) {
  const std::uint32_t reference = start[0];
  const std::uint32_t width = start[1] & 0xff;
  if (reference == 0 || reference > kBlock) fail_block(kName, j, "it has impossible run lengths");
  std::uint64_t total = 0;
  for (std::uint32_t run = 0; run < start[2]; ++run) {
    total += reference + extract(start + kBlockHeader, run * width, width);
  }
  if (total != size) {
    fail_block(kName, j,
               "its runs have " + std::to_string(total) + " values, not " + std::to_string(size));
  }
}

}  // namespace gannet::codecs::rfor
