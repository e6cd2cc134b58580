#include "query/device/device_index.hpp"

#include <string>

namespace gannet::query::cuda {
namespace {

using codecs::cuda::check;
using codecs::cuda::upload;

/// Decoders staging 16 bytes at a time may read up to three words behind a list.
constexpr std::size_t kPadding = 4;

std::string megabytes(std::uint64_t bytes) { return std::to_string(bytes >> 20) + " MB"; }

void check_fits(const index::Segment& segment, std::uint64_t reserve) {
  const std::uint64_t needed = segment.words().size_bytes() + segment.skips().size_bytes() +
                               segment.max_freqs().size_bytes() +
                               segment.min_lengths().size_bytes() +
                               segment.document_lengths().size_bytes() + reserve;
  std::size_t free = 0;
  std::size_t total = 0;
  check(cudaMemGetInfo(&free, &total), "cudaMemGetInfo");
  if (needed > free) {
    throw DeviceMemoryError("the index needs " + megabytes(needed) + " of GPU memory, " +
                            megabytes(free) + " of " + megabytes(total) +
                            " are free; use the cpu back end or a larger GPU");
  }
}

}  // namespace

DeviceIndex::DeviceIndex(const index::Segment& segment, std::uint64_t reserve) {
  check_fits(segment, reserve);
  words_ = upload(segment.words(), kPadding);
  skips_ = upload(segment.skips(), kPadding);
  max_freqs_ = upload(segment.max_freqs(), kPadding);
  min_lengths_ = upload(segment.min_lengths(), kPadding);
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
