// What every list of an inverted collection must hold, whatever the file that it comes from.
#pragma once

#include <cstdint>
#include <vector>

#include "bench/fuzz/disagreement.hpp"
#include "codecs/base/error.hpp"
#include "index/inverted_source.hpp"

namespace gannet::fuzz {

inline void check_list(const index::InvertedSource& source, std::uint64_t i) {
  std::vector<std::uint32_t> docids;
  std::vector<std::uint32_t> freqs;
  try {
    source.list(i, docids, freqs);
  } catch (const FormatError&) {
    return;
  }
  need(docids.size() == freqs.size(), "a list has not as many frequencies as docids");
  for (std::size_t p = 0; p < docids.size(); ++p) {
    need(docids[p] < source.documents(), "a docid is too large");
    need(p == 0 || docids[p] > docids[p - 1], "docids do not ascend");
    need(freqs[p] >= 1, "a frequency is 0");
  }
}

}  // namespace gannet::fuzz
