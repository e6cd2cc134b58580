#include "query/device/device_index.hpp"

#include <algorithm>
#include <string>
#include <utility>

#include "index/lists/bound_code.hpp"

namespace gannet::query::cuda {
namespace {

using codecs::cuda::check;
using codecs::cuda::upload;

/// Decoders staging 16 bytes at a time may read up to three words behind a list; those that take
/// four values at once up to seven.
constexpr std::size_t kPadding = 8;

std::string megabytes(std::uint64_t bytes) { return std::to_string(bytes >> 20) + " MB"; }

void check_fits(const index::Segment& segment, const DeviceLists& lists, std::uint64_t reserve) {
  const std::uint64_t words = segment.words().size() + lists.words.size();
  const std::uint64_t tiles = segment.skips().size() + lists.skips.size();
  const std::uint64_t needed =
      4 * (words + 3 * tiles) + segment.document_lengths().size_bytes() + reserve;
  std::size_t free = 0;
  std::size_t total = 0;
  check(cudaMemGetInfo(&free, &total), "cudaMemGetInfo");
  if (needed > free) {
    throw DeviceMemoryError("the index needs " + megabytes(needed) + " of GPU memory, " +
                            megabytes(free) + " of " + megabytes(total) +
                            " are free; use the cpu back end or a larger GPU");
  }
}

/// A device copy of `first` and then `second`, padded. Synchronous.
codecs::cuda::DeviceArray<std::uint32_t> upload_both(std::span<const std::uint32_t> first,
                                                     std::span<const std::uint32_t> second) {
  codecs::cuda::DeviceArray<std::uint32_t> array(first.size() + second.size() + kPadding);
  const auto copy = [&](std::size_t at, std::span<const std::uint32_t> values) {
    check(cudaMemcpy(array.data() + at, values.data(), values.size_bytes(), cudaMemcpyHostToDevice),
          "cudaMemcpy to the device");
  };
  copy(0, first);
  copy(first.size(), second);
  check(cudaMemset(array.data() + first.size() + second.size(), 0, kPadding * 4), "cudaMemset");
  codecs::cuda::finish_copies();
  return array;
}

/// The numbers that bounds stand for, then `more`.
std::vector<std::uint32_t> bounds(std::span<const std::uint16_t> codes,
                                  std::span<const std::uint32_t> more) {
  std::vector<std::uint32_t> numbers(codes.size());
  std::ranges::transform(codes, numbers.begin(), index::number_of_bound);
  numbers.insert(numbers.end(), more.begin(), more.end());
  return numbers;
}

}  // namespace

DeviceIndex::DeviceIndex(const index::Segment& segment, std::uint64_t reserve) {
  DeviceLists lists(segment);
  check_fits(segment, lists, reserve);
  const auto max_freqs = bounds(segment.max_freqs(), lists.max_freqs);
  const auto min_lengths = bounds(segment.min_lengths(), lists.min_lengths);
  words_ = upload_both(segment.words(), lists.words);
  skips_ = upload_both(segment.skips(), lists.skips);
  max_freqs_ = upload(std::span<const std::uint32_t>(max_freqs), kPadding);
  min_lengths_ = upload(std::span<const std::uint32_t>(min_lengths), kPadding);
  lists_ = std::move(lists.table);
  lengths_ = upload(segment.document_lengths(), kPadding);
  view_ = {words_.data(),
           skips_.data(),
           max_freqs_.data(),
           min_lengths_.data(),
           lengths_.data(),
           static_cast<std::uint32_t>(segment.statistics().documents),
           segment.docid_codec().id,
           segment.freq_codec().id};
}

std::uint64_t DeviceIndex::bytes() const {
  return words_.bytes() + skips_.bytes() + max_freqs_.bytes() + min_lengths_.bytes() +
         lengths_.bytes();
}

}  // namespace gannet::query::cuda
