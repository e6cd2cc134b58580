#include "index/inversion/memory_run.hpp"

#include "codecs/base/cancellation.hpp"
#include "index/inversion/posting_code.hpp"
#include "index/lexicon/term_order.hpp"

namespace gannet::index {

MemoryRun::MemoryRun(const TermDictionary& dictionary, std::vector<InvertedBatch> batches,
                     const std::stop_token& stop)
    : dictionary_(dictionary), batches_(std::move(batches)) {
  sort_fragments(stop);
  sort_terms(stop);
}

std::uint64_t MemoryRun::memory(std::uint64_t terms, std::uint64_t fragments) {
  return terms * (sizeof(TermSortKey) + sizeof(Extent) + sizeof(TermNumber)) +
         fragments * sizeof(FragmentPosition);
}

void MemoryRun::sort_fragments(const std::stop_token& stop) {
  extents_.assign(std::size_t{dictionary_.bound()} + 1, {0, 0});
  for (const InvertedBatch& batch : batches_) {
    throw_if_stopped(stop);
    for (std::size_t i = 0; i < batch.terms.size(); ++i) {
      Extent& extent = extents_[batch.terms[i]];
      ++extent.start;
      extent.bytes += batch.fragment(i).size();
    }
  }
  std::uint64_t end = 0;
  for (Extent& extent : extents_) extent.start = end += extent.start;
  fragments_.resize(end);
  for (std::size_t b = batches_.size(); b-- > 0;) {  // backwards: ends become starts
    throw_if_stopped(stop);
    const InvertedBatch& batch = batches_[b];
    for (std::size_t i = 0; i < batch.terms.size(); ++i) {
      fragments_[--extents_[batch.terms[i]].start] = {static_cast<std::uint32_t>(b),
                                                      static_cast<std::uint32_t>(i)};
    }
  }
}

void MemoryRun::sort_terms(const std::stop_token& stop) {
  std::vector<TermSortKey> keys;
  keys.reserve(dictionary_.size());
  for (TermNumber term = 0; term + 1 < extents_.size(); ++term) {
    if (extents_[term].bytes > 0) keys.emplace_back(dictionary_.term(term), term);
  }
  sort_by_term(
      keys, [this](TermNumber term) { return dictionary_.term(term); }, stop);
  order_.reserve(keys.size());
  for (const TermSortKey& key : keys) order_.push_back(key.number);
}

template <class F>
void MemoryRun::for_each_fragment(TermNumber term, F&& f) const {
  for (std::uint64_t i = extents_[term].start; i < extents_[term + 1].start; ++i) {
    const InvertedBatch& batch = batches_[fragments_[i].batch];
    f(batch.fragment(fragments_[i].index), batch.base);
  }
}

bool MemoryRun::next(PendingList& list) {
  if (next_ == order_.size()) return false;
  list.number = order_[next_++];
  const auto term = static_cast<TermNumber>(list.number);
  list.term = dictionary_.term(term);
  list.max_values = extents_[term].bytes;  // a posting, and a position, has at least a byte
  return true;
}

void MemoryRun::postings(const PendingList& list, ListPostings& postings) const {
  const bool with_positions = !batches_.empty() && batches_.front().has_positions;
  const auto each = [&](const auto& f) {
    for_each_fragment(static_cast<TermNumber>(list.number), f);
  };
  decode_fragments_of(each, list.max_values, with_positions, postings);
}

void MemoryRun::fragments(const PendingList& list, std::vector<std::uint8_t>& coded) const {
  for_each_fragment(static_cast<TermNumber>(list.number),
                    [&](std::span<const std::uint8_t> bytes, Docid base) {
                      append_fragment(bytes, base, coded);
                    });
}

}  // namespace gannet::index
