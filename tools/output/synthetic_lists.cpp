#include "tools/output/synthetic_lists.hpp"

#include <algorithm>
#include <bit>

#include "codecs/base/cancellation.hpp"
#include "codecs/base/error.hpp"
#include "corpora/synthetic/random.hpp"

namespace gannet::tools {

SyntheticLists::SyntheticLists(const ListShape& shape, const std::stop_token& stop)
    : shape_(shape) {
  if (shape.documents == 0 || shape.documents > 0xffffffffu) {
    throw UsageError("--documents must be between 1 and 4294967295");
  }
  if (shape.lists == 0) throw UsageError("--lists must be at least 1");
  lengths_.resize(shape.documents);
  std::vector<std::uint32_t> docids;
  std::vector<std::uint32_t> freqs;
  for (std::uint64_t i = 0; i < shape.lists; ++i) {
    throw_if_stopped(stop);
    list(i, docids, freqs);
    for (std::size_t j = 0; j < docids.size(); ++j) lengths_[docids[j]] += freqs[j];
  }
}

std::uint64_t SyntheticLists::postings(std::uint64_t i) const {
  const double share = 0.5 * 2.7 / (static_cast<double>(i) + 2.7);
  return std::max<std::uint64_t>(
      1, static_cast<std::uint64_t>(share * static_cast<double>(shape_.documents)));
}

void SyntheticLists::list(std::uint64_t i, std::vector<std::uint32_t>& docids,
                          std::vector<std::uint32_t>& freqs) const {
  const std::uint64_t seed = corpora::mix64(shape_.seed ^ corpora::mix64(i));
  docids = corpora::synthetic_list(shape_.model, postings(i), shape_.documents, seed);
  freqs.clear();
  corpora::Random random(seed);
  for (std::size_t j = 0; j < docids.size(); ++j) {
    // Leading zeros of random bits: 0 with probability 1/2, 1 with 1/4, ...
    freqs.push_back(1 + static_cast<std::uint32_t>(std::countl_zero(random.next() | 1)));
  }
}

}  // namespace gannet::tools
