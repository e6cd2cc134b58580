#include "query/multi_gpu/device_group.hpp"

#include <algorithm>
#include <limits>
#include <numeric>
#include <string>
#include <utility>

#include "codecs/base/error.hpp"
#include "query/multi_gpu/copies_backend.hpp"
#include "query/multi_gpu/shards_backend.hpp"
#include "query/multi_gpu/side_by_side.hpp"

namespace gannet::query {
namespace {

CudaOptions options_of(const CudaOptions& options, std::size_t device) {
  CudaOptions one = options;
  one.device = options.devices[device];
  one.devices.clear();
  // At least one each; 0 means all cores, which they share anyway.
  const auto devices = static_cast<unsigned>(options.devices.size());
  if (one.host_threads != 0) one.host_threads = std::max(1u, one.host_threads / devices);
  return one;
}

/// Whether there are enough documents for columns on devices is decided for the whole index.
CudaOptions options_of_shard(const index::Index& index, const CudaOptions& options,
                             std::size_t device) {
  CudaOptions one = options_of(options, device);
  const bool few = index.statistics().documents < options.column_documents;
  one.column_documents = few ? std::numeric_limits<std::uint64_t>::max() : 0;
  return one;
}

Spread chosen(const index::Index& index, const CudaOptions& options) {
  if (options.spread != Spread::kAuto) return options.spread;
  const bool fits = std::ranges::all_of(
      options.devices, [&](int device) { return fits_on_device(index, device, options); });
  return fits || index.segments().size() < options.devices.size() ? Spread::kCopies
                                                                  : Spread::kShards;
}

/// Calls f(i) for each device, all at the same time: opening one is mostly copying to it.
template <class F>
void for_devices(std::size_t devices, const F& f) {
  side_by_side(devices, {}, [&](std::size_t i, const SearchOptions&) { f(i); });
}

std::unique_ptr<Backend> make_copies(const std::shared_ptr<const index::Index>& index,
                                     const CudaOptions& options, const MakeDeviceBackend& make) {
  std::vector<std::unique_ptr<Backend>> copies(options.devices.size());
  for_devices(copies.size(),
              [&](std::size_t i) { copies[i] = make(index, options_of(options, i)); });
  return std::make_unique<CopiesBackend>(std::move(copies));
}

std::unique_ptr<Backend> make_shards(const std::shared_ptr<const index::Index>& index,
                                     const CudaOptions& options, const MakeDeviceBackend& make) {
  const std::size_t devices = options.devices.size();
  if (index->segments().size() < devices) {
    throw UsageError("an index of " + std::to_string(index->segments().size()) +
                     " segments cannot be spread over " + std::to_string(devices) +
                     " GPUs as shards; cut it with 'gannet shard', or give each GPU a copy");
  }
  std::vector<std::uint64_t> postings;
  for (const auto& segment : index->segments()) {
    postings.push_back(segment->statistics().postings);
  }
  const std::vector<std::size_t> ends = even_stretches(postings, devices);
  std::vector<Shard> shards(devices);
  for_devices(devices, [&](std::size_t i) {
    const std::size_t first = i == 0 ? 0 : ends[i - 1];
    auto part = std::make_shared<const index::Index>(index->part(first, ends[i]));
    shards[i] = {make(part, options_of_shard(*index, options, i)), index->docid_base(first)};
  });
  return std::make_unique<ShardsBackend>(std::move(shards));
}

}  // namespace

std::vector<std::size_t> even_stretches(std::span<const std::uint64_t> weights, std::size_t parts) {
  const std::uint64_t all = std::accumulate(weights.begin(), weights.end(), std::uint64_t{0});
  std::vector<std::size_t> ends;
  std::size_t at = 0;
  std::uint64_t sum = 0;
  for (std::size_t part = 1; part <= parts; ++part) {
    // One at least, and one for each of the parts that follow.
    const std::size_t left = weights.size() - std::min(weights.size(), parts - part);
    const std::uint64_t goal = all / parts * part;
    bool first = true;
    while (at < left && (first || part == parts || sum + weights[at] / 2 < goal)) {
      sum += weights[at++];
      first = false;
    }
    ends.push_back(at);
  }
  return ends;
}

std::unique_ptr<Backend> make_device_group(const std::shared_ptr<const index::Index>& index,
                                           const CudaOptions& options,
                                           const MakeDeviceBackend& make) {
  if (options.devices.empty()) throw UsageError("no GPU is named that work is to be spread over");
  return chosen(*index, options) == Spread::kShards ? make_shards(index, options, make)
                                                    : make_copies(index, options, make);
}

}  // namespace gannet::query
