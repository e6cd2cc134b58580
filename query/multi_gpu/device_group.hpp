// Several devices of a host as one back end.
#pragma once

#include <functional>
#include <memory>
#include <span>
#include <vector>

#include "index/index.hpp"
#include "query/backend/backend.hpp"

namespace gannet::query {

/// Makes the back end of one device (options.device) for an index.
using MakeDeviceBackend = std::function<std::unique_ptr<Backend>(
    std::shared_ptr<const index::Index> index, const CudaOptions& options)>;

/// A back end that spreads batches over `options.devices`, each of which `make` makes one for, on
/// several threads at the same time, and runs at the same time. Its results, and what columns say,
/// are those of one device.
///
/// Copies: each device searches stripes of a batch's plans; calls with fewer than 16 plans a device
/// take turns. Shards: each device has a stretch of the index's segments with about as many
/// postings; what they find is joined by the host, and where they find many hits they tell one
/// another of them meanwhile.
///
/// Throws UsageError for no device, a device that does not exist, or shards of an index of fewer
/// segments than devices; what `make` throws.
std::unique_ptr<Backend> make_device_group(const std::shared_ptr<const index::Index>& index,
                                           const CudaOptions& options,
                                           const MakeDeviceBackend& make = make_cuda_backend);

/// Cuts weights into `parts` stretches of about the same sum: the ends of the stretches, the last
/// of which is the number of weights. Stretches are empty only if there are fewer weights.
std::vector<std::size_t> even_stretches(std::span<const std::uint64_t> weights, std::size_t parts);

}  // namespace gannet::query
