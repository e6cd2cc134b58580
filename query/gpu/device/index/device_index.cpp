#include "query/gpu/device/index/device_index.hpp"

#include <algorithm>
#include <string>
#include <utility>

#include "index/lists/bound_code.hpp"

namespace gannet::query::cuda {
namespace {

using codecs::cuda::check;

/// Decoders staging 16 bytes at a time may read up to three words behind a list; those that take
/// four values at once up to seven.
constexpr std::size_t kPadding = 8;

std::string megabytes(std::uint64_t bytes) { return std::to_string(bytes >> 20) + " MB"; }

/// Bytes that a segment takes besides the words of its lists.
std::uint64_t fixed_bytes(const index::Segment& segment, const DeviceLists& lists,
                          const TextOffsets& texts) {
  const std::uint64_t tiles = segment.skips().size() + lists.skips.size();
  return 4 * 3 * (tiles + kPadding) + 4 * texts.values() + 4 * kPadding;
}

/// If a device cannot hold everything: the bytes of `room` that bounds of lists and columns get.
constexpr std::uint64_t kShareOfRoom = 4;

/// Copies `first` and then `second`, and zeroes behind them. Synchronous.
void fill_both(std::uint32_t* to, std::span<const std::uint32_t> first,
               std::span<const std::uint32_t> second) {
  const auto copy = [&](std::size_t at, std::span<const std::uint32_t> values) {
    check(cudaMemcpy(to + at, values.data(), values.size_bytes(), cudaMemcpyHostToDevice),
          "cudaMemcpy to the device");
  };
  copy(0, first);
  copy(first.size(), second);
  check(cudaMemset(to + first.size() + second.size(), 0, kPadding * 4), "cudaMemset");
  codecs::cuda::finish_copies();
}

/// A device copy of `first` and then `second`, padded. Synchronous.
BudgetArray<std::uint32_t> upload_both(std::span<const std::uint32_t> first,
                                       std::span<const std::uint32_t> second) {
  BudgetArray<std::uint32_t> array(first.size() + second.size() + kPadding, MemoryUse::kLists);
  fill_both(array.data(), first, second);
  return array;
}

/// The lengths of all texts, padded. Synchronous.
BudgetArray<std::uint32_t> upload_lengths(const index::Segment& segment, const TextOffsets& texts) {
  BudgetArray<std::uint32_t> array(texts.values() + kPadding, MemoryUse::kLists);
  check(cudaMemset(array.data() + texts.values(), 0, kPadding * 4), "cudaMemset");
  const auto copy = [&](std::uint32_t text) {
    const auto lengths = segment.text_lengths(text);
    check(cudaMemcpy(array.data() + texts.of(text), lengths.data(), lengths.size_bytes(),
                     cudaMemcpyHostToDevice),
          "cudaMemcpy to the device");
  };
  copy(index::kMainText);
  for (const std::uint32_t text : texts.fields()) copy(text);
  codecs::cuda::finish_copies();
  return array;
}

/// Memory for `words` words of lists; if there is less than it seemed, for a half of them, a
/// quarter, and so on.
BudgetArray<std::uint32_t> room_for_words(std::uint64_t words) {
  for (;; words /= 2) {
    try {
      return BudgetArray<std::uint32_t>(words + kPadding, MemoryUse::kLists);
    } catch (const DeviceMemoryError&) {
      if (words == 0) throw;
    }
  }
}

/// The numbers that bounds stand for, then `more`.
std::vector<std::uint32_t> bounds(std::span<const std::uint16_t> codes,
                                  std::span<const std::uint32_t> more) {
  std::vector<std::uint32_t> numbers(codes.size());
  std::ranges::transform(codes, numbers.begin(), index::number_of_bound);
  numbers.insert(numbers.end(), more.begin(), more.end());
  return numbers;
}

/// Words of lists that fit: all, or fewer.
std::uint64_t words_that_fit(std::uint64_t fixed, std::uint64_t all_words, const DeviceRoom& room) {
  const std::uint64_t free = current_budget().available();
  const std::uint64_t rest = free - std::min(free, room.reserve);
  if (fixed + 4 * all_words <= std::min(room.bytes, rest)) return all_words;
  const std::uint64_t bytes = std::min(room.bytes, rest - rest / kShareOfRoom);
  if (fixed + 4 * kPadding <= bytes) return (bytes - fixed) / 4 - kPadding;
  throw DeviceMemoryError("the index needs " + megabytes(fixed) +
                          " of GPU memory besides its lists, and there are " + megabytes(bytes) +
                          " for it; use the cpu back end, more memory or a larger GPU");
}

}  // namespace

DeviceIndex::DeviceIndex(const index::Segment& segment, const DeviceRoom& room) : texts_(segment) {
  DeviceLists lists(segment);
  lists_ = std::move(lists.table);
  const std::uint64_t all_words = segment.words().size() + lists.words.size() + kPadding;
  const std::uint64_t fixed = fixed_bytes(segment, lists, texts_);
  const std::uint64_t words = words_that_fit(fixed, all_words, room);
  const auto max_freqs = bounds(segment.max_freqs(), lists.max_freqs);
  const auto min_lengths = bounds(segment.min_lengths(), lists.min_lengths);
  skips_ = upload_both(segment.skips(), lists.skips);
  max_freqs_ = upload(std::span<const std::uint32_t>(max_freqs), MemoryUse::kLists, kPadding);
  min_lengths_ = upload(std::span<const std::uint32_t>(min_lengths), MemoryUse::kLists, kPadding);
  lengths_ = upload_lengths(segment, texts_);
  view_ = {nullptr,
           skips_.data(),
           max_freqs_.data(),
           min_lengths_.data(),
           lengths_.data(),
           static_cast<std::uint32_t>(segment.statistics().documents),
           segment.docid_codec().id,
           segment.freq_codec().id};
  BudgetArray<std::uint32_t> room_here = room_for_words(words);
  if (room_here.size() >= all_words) {
    words_ = std::move(room_here);
    fill_both(words_.data(), segment.words(), lists.words);
    view_.words = words_.data();
    return;
  }
  split_ = std::make_unique<SplitWords>(segment.words(), lists.words, std::move(room_here), lists_);
  view_.words = split_->data();
  view_.device_words = split_->device_words();
  view_.host_bytes_read = split_->host_bytes_read();
}

std::uint64_t DeviceIndex::bytes() const {
  return words_.bytes() + skips_.bytes() + max_freqs_.bytes() + min_lengths_.bytes() +
         lengths_.bytes() + (split_ ? split_->device_bytes() : 0);
}

}  // namespace gannet::query::cuda
