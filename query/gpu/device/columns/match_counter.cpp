#include "query/gpu/device/columns/match_counter.hpp"

#include <algorithm>
#include <cmath>
#include <span>

#include "query/gpu/device/memory/arena.hpp"

namespace gannet::query::cuda {
namespace {

using codecs::cuda::check;

/// Up to this many matches are all candidates: choosing among them costs less than a sample.
constexpr std::uint64_t kFewMatches = 4096;

/// The stride of the sample from which a threshold is taken: every stride-th group of codes is in
/// it. About k * stride documents reach the threshold; they should be as many as the sample.
std::uint32_t stride_of(std::uint32_t documents, std::uint32_t k) {
  const double wanted = std::sqrt(static_cast<double>(documents) * k);
  const double groups = std::max(1.0, wanted / kGroupCodes);
  const double all = std::max(1.0, static_cast<double>(documents) / kGroupCodes);
  return static_cast<std::uint32_t>(std::max(1.0, all / groups));
}

}  // namespace

void MatchCounter::wait() { check(cudaStreamSynchronize(stream_), "cudaStreamSynchronize"); }

void MatchCounter::abandon() noexcept {
  cudaStreamSynchronize(stream_);
  cudaGetLastError();  // clears an error that was thrown already
}

std::uint64_t MatchCounter::count(const std::uint64_t* matches, std::uint32_t documents,
                                  std::uint16_t* ranges) {
  auto* const total = reinterpret_cast<unsigned long long*>(at_least(counters_, 4));
  check(cudaMemsetAsync(total, 0, sizeof *total, stream_), "cudaMemsetAsync");
  launch_count_bits(matches, documents, ranges, total, stream_);
  std::uint64_t* const here = at_least(host_words_, 1);
  cuda::fetch(here, reinterpret_cast<const std::uint64_t*>(total), 1, stream_);
  wait();
  return *here;
}

std::vector<NumberCount> MatchCounter::count_codes(const DeviceField& field,
                                                   const std::uint64_t* matches) {
  const auto limit = static_cast<std::uint32_t>(field.column().code_limit());
  if (limit == 0) return {};
  std::uint32_t* const counts = at_least(counts_, limit);
  check(cudaMemsetAsync(counts, 0, limit * sizeof *counts, stream_), "cudaMemsetAsync");
  launch_count_codes(field.view(), matches, limit, counts, stream_);
  std::uint32_t* const here = at_least(host_counts_, limit);
  cuda::fetch(here, counts, limit, stream_);
  wait();
  std::vector<NumberCount> found;
  found.reserve(limit);
  for (std::uint32_t code = 0; code < limit; ++code) {
    if (here[code] != 0) found.push_back({code, here[code]});
  }
  return found;
}

/// Queues the search of a sample for the threshold that the k first documents reach.
CodeOrder MatchCounter::order_by_sample(const DeviceField& field, const FirstWanted& wanted,
                                        const std::uint64_t* matches) {
  const std::uint32_t documents = field.view().documents;
  const std::uint32_t stride = stride_of(documents, wanted.k);
  const std::uint32_t groups = codecs::ceil_div(codecs::ceil_div(documents, kGroupCodes), stride);
  const std::uint32_t room = groups * kGroupCodes;
  CodeOrder order{wanted.descending, wanted.k, nullptr, nullptr};
  const KeyList list{at_least(sample_, room), counters_.data(), room};
  launch_first_codes(field.view(), matches, stride, order, list, stream_);
  queries_.data()[0] = {0, room, wanted.k};
  SelectView view{};
  view.queries = queries_.data();
  view.query_count = 1;
  view.finalists = list.keys;
  view.finalist_counts = list.count;
  view.selected = at_least(best_, wanted.k);
  view.stride = wanted.k;
  view.counts = counters_.data() + 2;
  launch_selection(view, stream_);
  order.sample = view.selected;
  order.sample_count = view.counts;
  return order;
}

std::optional<std::vector<FirstDocument>> MatchCounter::first(const DeviceField& field,
                                                              const FirstWanted& wanted,
                                                              const std::uint64_t* matches,
                                                              std::uint64_t count) {
  if (count == 0) return std::vector<FirstDocument>{};
  at_least(counters_, 4);
  if (queries_.size() == 0) queries_ = codecs::cuda::PinnedArray<SelectQuery>(2);
  check(cudaMemsetAsync(counters_.data(), 0, 4 * sizeof(std::uint32_t), stream_),
        "cudaMemsetAsync");
  CodeOrder order{wanted.descending, wanted.k, nullptr, nullptr};
  if (count > kFewMatches) order = order_by_sample(field, wanted, matches);
  const auto room =
      static_cast<std::uint32_t>(std::min<std::uint64_t>(count, tuning::kMaxFinalists));
  const KeyList list{at_least(keys_, room), counters_.data() + 1, room};
  launch_first_codes(field.view(), matches, 1, order, list, stream_);
  queries_.data()[1] = {0, room, wanted.k};
  selection_.start({queries_.data() + 1, 1, wanted.k, list.keys, list.count, {}}, stream_);
  wait();
  if (selection_.lost(0)) return std::nullopt;
  std::vector<FirstDocument> found;
  for (const std::uint64_t key : selection_.keys(0)) {
    found.push_back({document_of_key(key), code_of_key(key, wanted.descending)});
  }
  return found;
}

DocumentBitmap MatchCounter::fetch(const std::uint64_t* matches, std::uint32_t documents) {
  DocumentBitmap bitmap(documents);
  std::uint64_t* const here = at_least(host_words_, bitmap.words.size());
  cuda::fetch(here, matches, bitmap.words.size(), stream_);
  wait();
  std::copy_n(here, bitmap.words.size(), bitmap.words.begin());
  return bitmap;
}

}  // namespace gannet::query::cuda
