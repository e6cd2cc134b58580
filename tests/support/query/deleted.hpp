// Indexes some of whose documents are deleted.
#pragma once

#include <cstdint>
#include <memory>
#include <random>
#include <vector>

#include "index/index.hpp"
#include "index/segment/live_documents.hpp"

namespace gannet::test {

/// The index without the documents that are `gone`, by docid. A segment that loses none has no
/// bitmap.
inline std::shared_ptr<const index::Index> with_deleted(const index::Index& index,
                                                        const std::vector<bool>& gone) {
  std::vector<std::shared_ptr<const index::LiveDocuments>> live;
  for (std::size_t s = 0; s < index.segments().size(); ++s) {
    const std::uint64_t documents = index.segments()[s]->statistics().documents;
    std::vector<std::uint64_t> words = index::all_live(documents);
    bool any = false;
    for (std::uint32_t d = 0; d < documents; ++d) {
      if (!gone[index.docid_base(s) + d]) continue;
      words[d / 64] &= ~(std::uint64_t{1} << d % 64);
      any = true;
    }
    live.push_back(any ? std::make_shared<const index::LiveDocuments>(std::move(words), documents)
                       : nullptr);
  }
  return std::make_shared<const index::Index>(index.segments(), index.analyzer(), index.defaults(),
                                              index.schema(), std::move(live));
}

/// Documents to delete: about `share` of them, and all of [from, to).
inline std::vector<bool> random_deletions(std::uint64_t documents, double share, unsigned seed,
                                          std::uint64_t from = 0, std::uint64_t to = 0) {
  std::mt19937 random(seed);
  std::vector<bool> gone(documents);
  for (std::uint64_t d = 0; d < documents; ++d) {
    gone[d] = static_cast<double>(random()) < share * 4294967296.0 || (from <= d && d < to);
  }
  return gone;
}

}  // namespace gannet::test
