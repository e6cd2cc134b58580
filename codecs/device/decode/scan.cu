#include <cuda_runtime.h>

#include <mutex>
#include <nv/target>
#include <string>
#include <tuple>
#include <type_traits>

#include "codecs/base/cuda/device.hpp"
#include "codecs/base/cuda/launch.hpp"
#include "codecs/base/cuda/memory.hpp"
#include "codecs/chunk_codecs.hpp"
#include "codecs/device/decode/consume.cuh"
#include "codecs/device/detail/group_ring.cuh"
#include "codecs/device/detail/persistent.cuh"
#include "codecs/device/detail/scan_places.hpp"
#include "codecs/device/detail/tuning.hpp"
#include "codecs/device/scan.hpp"
#include "codecs/tile_codecs.hpp"

namespace gannet::codecs::cuda {
namespace {

/// A column whose words are in device memory, and what to do with its values.
struct ScanJob {
  const ColumnPlan& plan;
  const std::uint32_t* words;
  bool ranged;
  ScanRange range;
};

constexpr std::uint32_t kScanWarps = kScanPolicy.warps;
constexpr std::uint32_t kGroupsPerWarp = kScanPolicy.groups_per_warp;

/// Lets sum_slots_kernel be launched while the last blocks of a scan run: it waits for their end.
__device__ __forceinline__ void announce_end() {
  NV_IF_TARGET(NV_PROVIDES_SM_90, (cudaTriggerProgrammaticLaunchCompletion();))
}

/// Every warp hands the values of its groups to its consumer.
template <class Codec, class Consumer>
__global__ void __launch_bounds__(kScanWarps* kLanes)
    scan_tiles_kernel(__grid_constant__ const RingPlan plan, Consumer consumer,
                      ScanScratch* scratch) {
  extern __shared__ uint4 shared[];
  announce_end();
  const std::uint32_t warp = threadIdx.x / kLanes;
  const std::uint32_t first = blockIdx.x * kScanWarps * kGroupsPerWarp;
  GroupRing<Codec> ring(plan, shared + warp * ring_units<Codec>(plan), first + warp, kScanWarps,
                        first + kScanWarps * kGroupsPerWarp);
  while (ring.next()) {
    consume_group(ring, plan, consumer);
    ring.release();
  }
  sum_to_slot<kScanWarps>(consumer.result(), scratch);
}

/// One warp per chunk: it is decoded to shared memory and consumed from there.
template <class Codec, class T, class Consumer>
__global__ void __launch_bounds__(kLanes)
    scan_chunks_kernel(ListView column, std::uint32_t chunk_values, Consumer consumer,
                       ScanScratch* scratch) {
  extern __shared__ uint4 shared[];
  announce_end();
  constexpr std::uint32_t kUnits = (Codec::template scratch_words<T> + 3) / 4;
  auto* values = reinterpret_cast<T*>(shared + kUnits);
  const std::uint32_t chunks = chunk_count(column.count, chunk_values);
  for (std::uint32_t chunk = blockIdx.x; chunk < chunks; chunk += gridDim.x) {
    const bool good = Codec::template decode_chunk<T>(
        WarpLanes{}, column, chunk, reinterpret_cast<std::uint32_t*>(shared), values);
    if (!good && WarpLanes::id() == 0) scratch->damaged = 1;
    __syncwarp();
    const std::uint32_t size = chunk_size(column.count, chunk_values, chunk);
    for (std::uint32_t i = WarpLanes::id(); i < size; i += kLanes) consumer.add(values[i]);
    __syncwarp();
  }
  sum_to_slot<1>(consumer.result(), scratch);
}

/// Adds the slots up, and leaves them 0.
__global__ void __launch_bounds__(ScanScratch::kSlots)
    sum_slots_kernel(ScanScratch* scratch, ScanResult* result) {
  NV_IF_TARGET(NV_PROVIDES_SM_90, (cudaGridDependencySynchronize();))
  ScanResult part = scratch->slots[threadIdx.x];
  scratch->slots[threadIdx.x] = {};
  part = sum_block<ScanScratch::kSlots / kLanes>(part);
  if (threadIdx.x != 0) return;
  if (scratch->damaged != 0) part.count = part.sum = ~std::uint64_t{0};
  scratch->damaged = 0;
  *result = part;
}

template <class Codec, class Consumer>
void launch_tiles(const ScanJob& job, const Consumer& consumer, ScanScratch* scratch,
                  cudaStream_t stream) {
  const auto kernel = scan_tiles_kernel<Codec, Consumer>;
  const RingPlan plan = ring_plan<Codec>(ListView{job.words, job.plan.count}, job.plan.tile_words);
  const std::size_t bytes = kScanWarps * ring_units<Codec>(plan) * sizeof(uint4);
  allow_shared(kernel, bytes);
  const std::uint32_t blocks = ceil_div(plan.groups, kScanWarps * kGroupsPerWarp);
  launch_kernel({"scan_tiles_kernel", blocks, kScanWarps * kLanes, bytes, stream}, kernel, plan,
                consumer, scratch);
}

/// Shared memory for one chunk: scratch and values.
template <class Codec, class T>
std::size_t chunk_bytes(std::uint32_t chunk_values) {
  return (Codec::template scratch_words<T> + 3) / 4 * sizeof(uint4) +
         std::size_t{chunk_values} * sizeof(T);
}

template <class Codec, class T, class Consumer>
void launch_chunks(const ScanJob& job, const Consumer& consumer, ScanScratch* scratch,
                   cudaStream_t stream) {
  const auto kernel = scan_chunks_kernel<Codec, T, Consumer>;
  const std::size_t bytes = chunk_bytes<Codec, T>(job.plan.chunk_values);
  const std::uint32_t chunks = chunk_count(job.plan.count, job.plan.chunk_values);
  const std::uint32_t blocks = persistent_blocks(kernel, kLanes, bytes, std::max(chunks, 1u));
  launch_kernel({"scan_chunks_kernel", blocks, kLanes, bytes, stream}, kernel,
                ListView{job.words, job.plan.count}, job.plan.chunk_values, consumer, scratch);
}

/// Runs f with the consumer that the job asks for. `Value` is what the kernel hands it.
template <class Value, class F>
void with_consumer(const ScanJob& job, F f) {
  const auto type = static_cast<std::uint32_t>(job.plan.type);
  const bool is_signed = type % 2 == 1;
  if (job.ranged) {
    f(RangeConsumer<Value>(is_signed, job.range));
  } else {
    f(SumConsumer<Value>(is_signed));
  }
}

using Scan = void (*)(const ScanJob&, ScanScratch*, cudaStream_t);
using Fits = bool (*)(std::uint32_t chunk_values);

struct Entry {
  Scan launch = nullptr;
  Fits fits = nullptr;
};

template <class Codec>
void scan_tiles(const ScanJob& job, ScanScratch* scratch, cudaStream_t stream) {
  with_consumer<std::uint32_t>(
      job, [&](const auto& consumer) { launch_tiles<Codec>(job, consumer, scratch, stream); });
}

template <class Codec, class T>
void scan_chunks(const ScanJob& job, ScanScratch* scratch, cudaStream_t stream) {
  with_consumer<T>(
      job, [&](const auto& consumer) { launch_chunks<Codec, T>(job, consumer, scratch, stream); });
}

template <class... Codec>
void find_tiles([[maybe_unused]] CodecId id, [[maybe_unused]] Entry& entry, std::tuple<Codec...>*) {
  ((Codec::id == id ? void(entry = {scan_tiles<Codec>, [](std::uint32_t) { return true; }})
                    : void()),
   ...);
}

template <class Codec, class T>
void find_chunk([[maybe_unused]] CodecId id, [[maybe_unused]] Entry& entry) {
  if constexpr (Codec::template takes<T> || Codec::template takes<std::make_signed_t<T>>) {
    if (Codec::id == id) {
      entry = {scan_chunks<Codec, T>, [](std::uint32_t chunk_values) {
                 return chunk_bytes<Codec, T>(chunk_values) <= kUsualDynamicShared;
               }};
    }
  }
}

template <class T, class... Codec>
void find_chunks([[maybe_unused]] CodecId id, [[maybe_unused]] Entry& entry,
                 std::tuple<Codec...>*) {
  (find_chunk<Codec, T>(id, entry), ...);
}

Entry find(const ColumnPlan& plan) {
  Entry entry;
  if (!decodes_on_device(plan.codec, plan.type)) return entry;
  find_tiles(plan.codec, entry, static_cast<TileCodecs*>(nullptr));
  if (entry.launch != nullptr) return entry;
  with_value_type(plan.type, [&]<class Any>() {
    find_chunks<std::make_unsigned_t<Any>>(plan.codec, entry, static_cast<ChunkCodecs*>(nullptr));
  });
  if (entry.fits != nullptr && !entry.fits(plan.chunk_values)) entry = {};
  return entry;
}

void launch_sum_slots(ScanScratch* scratch, ScanResult* result, cudaStream_t stream) {
  Launch how("sum_slots_kernel", 1, ScanScratch::kSlots, 0, stream);
  how.early = device_attribute(cudaDevAttrComputeCapabilityMajor) >= 9;
  launch_kernel(how, sum_slots_kernel, scratch, result);
}

Entry need(const ColumnPlan& plan) {
  const Entry entry = find(plan);
  if (entry.launch == nullptr) {
    throw UsageError("codec " + std::to_string(static_cast<std::uint32_t>(plan.codec)) +
                     " cannot be scanned inline for these values (decode the column first)");
  }
  return entry;
}

/// What keeps the scans of a stream apart from others. A handle may stand for many streams
/// (cudaStreamPerThread), or for another one than before; the ids of captured streams cannot be
/// asked for.
ScanKey key_of(cudaStream_t stream) {
  cudaStreamCaptureStatus status{};
  check(cudaStreamIsCapturing(stream, &status), "cudaStreamIsCapturing");
  if (status != cudaStreamCaptureStatusNone) {
    return {reinterpret_cast<std::uintptr_t>(stream), true};
  }
  unsigned long long id = 0;
  check(cudaStreamGetId(stream, &id), "cudaStreamGetId");
  return {id, false};
}

}  // namespace

bool scans_inline(const ColumnPlan& plan) { return find(plan).launch != nullptr; }

struct ColumnScanner::Impl {
  int device = current_device();
  ResourceArray<ScanScratch> scratch;
  ResourceArray<ScanResult> device_result;
  PinnedArray<ScanResult> result{1};
  OwnedStream own_stream;
  std::mutex launching;  ///< the two launches of a scan follow one another
  std::mutex waiting;    ///< sum() and range() have one result to share
  ScanPlaces<kStreams> places;

  explicit Impl(MemoryResource& resource)
      : scratch(kStreams, resource), device_result(1, resource) {
    check(cudaMemsetAsync(scratch.data(), 0, scratch.bytes(), own_stream), "cudaMemsetAsync");
    own_stream.wait();
  }

  void scan(const ScanJob& job, ScanResult* to, Stream stream) {
    const Entry entry = need(job.plan);
    check_aligned(job.words, kWordsAlignment, "the words of a column");
    check_aligned(to, alignof(ScanResult), "the place for a scan's result");
    const DeviceGuard guard(device);
    check_device_of(job.words, device, "the words of a column", "its scanner");
    const std::lock_guard lock(launching);
    places.run(
        key_of(stream),
        [&](std::size_t place) {
          check(cudaMemsetAsync(scratch.data() + place, 0, sizeof(ScanScratch), stream),
                "cudaMemsetAsync");
        },
        [&](std::size_t place) {
          entry.launch(job, scratch.data() + place, stream);
          launch_sum_slots(scratch.data() + place, to, stream);
        });
  }

  ScanResult scan_and_wait(const ScanJob& job) {
    const DeviceGuard guard(device);
    const std::lock_guard lock(waiting);
    scan(job, device_result.data(), own_stream);
    check(cudaMemcpyAsync(result.data(), device_result.data(), sizeof(ScanResult),
                          cudaMemcpyDeviceToHost, own_stream),
          "cudaMemcpyAsync");
    own_stream.wait();
    if (result[0].damaged()) {
      throw FormatError(
          "a column's bytes were damaged after they had been validated (upload it "
          "again)");
    }
    return result[0];
  }
};

ColumnScanner::ColumnScanner(MemoryResource& resource) : impl_(std::make_unique<Impl>(resource)) {}
ColumnScanner::~ColumnScanner() = default;
ColumnScanner::ColumnScanner(ColumnScanner&&) noexcept = default;
ColumnScanner& ColumnScanner::operator=(ColumnScanner&&) noexcept = default;

void ColumnScanner::sum_async(const ColumnPlan& plan, const std::uint32_t* words,
                              ScanResult* result, Stream stream) const {
  impl_->scan({plan, words, false, {}}, result, stream);
}

void ColumnScanner::range_async(const ColumnPlan& plan, const std::uint32_t* words, ScanRange range,
                                ScanResult* result, Stream stream) const {
  impl_->scan({plan, words, true, range}, result, stream);
}

ScanResult ColumnScanner::sum(const DeviceColumn& column) const {
  return impl_->scan_and_wait({column.plan(), column.words(), false, {}});
}

ScanResult ColumnScanner::range(const DeviceColumn& column, ScanRange range) const {
  return impl_->scan_and_wait({column.plan(), column.words(), true, range});
}

}  // namespace gannet::codecs::cuda
