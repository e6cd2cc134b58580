// Options of the CUDA back end.
#pragma once

#include <array>
#include <cstdint>
#include <string>
#include <string_view>
#include <vector>

namespace gannet::query {

/// How several devices share the work.
enum class Spread {
  /// kCopies if the index fits on each device or has fewer segments than there are devices; else
  /// kShards.
  kAuto,
  kCopies,  ///< each device has a copy of the index and searches a part of the plans of a batch
  kShards,  ///< each device has some of the segments and searches them for all plans of a batch
};

/// The names of the Spread values, in their order.
inline constexpr std::array<std::string_view, 3> kSpreadNames{"auto", "copies", "shards"};

/// Options of the CUDA back end of a searcher. Sizes are in bytes of device memory, if the comment
/// does not say otherwise. Making the back end throws UsageError for a device that does not exist,
/// for `concurrent_calls`, `bounds_bits` or `bitmap_bits` out of range, and for kShards with fewer
/// segments than devices.
struct CudaOptions {
  /// The number of the device, from 0, in the order of CUDA.
  int device = 0;
  /// Numbers of several devices; if there are any, `device` is ignored. All other options apply to
  /// each device, except host_threads, which the devices share. Results have the same bits as those
  /// of one device.
  std::vector<int> devices = {};
  Spread spread = Spread::kAuto;
  /// Limit of the device memory that all back ends of this process on the device take together. If
  /// back ends have different limits, the smallest one applies as long as its back end lives. 0: no
  /// limit but the free memory. The sizes below are parts of it.
  ///
  /// A search never fails for want of device memory, even if another process has taken it: caches
  /// and idle buffers are freed, those first that cost least to make again; then batches are cut
  /// into smaller ones; plans that still find no room run on the host (Report::memory,
  /// Report::host_plans).
  std::uint64_t device_bytes = 0;
  /// Limit of the copy of the index: lists, their skips and bounds of tiles, and the lengths of
  /// documents. 0: the free memory less pool_bytes; if the index does not fit, three quarters of
  /// that. If the index is larger, only the most used lists are in device
  /// memory; kernels read the others from a copy of all lists in page-locked host memory. Making
  /// the back end throws DeviceMemoryError if skips, bounds of tiles and lengths do not fit. A copy
  /// that another back end of the process has made is shared, whatever its size.
  std::uint64_t index_bytes = 0;
  /// Limit of the memory for batches in flight, all calls together. 0: a quarter of the free
  /// memory, at most 16 GB. Making the back end throws DeviceMemoryError if a size other than 0 is
  /// not free; later, batches take less while there is less.
  std::uint64_t pool_bytes = 0;
  /// The largest number of calls that run on the device at the same time, 1 to 64. Further calls
  /// wait until one ends.
  unsigned concurrent_calls = 2;
  /// Number of host threads, at most one per core; 0: one per core. They prepare batches, lay out
  /// results, and run the plans that the GPU leaves to the CPU (Report::host_plans).
  unsigned host_threads = 0;
  /// Limit of the memory for bounds of lists, in bits per posting of the index, 0 to 1,024. The
  /// limit applies to each of the last four combinations of scorer, parameters and collection
  /// statistics. Lists without room get no bounds and are searched more slowly. Bounds are made
  /// when a search first needs them. 0: there are no bounds, and every search is exhaustive. The
  /// limit also applies to the bounds that plans on the host use, in host memory.
  double bounds_bits = 2.5;
  /// Memory for bitmaps of lists, in bits per posting of the index, 0 to 1,024: it decides from
  /// which length on lists have one. Counts and docids make the bitmaps of lists that they meet and
  /// keep them; other searches neither make nor read them. Lists without one are decoded, which
  /// exhaustive searches always do. 0: there are no bitmaps. Results do not depend on this option.
  double bitmap_bits = 2.5;
  /// Memory for bitmaps of filters that are kept for later searches; a bitmap takes about 65 bits
  /// per 64 documents. A batch with more different filters that need bitmaps is searched in parts,
  /// whose bitmaps take no more, nor more than half of the free memory. The CPU back end
  /// that runs the remaining plans keeps bitmaps of its own in host memory, up to the default of
  /// CpuOptions.
  std::uint64_t filter_bytes = std::uint64_t{1} << 30;
  /// A filter that few searches have is evaluated for the documents that they look at, and gets no
  /// bitmap, if at least this share of the documents is estimated to pass it (of those in column
  /// blocks that its codes leave open). 0: whatever the share; above 1: never. Results do not
  /// depend on this option. Searches by bounds only.
  double candidate_filters = 1.0 / 64;
  /// Number of searches with one filter after which the filter gets list bounds of its own, over
  /// the documents that pass it. Making them takes as long as decoding the lists. For each scorer,
  /// the last four filters keep such bounds, each with the limit `bounds_bits`. Only filters that
  /// 1/4,096 to 3/4 of the documents pass get them. 0: no filter does. Results do not depend on
  /// this option.
  std::uint64_t filter_searches = 4096;
  /// Limit of the memory for columns of fields, which filters, facets and sorting read. 0: an
  /// eighth of the free memory when the back end is made. A column is copied when a call first
  /// needs it; the host does the work on columns without room.
  std::uint64_t column_bytes = 0;
  /// The smallest number of documents in an index for which the device counts facets and sorts; the
  /// host does it in smaller indexes.
  std::uint64_t column_documents = std::uint64_t{1} << 18;
};

/// Returns true if this build has CUDA code and there is a usable GPU. If not, and if `why` is not
/// null, `*why` says what is missing. Thread-safe.
bool cuda_available(std::string* why = nullptr);

}  // namespace gannet::query
