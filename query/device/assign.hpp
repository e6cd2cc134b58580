// From plans to the batch that the kernels run: which lists, how the work is cut into items, which
// kernel. Host code; needs no GPU.
#pragma once

#include <cstdint>
#include <span>
#include <vector>

#include "index/index.hpp"
#include "query/device/batch.hpp"
#include "query/device/device_lists.hpp"
#include "query/device/launch.hpp"
#include "query/query.hpp"

namespace gannet::query::cuda {

/// What the device can do, as far as cutting up work is concerned.
struct DeviceShape {
  std::uint32_t parallel_items;   ///< warps that run at a time
  std::uint32_t max_warp_memory;  ///< bytes of shared memory that a warp can have
};

/// One scoring launch: items order[begin .. end).
struct Launch {
  KernelClass kernel;
  std::uint32_t begin;
  std::uint32_t end;
  std::uint32_t window;
  std::uint32_t max_terms;
  std::uint32_t slots;
};

/// A batch in host memory.
struct Assignment {
  std::vector<Query> queries;
  std::vector<Term> terms;
  std::vector<ExpressionNode> nodes;
  std::vector<Item> items;
  std::vector<std::uint32_t> order;
  std::vector<Launch> launches;
  std::uint32_t capacity = 0;   ///< candidates of an item
  std::uint32_t stride = 0;     ///< the largest k
  std::uint64_t finalists = 0;  ///< of all queries
};

/// Whether the kernels can run the plan; what they cannot (a Boolean expression, other than a plain
/// AND or OR, of more than 32 terms, or nested deeper than 64; a plan of very many terms) goes to
/// the CPU back end.
bool runs_on_device(const Plan& plan, const DeviceShape& shape);

/// Whether the plan cannot match any document, whatever the index holds.
bool matches_nothing(const Plan& plan);

/// Assigns plans, for each of which runs_on_device() holds and matches_nothing() does not, to
/// items. All must want top k (with k > 0), or none. `lists` says where the segment's lists are on
/// the device. Throws FormatError if a list is damaged.
Assignment assign(const index::Segment& segment, std::span<const DeviceList> lists,
                  const DeviceShape& shape, std::span<const Plan* const> plans);

}  // namespace gannet::query::cuda
