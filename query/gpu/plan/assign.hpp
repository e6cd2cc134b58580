// Packs plans for the exhaustive search: which lists, how the work is cut into items, which kernel.
// Host code; needs no GPU.
#pragma once

#include <boost/container/small_vector.hpp>

#include <cstdint>
#include <span>
#include <vector>

#include "index/index.hpp"
#include "query/gpu/plan/batch.hpp"
#include "query/gpu/plan/device_lists.hpp"
#include "query/gpu/plan/launch.hpp"
#include "query/gpu/plan/text_offsets.hpp"
#include "query/plan/plan.hpp"

namespace gannet::query::cuda {

/// Properties of the device that decide how work is cut up.
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

/// Items in the order in which they are handed out, and the launches that hand them out.
struct Schedule {
  std::vector<std::uint32_t> order;
  std::vector<Launch> launches;
};

/// Where the lists and the lengths of a segment are on the device.
struct SegmentPlaces {
  std::span<const DeviceList> lists;  ///< by term
  const TextOffsets* lengths;
};

/// A plan and the numbers of its terms in the segment.
struct SegmentPlan {
  const Plan* plan;
  std::span<const index::TermId> ids;
};

/// A batch in host memory.
struct Assignment {
  std::vector<BatchQuery> queries;
  std::vector<SelectQuery> selections;  ///< one per query
  std::vector<BatchTerm> terms;
  std::vector<Node> nodes;
  std::vector<Item> items;
  Schedule schedule;
  /// Candidates that a warp keeps of an item.
  std::uint32_t capacity = 0;
  /// The largest k of any query.
  std::uint32_t stride = 0;
  /// Finalists of all queries together.
  std::uint64_t finalists = 0;
};

/// Whether the exhaustive kernels can run the plan. They cannot run a Boolean expression, other
/// than a plain AND or OR, of more than 32 terms, or a plan whose terms need more shared memory
/// than a warp can have; these are searched by windows (ranked/). Takes terms steps.
bool runs_on_device(const SegmentPlan& plan, const DeviceShape& shape);

/// Whether the plan cannot match any document of the segment, whatever its lists hold.
bool matches_nothing(const SegmentPlan& plan);

/// Of each term of a plan, its number among the lists that a segment has, kNone where it has none.
using ListNumbers = boost::container::small_vector<std::uint32_t, 32>;
/// The numbers where there is one list for each term of these numbers, in their order.
ListNumbers list_numbers(std::span<const index::TermId> ids);

/// Appends the plan's expression over the lists that the segment has.
void append_nodes(const Plan& plan, const ListNumbers& numbers, std::vector<Node>& nodes);

/// Hits that a plan can have in `documents` documents of which `most` can match: at most its k. 0
/// for plans that do not want hits.
std::uint32_t largest_k(const Plan& plan, std::uint64_t documents, std::uint64_t most);

/// Cuts plans into items. runs_on_device() must be true of each, and matches_nothing() false. All
/// must ask for the top k, with k > 0. `places` says where the segment's lists and
/// lengths are on the device. Thread-safe. Takes as many steps as there are terms, items and launch
/// classes times 4,096. `docid_base`: the first docid of the segment in the index. Throws
/// FormatError if a list is damaged.
Assignment assign(const index::Segment& segment, const SegmentPlaces& places,
                  const DeviceShape& shape, std::span<const SegmentPlan> plans,
                  index::Docid docid_base = 0);

}  // namespace gannet::query::cuda
