#include <cuda_runtime.h>

#include <algorithm>
#include <string>
#include <utility>

#include "bench/papers/wah/device/staged_metadata.cuh"
#include "bench/papers/wah/device/staged_reduce.cuh"
#include "bench/papers/wah/device/stages.cuh"
#include "bench/papers/wah/staged_query.hpp"
#include "codecs/base/error.hpp"

namespace gannet::wah::papers {
namespace {

using codecs::cuda::check_launch;
using cuda::blocks_for;
using cuda::check;
using cuda::PinnedArray;
using cuda::scan;
using cuda::scan_bytes;
using cuda::stage1_kernel;
using cuda::stage3_kernel;

/// An array of a query: allocated for it, or a part of the pool.
template <class Word>
class StageArray {
 public:
  StageArray() = default;
  /// One cudaMalloc, counted in `calls`, as is the cudaFree at the end.
  StageArray(std::uint64_t size, std::uint32_t& calls) : own_(size), calls_(&calls) { ++calls; }
  explicit StageArray(Word* pooled) : pooled_(pooled) {}
  StageArray(StageArray&& other) noexcept
      : own_(std::move(other.own_)),
        pooled_(std::exchange(other.pooled_, nullptr)),
        calls_(std::exchange(other.calls_, nullptr)) {}
  StageArray& operator=(StageArray&& other) noexcept {
    std::swap(own_, other.own_);
    std::swap(pooled_, other.pooled_);
    std::swap(calls_, other.calls_);
    return *this;
  }
  ~StageArray() { free(); }

  void free() {
    if (calls_ != nullptr) ++*std::exchange(calls_, nullptr);
    own_ = {};
    pooled_ = nullptr;
  }
  Word* data() { return pooled_ != nullptr ? pooled_ : own_.data(); }

 private:
  DeviceArray<Word> own_;
  Word* pooled_ = nullptr;
  std::uint32_t* calls_ = nullptr;
};

/// A query's tables, on the host and on the device.
template <class T>
class Table {
 public:
  explicit Table(std::size_t size) : host_(size), device_(size) {}
  void clear() { size_ = 0; }
  void add(const T& entry) { host_[size_++] = entry; }
  std::uint32_t size() const { return size_; }
  const T& operator[](std::uint32_t i) { return host_[i]; }
  const T* device() const { return device_.data(); }
  bool full() const { return size_ == host_.size(); }
  void send(cudaStream_t stream) {
    if (size_ == 0) return;
    check(cudaMemcpyAsync(device_.data(), host_.data(), size_ * sizeof(T), cudaMemcpyHostToDevice,
                          stream),
          "cudaMemcpyAsync of a query");
  }

 private:
  PinnedArray<T> host_;
  DeviceArray<T> device_;
  std::uint32_t size_ = 0;
};

/// Orders streams among themselves.
class OrderEvent {
 public:
  OrderEvent() {
    check(cudaEventCreateWithFlags(&event_, cudaEventDisableTiming), "cudaEventCreate");
  }
  ~OrderEvent() { cudaEventDestroy(event_); }
  OrderEvent(const OrderEvent&) = delete;
  OrderEvent& operator=(const OrderEvent&) = delete;
  /// What `after` does from now on waits for what `before` has been given so far.
  void order(cudaStream_t before, cudaStream_t after) {
    check(cudaEventRecord(event_, before), "cudaEventRecord");
    check(cudaStreamWaitEvent(after, event_, 0), "cudaStreamWaitEvent");
  }

 private:
  cudaEvent_t event_ = nullptr;
};

/// Streams on which vectors are decompressed one by one.
constexpr std::uint32_t kStreams = 8;

/// A stream with what a scan on it needs.
struct Lane {
  codecs::cuda::OwnedStream stream;
  OrderEvent begin;
  OrderEvent end;
  DeviceArray<std::byte> temporary;
};

}  // namespace

template <class Word>
struct StagedQuery<Word>::Impl {
  using Bitmap = typename cuda::DeviceBitmap<Word>::Impl;
  using Metadata = typename StagedMetadata<Word>::Impl;
  using Array = StageArray<Word>;

  Impl(const Bitmap& bitmap_, const Metadata& metadata_, std::uint32_t most, bool with_pool)
      : bitmap(bitmap_),
        metadata(metadata_),
        most_vectors(most),
        most_atoms(largest(bitmap_, most)),
        vectors(most),
        places(most),
        targets(most),
        clause_ends(kMaxClauses),
        result(bitmap_.groups),
        counter(1),
        count(1) {
    temporary = DeviceArray<std::byte>(
        std::max(scan_bytes<Word>(most_atoms), scan_bytes<Word>(bitmap.groups * most)));
    const std::size_t one = scan_bytes<Word>(bitmap.groups);  // no vector has more atoms
    for (Lane& lane : lanes) lane.temporary = DeviceArray<std::byte>(one);
    if (!with_pool) return;
    pool_atoms = DeviceArray<Word>(most_atoms);
    pool_groups = DeviceArray<Word>(bitmap.groups * most);
    pool_columns = DeviceArray<Word>(bitmap.groups * most);
  }

  static constexpr std::uint32_t kMaxClauses = 4096;

  /// Atoms of the `most` largest vectors: no query has more.
  static std::uint64_t largest(const Bitmap& bitmap, std::uint32_t most) {
    std::vector<std::uint64_t> sizes;
    for (std::uint32_t v = 0; v < bitmap.vectors(); ++v) sizes.push_back(bitmap.atoms_of(v));
    std::sort(sizes.rbegin(), sizes.rend());
    std::uint64_t sum = 0;
    for (std::uint32_t i = 0; i < most; ++i) sum += sizes.empty() ? 0 : sizes[i % sizes.size()];
    return sum;
  }

  void load(const BitmapQuery& query, bool together) {
    vectors.clear();
    places.clear();
    targets.clear();
    clause_ends.clear();
    atoms = 0;
    longest = 0;
    if (query.vectors() > most_vectors || query.clauses.size() > kMaxClauses) {
      throw UsageError("a query of " + std::to_string(query.vectors()) +
                       " vectors is more than was prepared for (" + std::to_string(most_vectors) +
                       ")");
    }
    for (const auto& clause : query.clauses) {
      for (const std::uint32_t v : clause) add(v, together);
      clause_ends.add(vectors.size());
    }
    if (sizeof(Word) == 4 && bitmap.groups * vectors.size() > 0xffffffffu) {
      throw UsageError("the query's vectors have too many groups together for 32-bit arrays");
    }
    vectors.send(stream);
    clause_ends.send(stream);
  }

  void add(std::uint32_t v, bool together) {
    if (v >= bitmap.vectors()) {
      throw UsageError("the index has no vector " + std::to_string(v));
    }
    const std::uint64_t size = bitmap.atoms_of(v);
    vectors.add({bitmap.first[v], together ? atoms : 0, static_cast<std::uint32_t>(size), v});
    atoms += size;
    longest = std::max(longest, size);
  }

  void check_plan(const WahPlan& plan) const {
    if (!is_valid(plan)) throw UsageError("metadata and pool come with the reuse of arrays");
    const bool made[] = {true, metadata.stage2_as_32.size() > 0, metadata.stage2_as_64.size() > 0,
                         metadata.stage4_as_32.size() > 0, metadata.decompressed.size() > 0};
    if (!made[static_cast<std::uint32_t>(plan.metadata)]) {
      throw UsageError("the metadata of this plan was not made");
    }
    if (plan.pool && pool_groups.size() == 0) throw UsageError("there is no pool");
  }

  /// Vectors that go through the stages as one: all of a query's, or one.
  struct Part {
    const VectorAtoms* table;  ///< on the device
    std::uint32_t vectors;
    std::uint64_t atoms;
    std::uint64_t longest;
    std::uint64_t groups;
    Word* pool_atoms;
    Word* pool_groups;
    cudaStream_t stream;
    DeviceArray<std::byte>& temporary;

    dim3 by_atom() const { return {blocks_for(longest), vectors}; }
    dim3 by_group() const { return {blocks_for(groups / vectors), vectors}; }
  };

  Array take(const WahPlan& plan, Word* pooled, std::uint64_t size) {
    return plan.pool ? Array(pooled) : Array(size, calls);
  }

  void stage1(const Part& part, Word* sizes) {
    stage1_kernel<Word>
        <<<part.by_atom(), kBlock, 0, part.stream>>>(part.table, bitmap.atoms.data(), sizes);
    check_launch("stage1_kernel");
  }
  void stage2(const Part& part, const Word* sizes, Word* starts) {
    scan<Word>(part.temporary.data(), part.temporary.size(), sizes, starts, part.atoms,
               part.stream);
  }
  template <class Starts>
  void stage3(const Part& part, Starts starts, Word* ends) {
    check(cudaMemsetAsync(ends, 0, part.groups * sizeof(Word), part.stream), "cudaMemsetAsync");
    stage3_kernel<Word>
        <<<part.by_atom(), kBlock, 0, part.stream>>>(part.table, starts, bitmap.groups, ends);
    check_launch("stage3_kernel");
  }
  void stage4(const Part& part, const Word* ends, Word* index) {
    scan<Word>(part.temporary.data(), part.temporary.size(), ends, index, part.groups, part.stream);
  }
  template <class Index>
  void stage5(const Part& part, Index index, Word* out) {
    stage5_kernel<Word><<<part.by_group(), kBlock, 0, part.stream>>>(
        part.table, bitmap.atoms.data(), index, bitmap.groups, out);
    check_launch("stage5_kernel");
  }

  /// Figure 3(a): five arrays, each freed when the stage behind it has read it.
  Array decompress_baseline(const Part& part) {
    Array sizes(part.atoms, calls);
    stage1(part, sizes.data());
    Array starts(part.atoms, calls);
    stage2(part, sizes.data(), starts.data());
    sizes.free();
    Array ends(part.groups, calls);
    stage3(part, ComputedStarts<Word>{starts.data()}, ends.data());
    starts.free();
    Array index(part.groups, calls);
    stage4(part, ends.data(), index.data());
    ends.free();
    Array out(part.groups, calls);
    stage5(part, ComputedIndex<Word>{index.data()}, out.data());
    index.free();
    return out;
  }

  /// Figures 3(b) to (e).
  Array decompress(const WahPlan& plan, const Part& part) {
    if (!plan.reuse) return decompress_baseline(part);
    if (plan.metadata == WahMetadata::kStage4As32) {
      Array out = take(plan, part.pool_groups, part.groups);
      stage5(part, StoredIndex{metadata.stage4_as_32.data()}, out.data());
      return out;
    }
    if (plan.metadata == WahMetadata::kStage2As32) {
      return from_starts(plan, part, StoredStarts<std::uint32_t>{metadata.stage2_as_32.data()});
    }
    if (plan.metadata == WahMetadata::kStage2As64) {
      return from_starts(plan, part, StoredStarts<std::uint64_t>{metadata.stage2_as_64.data()});
    }
    Array starts = take(plan, part.pool_atoms, part.atoms);
    stage1(part, starts.data());
    stage2(part, starts.data(), starts.data());
    return from_starts(plan, part, ComputedStarts<Word>{starts.data()}, &starts);
  }

  /// Stages 3 to 5 in one array; `starts` is freed behind stage 3.
  template <class Starts>
  Array from_starts(const WahPlan& plan, const Part& part, Starts from, Array* starts = nullptr) {
    Array out = take(plan, part.pool_groups, part.groups);
    stage3(part, from, out.data());
    if (starts != nullptr) starts->free();
    stage4(part, out.data(), out.data());
    stage5(part, ComputedIndex<Word>{out.data()}, out.data());
    return out;
  }

  /// Decompresses all vectors as one.
  void decompress_together(const WahPlan& plan, std::vector<Array>& arrays) {
    const Part part{
        vectors.device(),  vectors.size(),     atoms,  longest,  bitmap.groups * vectors.size(),
        pool_atoms.data(), pool_groups.data(), stream, temporary};
    arrays.push_back(decompress(plan, part));
    for (std::uint32_t i = 0; i < vectors.size(); ++i) {
      places.add(arrays[0].data() + i * bitmap.groups);
    }
  }

  /// Decompresses one vector after the other, on the lanes' streams in turn.
  void decompress_apart(const WahPlan& plan, std::vector<Array>& arrays) {
    for (Lane& lane : lanes) lane.begin.order(stream, lane.stream);
    Word* next_atoms = pool_atoms.data();
    Word* next_groups = pool_groups.data();
    for (std::uint32_t i = 0; i < vectors.size(); ++i) {
      Lane& lane = lanes[i % kStreams];
      const Part part{vectors.device() + i, 1,          vectors[i].atoms, vectors[i].atoms,
                      bitmap.groups,        next_atoms, next_groups,      lane.stream,
                      lane.temporary};
      arrays.push_back(decompress(plan, part));
      places.add(arrays.back().data());
      if (!plan.pool) continue;
      next_atoms += vectors[i].atoms;
      next_groups += bitmap.groups;
    }
    for (Lane& lane : lanes) lane.end.order(lane.stream, stream);
  }

  void reduce(const WahPlan& plan, Decompressed<Word> data) {
    const Clauses clauses{clause_ends.device(), clause_ends.size()};
    const Selection<Word> selection{result.data(), counter.data(),
                                    codecs::wah_tail_mask<Word>(bitmap.rows)};
    if (plan.reduction == WahReduction::kRows) {
      const std::uint32_t blocks = blocks_for(bitmap.groups * codecs::kLanes);
      rows_kernel<Word><<<blocks, kBlock, 0, stream>>>(data, clauses, selection);
    } else if (plan.reduction == WahReduction::kHybrid) {
      const std::uint32_t blocks = blocks_for(bitmap.groups * kHybridRows);
      hybrid_kernel<Word><<<blocks, kBlock, 0, stream>>>(data, clauses, selection);
    } else {
      reduce_columns(plan, data, clauses, selection);
      return;
    }
    check_launch("reduction of a bitmap query");
  }

  /// In place, or, where the vectors are metadata that must stay, in an array of its own.
  void reduce_columns(const WahPlan& plan, Decompressed<Word> data, Clauses clauses,
                      Selection<Word> selection) {
    Array own;
    Decompressed<Word> target = data;
    if (plan.metadata == WahMetadata::kDecompressed) {
      own = take(plan, pool_columns.data(), bitmap.groups * vectors.size());
      for (std::uint32_t i = 0; i < vectors.size(); ++i) targets.add(own.data() + i * data.groups);
      targets.send(stream);
      target.vectors = targets.device();
    }
    for (std::uint32_t c = 0; c < clauses.count; ++c) {
      const std::uint32_t first = c == 0 ? 0 : clause_ends[c - 1];
      std::uint32_t columns = clause_ends[c] - first;
      Decompressed<Word> from = data;
      while (columns > 1 || (columns == 1 && from.vectors != target.vectors)) {
        const std::uint32_t half = (columns + 1) / 2;
        columns_kernel<Word><<<dim3(blocks_for(data.groups), half), kBlock, 0, stream>>>(
            from, target, first, first + columns, half);
        check_launch("columns_kernel");
        columns = half;
        from = target;
      }
    }
    clauses_kernel<Word>
        <<<blocks_for(data.groups), kBlock, 0, stream>>>(target, clauses, selection);
    check_launch("clauses_kernel");
  }

  std::uint64_t run(const BitmapQuery& query, const WahPlan& plan) {
    check_plan(plan);
    calls = 0;
    load(query, plan.together);
    check(cudaMemsetAsync(counter.data(), 0, sizeof(unsigned long long), stream), "cudaMemset");
    std::vector<Array> arrays;
    if (plan.metadata == WahMetadata::kDecompressed) {
      // The reduction only reads them: reduce_columns() writes to an array of its own.
      auto* all = const_cast<Word*>(metadata.decompressed.data());
      for (std::uint32_t i = 0; i < vectors.size(); ++i) {
        places.add(all + vectors[i].vector * bitmap.groups);
      }
    } else if (vectors.size() > 0) {
      plan.together ? decompress_together(plan, arrays) : decompress_apart(plan, arrays);
    }
    places.send(stream);
    reduce(plan, {places.device(), bitmap.groups});
    check(cudaMemcpyAsync(count.data(), counter.data(), sizeof(unsigned long long),
                          cudaMemcpyDeviceToHost, stream),
          "cudaMemcpyAsync of a count");
    stream.wait();
    for (Array& array : arrays) array.free();
    return count[0];
  }

  const Bitmap& bitmap;
  const Metadata& metadata;
  std::uint32_t most_vectors;
  std::uint64_t most_atoms;
  codecs::cuda::OwnedStream stream;
  Table<VectorAtoms> vectors;
  Table<Word*> places;   ///< of the decompressed vectors
  Table<Word*> targets;  ///< of the reduction by column, if not in place
  Table<std::uint32_t> clause_ends;
  DeviceArray<Word> result;
  DeviceArray<unsigned long long> counter;
  PinnedArray<unsigned long long> count;
  DeviceArray<std::byte> temporary;
  Lane lanes[kStreams];
  DeviceArray<Word> pool_atoms;
  DeviceArray<Word> pool_groups;
  DeviceArray<Word> pool_columns;  ///< for the reduction by column of decompressed vectors
  std::uint64_t atoms = 0;         ///< of the query's vectors
  std::uint64_t longest = 0;       ///< atoms of the largest of them
  std::uint32_t calls = 0;
};

template <class Word>
StagedQuery<Word>::StagedQuery(const cuda::DeviceBitmap<Word>& bitmap,
                               const StagedMetadata<Word>& metadata, std::uint32_t most_vectors,
                               bool pool) {
  if (most_vectors == 0 || most_vectors > cuda::kMaxVectors) {
    throw UsageError("a query has from 1 to " + std::to_string(cuda::kMaxVectors) +
                     " vectors, not " + std::to_string(most_vectors));
  }
  impl_ = std::make_unique<Impl>(bitmap.impl(), metadata.impl(), most_vectors, pool);
}
template <class Word>
StagedQuery<Word>::~StagedQuery() = default;
template <class Word>
StagedQuery<Word>::StagedQuery(StagedQuery&&) noexcept = default;
template <class Word>
StagedQuery<Word>& StagedQuery<Word>::operator=(StagedQuery&&) noexcept = default;

template <class Word>
std::uint64_t StagedQuery<Word>::count(const BitmapQuery& query, const WahPlan& plan) {
  return impl_->run(query, plan);
}

template <class Word>
std::vector<Word> StagedQuery<Word>::groups() const {
  std::vector<Word> groups(impl_->result.size());
  check(cudaMemcpy(groups.data(), impl_->result.data(), impl_->result.bytes(),
                   cudaMemcpyDeviceToHost),
        "cudaMemcpy of a result");
  return groups;
}

template <class Word>
std::uint32_t StagedQuery<Word>::memory_calls() const {
  return impl_->calls;
}

template class StagedQuery<std::uint32_t>;
template class StagedQuery<std::uint64_t>;

}  // namespace gannet::wah::papers
