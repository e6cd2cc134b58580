#include <cuda_runtime.h>

#include <algorithm>
#include <string>

#include "bench/papers/wah/bitmap/device/bitmap_fused.hpp"
#include "bench/papers/wah/bitmap/device/kernels/bitmap_atoms.cuh"
#include "bench/papers/wah/bitmap/device/kernels/bitmap_fused.cuh"
#include "bench/papers/wah/bitmap/device/kernels/bitmap_impl.cuh"
#include "bench/papers/wah/bitmap/device/kernels/bitmap_rows.cuh"
#include "codecs/base/error.hpp"

namespace gannet::wah::cuda {
namespace {

/// Queries that one launch takes: they are the grid's y.
constexpr std::uint32_t kMaxQueries = 65535;

/// Tickets fit above a result's count, and none is 0.
constexpr unsigned long long kMaxTickets = (1u << 24) - 2;

/// A device array that only ever grows.
template <class T>
T* at_least(DeviceArray<T>& array, std::uint64_t size) {
  if (array.size() < size) array = DeviceArray<T>(size);
  return array.data();
}

}  // namespace

template <class Word>
struct FusedQuery<Word>::Impl {
  using Bitmap = typename DeviceBitmap<Word>::Impl;

  explicit Impl(const Bitmap& bitmap_) : bitmap(bitmap_) {
    reserve(1);
    processors =
        static_cast<std::uint32_t>(codecs::cuda::device_attribute(cudaDevAttrMultiProcessorCount));
    shared_limit = static_cast<std::size_t>(
        codecs::cuda::device_attribute(cudaDevAttrMaxSharedMemoryPerBlockOptin) - 1024);
    check(cudaFuncSetAttribute(fused_kernel<Word>, cudaFuncAttributeMaxDynamicSharedMemorySize,
                               static_cast<int>(shared_limit)),
          "cudaFuncSetAttribute");
  }

  /// Makes room for the counts of `queries` queries.
  void reserve(std::size_t queries) {
    if (counters.size() >= queries) return;
    counters = DeviceArray<unsigned long long>(queries);
    host = PinnedArray<unsigned long long>(queries);
    check(cudaMemset(counters.data(), 0, counters.bytes()), "cudaMemset");
    codecs::cuda::finish_copies();
    std::fill_n(host.data(), queries, 0ull);
  }

  void append(const BitmapQuery& query, std::vector<std::uint32_t>& entries) const {
    for (const auto& clause : query.clauses) {
      for (const std::uint32_t v : clause) {
        if (v >= bitmap.vectors()) {
          throw UsageError("the index has no vector " + std::to_string(v));
        }
        entries.push_back(v);
      }
      if (clause.empty()) entries.push_back(kNoVector);
      entries.back() |= kLastOfClause;
    }
  }

  /// A launch for the entries that were appended; `batch` needs its largest sizes only.
  void launch(FusedBatch& batch, std::uint32_t queries, Word* out) {
    const std::size_t bytes = FusedShared<Word>::bytes(batch.vectors, batch.clauses);
    if (bytes > shared_limit) {
      throw UsageError("a query of " + std::to_string(batch.vectors) + " vectors in " +
                       std::to_string(batch.clauses) + " clauses is too large for one kernel");
    }
    const FusedIndex<Word> index{bitmap.atoms.data(), bitmap.device_first.data(),
                                 bitmap.ranks.data(), rank_entries(bitmap.groups),
                                 bitmap.groups,       codecs::wah_tail_mask<Word>(bitmap.rows)};
    if (ticket == kMaxTickets) {
      std::fill_n(host.data(), host.size(), 0ull);  // no old ticket may be taken for a new one
      ticket = 0;
    }
    ++ticket;
    const FusedOutput<Word> output{out, counters.data(), host.data(), ticket};
    const std::uint32_t warps =
        std::clamp(codecs::ceil_div(batch.vectors, kTogether), 1u, kBlock / codecs::kLanes);
    const std::uint32_t threads = warps * codecs::kLanes;
    const dim3 blocks = grid(threads, bytes, queries, index.entries / kTileEntries);
    launch_kernel({"fused_kernel", blocks, threads, bytes, stream}, fused_kernel<Word>, index,
                  batch, output);
  }

  /// As many blocks as run at a time, shared by the queries.
  dim3 grid(std::uint32_t threads, std::size_t bytes, std::uint32_t queries, std::uint64_t tiles) {
    if (threads != known_threads || bytes != known_bytes) {
      check(cudaOccupancyMaxActiveBlocksPerMultiprocessor(&resident, fused_kernel<Word>,
                                                          static_cast<int>(threads), bytes),
            "cudaOccupancyMaxActiveBlocksPerMultiprocessor");
      known_threads = threads;
      known_bytes = bytes;
    }
    const std::uint32_t all = processors * static_cast<std::uint32_t>(std::max(resident, 1));
    const std::uint32_t each = std::max(all / queries, queries > 1 ? 4u : 1u);
    return {static_cast<std::uint32_t>(std::min<std::uint64_t>(each, tiles)), queries};
  }

  std::uint64_t run_one(const BitmapQuery& query, Word* out) {
    scratch.clear();
    append(query, scratch);
    FusedBatch batch{};
    batch.size = static_cast<std::uint32_t>(scratch.size());
    batch.vectors = batch.size;
    batch.clauses = std::max(1u, static_cast<std::uint32_t>(query.clauses.size()));
    if (batch.size <= kInlineEntries) {
      std::copy(scratch.begin(), scratch.end(), batch.one);
    } else {
      const std::uint32_t first[] = {0, batch.size};
      send(batch, first);
    }
    launch(batch, 1, out);
    return wait_for(0);
  }

  /// Copies the appended entries to the device; waits, since the host's arrays will change.
  void send(FusedBatch& batch, std::span<const std::uint32_t> first) {
    std::uint32_t* to = at_least(entries, scratch.size() + first.size());
    batch.first = to;
    batch.entries = to + first.size();
    copy(to, first);
    copy(to + first.size(), scratch);
    stream.wait();
  }

  void copy(std::uint32_t* to, std::span<const std::uint32_t> from) {
    if (from.empty()) return;
    check(cudaMemcpyAsync(to, from.data(), from.size_bytes(), cudaMemcpyHostToDevice, stream),
          "cudaMemcpyAsync of queries");
  }

  std::vector<std::uint64_t> run(std::span<const BitmapQuery> queries) {
    if (queries.empty()) return {};
    if (queries.size() > kMaxQueries) {
      throw UsageError("a batch has at most " + std::to_string(kMaxQueries) + " queries");
    }
    scratch.clear();
    std::vector<std::uint32_t> first{0};
    FusedBatch batch{};
    batch.clauses = 1;
    for (const BitmapQuery& query : queries) {
      append(query, scratch);
      first.push_back(static_cast<std::uint32_t>(scratch.size()));
      batch.vectors = std::max(batch.vectors, first.back() - first[first.size() - 2]);
      batch.clauses = std::max(batch.clauses, static_cast<std::uint32_t>(query.clauses.size()));
    }
    reserve(queries.size());
    send(batch, first);
    launch(batch, static_cast<std::uint32_t>(queries.size()), nullptr);
    std::vector<std::uint64_t> counts(queries.size());
    for (std::size_t q = 0; q < counts.size(); ++q) counts[q] = wait_for(q);
    return counts;
  }

  /// A query's count, as soon as the launch's ticket stands beside it. Asks the stream now and
  /// then, so that a kernel that failed is noticed.
  std::uint64_t wait_for(std::size_t query) {
    constexpr std::uint32_t kLooks = 4096;
    const volatile unsigned long long& seen = host.data()[query];
    while (true) {
      for (std::uint32_t i = 0; i < kLooks; ++i) {
        const unsigned long long result = seen;
        if (result >> kCountBits == ticket) return result & ((1ull << kCountBits) - 1);
      }
      const cudaError_t status = cudaStreamQuery(stream);
      if (status == cudaErrorNotReady) continue;
      check(status, "fused_kernel");
      if (seen >> kCountBits != ticket) throw CudaError("fused_kernel ended without a result");
    }
  }

  std::vector<std::uint32_t> rows() {
    const std::uint32_t blocks = blocks_for(bitmap.groups);
    std::uint32_t* starts = at_least(row_starts, blocks);
    const std::size_t bytes = scan_bytes<std::uint32_t>(blocks);
    std::byte* memory = at_least(temporary, bytes);
    launch_kernel({"rows_count_kernel", blocks, kBlock, 0, stream}, rows_count_kernel<Word>,
                  selected.data(), bitmap.groups, starts);
    scan<std::uint32_t>(memory, bytes, starts, starts, blocks, stream);
    std::vector<std::uint32_t> result(selected_count);
    std::uint32_t* rows = at_least(row_ids, selected_count);
    if (selected_count == 0) return result;
    launch_kernel({"rows_write_kernel", blocks, kBlock, 0, stream}, rows_write_kernel<Word>,
                  selected.data(), bitmap.groups, starts, rows);
    check(cudaMemcpyAsync(result.data(), rows, result.size() * sizeof(std::uint32_t),
                          cudaMemcpyDeviceToHost, stream),
          "cudaMemcpyAsync of row ids");
    stream.wait();
    return result;
  }

  void need_selection() const {
    if (!has_selection) throw UsageError("no query has been selected yet");
  }

  const Bitmap& bitmap;
  codecs::cuda::OwnedStream stream;
  std::uint32_t processors = 1;
  std::size_t shared_limit = 0;
  std::uint32_t known_threads = 0;  ///< of the last launch, with what `resident` belongs to
  std::size_t known_bytes = 0;
  int resident = 0;
  unsigned long long ticket = 0;
  PinnedArray<unsigned long long> host;
  DeviceArray<unsigned long long> counters;
  DeviceArray<std::uint32_t> entries;
  std::vector<std::uint32_t> scratch;
  DeviceArray<Word> selected;
  bool has_selection = false;  ///< the last select() ended without an error
  std::uint64_t selected_count = 0;
  DeviceArray<std::uint32_t> row_starts;
  DeviceArray<std::uint32_t> row_ids;
  DeviceArray<std::byte> temporary;
};

template <class Word>
FusedQuery<Word>::FusedQuery(const DeviceBitmap<Word>& bitmap)
    : impl_(std::make_unique<Impl>(bitmap.impl())) {}
template <class Word>
FusedQuery<Word>::~FusedQuery() = default;
template <class Word>
FusedQuery<Word>::FusedQuery(FusedQuery&&) noexcept = default;
template <class Word>
FusedQuery<Word>& FusedQuery<Word>::operator=(FusedQuery&&) noexcept = default;

template <class Word>
std::uint64_t FusedQuery<Word>::count(const BitmapQuery& query) {
  return impl_->run_one(query, nullptr);
}

template <class Word>
std::vector<std::uint64_t> FusedQuery<Word>::counts(std::span<const BitmapQuery> queries) {
  return impl_->run(queries);
}

template <class Word>
std::uint64_t FusedQuery<Word>::select(const BitmapQuery& query) {
  impl_->has_selection = false;
  Word* out = at_least(impl_->selected, impl_->bitmap.groups);
  impl_->selected_count = impl_->run_one(query, out);
  impl_->has_selection = true;
  return impl_->selected_count;
}

template <class Word>
std::vector<Word> FusedQuery<Word>::groups() const {
  impl_->need_selection();
  std::vector<Word> groups(impl_->selected.size());
  check(cudaMemcpyAsync(groups.data(), impl_->selected.data(), impl_->selected.bytes(),
                        cudaMemcpyDeviceToHost, impl_->stream),
        "cudaMemcpyAsync of a result");
  impl_->stream.wait();
  return groups;
}

template <class Word>
std::vector<std::uint32_t> FusedQuery<Word>::rows() {
  impl_->need_selection();
  return impl_->rows();
}

template class FusedQuery<std::uint32_t>;
template class FusedQuery<std::uint64_t>;

}  // namespace gannet::wah::cuda
