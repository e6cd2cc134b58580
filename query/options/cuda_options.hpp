// How the CUDA back end is set.
#pragma once

#include <array>
#include <cstdint>
#include <string>
#include <string_view>
#include <vector>

namespace gannet::query {

/// How several devices share the work.
enum class Spread {
  kAuto,    ///< copies if the index fits on each device, else shards if it has enough segments
  kCopies,  ///< each device has the whole index, and searches a part of each batch
  kShards,  ///< each device has some segments, and searches them for all of each batch
};

/// Their names, by value.
inline constexpr std::array<std::string_view, 3> kSpreadNames{"auto", "copies", "shards"};

/// The CUDA back end of a searcher.
struct CudaOptions {
  int device = 0;
  /// Several devices; `device` means nothing then. The other options are of each of them, but for
  /// host_threads, which they share. Results are those of one device, to the bit.
  std::vector<int> devices = {};
  Spread spread = Spread::kAuto;
  /// Device memory that this process may take for searching, all back ends of the device together,
  /// in bytes; of several the least holds as long as its back end lives. 0: what is free. What
  /// follows are shares of it. What cannot be had, be it that another process has it, is never an
  /// error of a search: caches and idle buffers are given back, the cheapest first, batches are cut
  /// into smaller ones, and what finds no room then runs on the host (Report::memory, host_plans).
  std::uint64_t device_bytes = 0;
  /// Device memory for the copy of the index: lists, what rules out work in them, and lengths of
  /// documents; 0: what is free. Of an index that is larger, the lists that are used the most are
  /// in device memory, and the others are read from page-locked memory of the host, as large as all
  /// lists. A copy that another back end of the process has made already is used as it is.
  std::uint64_t index_bytes = 0;
  /// Device memory for batches in flight, all callers together; 0: chosen from what is free. They
  /// take less while there is less.
  std::uint64_t pool_bytes = 0;
  /// Calls that run on the device at the same time, 1 to 64; others wait for one to end.
  unsigned concurrent_calls = 2;
  /// Host threads that unpack results and run what is too complex for the GPU, no more than one a
  /// core; 0: one a core.
  unsigned host_threads = 0;
  /// Device memory for bounds of lists, in bits per posting of the index, for each of the last four
  /// scorers and their parameters; 0: none, every search is exhaustive. Lists that find no room
  /// have none, and are searched more slowly. They are made when they are first needed.
  double bounds_bits = 2.5;
  /// Device memory for bitmaps of filters that are kept for later searches, in bytes: 9 bits for 8
  /// documents for each filter. Those that searches need just now come on top, a quarter of what is
  /// free at most: batches of more different filters are cut into parts.
  std::uint64_t filter_bytes = std::uint64_t{256} << 20;
  /// Searches with a filter after which bounds are made of what it lets pass, which takes as long
  /// as decoding the lists: for the last four filters that pass three quarters of the documents or
  /// fewer, as much memory each as bounds_bits says. 0: never. Results are the same.
  std::uint64_t filter_searches = 4096;
  /// Device memory for columns of fields that filters, facets and sorting read, in bytes; 0: an
  /// eighth of what is free when the back end is made. A column is copied when it is first needed;
  /// the host reads those that find no room.
  std::uint64_t column_bytes = 0;
  /// The host counts and sorts by columns where an index has fewer documents than this.
  std::uint64_t column_documents = std::uint64_t{1} << 18;
};

/// Whether a searcher could use a GPU here; if not, `why` says what is missing.
bool cuda_available(std::string* why = nullptr);

}  // namespace gannet::query
