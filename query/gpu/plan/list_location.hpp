// Where kernels read a list. Host code; needs no GPU.
#pragma once

#include <cstdint>

#include "query/gpu/plan/batch.hpp"
#include "query/gpu/plan/device_lists.hpp"

namespace gannet::query::cuda {

/// Where kernels read a list of the segment that `index` is the view of. Constant time.
inline ListLocation list_location(const IndexView& index, const DeviceList& list) {
  // By numbers, since offsets may lead out of the array (IndexView::words).
  const auto at = [](const std::uint32_t* base, std::uint64_t offset) {
    return reinterpret_cast<const std::uint32_t*>(reinterpret_cast<std::uintptr_t>(base) +
                                                  offset * sizeof(std::uint32_t));
  };
  const std::uint64_t freq_words = list.first_word + list.docid_words;
  return {at(index.words, list.first_word), at(index.words, freq_words),
          at(index.skips, list.first_tile), list.count, freq_words >= index.device_words ? 1u : 0u};
}

}  // namespace gannet::query::cuda
