#include <cuda_runtime.h>

#include <algorithm>
#include <chrono>
#include <deque>
#include <exception>
#include <future>
#include <type_traits>
#include <utility>

#include "codecs/base/cuda/device.hpp"
#include "codecs/base/cuda/launch.hpp"
#include "codecs/base/cuda/memory.hpp"
#include "codecs/core/staged_tiles.hpp"
#include "codecs/device/columns.hpp"
#include "codecs/device/detail/tuning.hpp"
#include "codecs/device/stream_column.hpp"

namespace gannet::codecs::cuda {
namespace {

/// The buffers of one segment under way. Its stream orders their reuse on the device; the host
/// waits for `copied` before it writes new words, and for `done` before a segment counts as
/// finished.
struct Slot {
  OwnedStream stream;
  Event copied;
  Event done;
  PinnedArray<std::uint32_t> host;
  DeviceArray<std::uint32_t> words;
  DeviceArray<std::byte> values;
  std::future<void> reading;
};

/// The most that any segment needs.
struct Needs {
  std::size_t words = 0;
  std::size_t read_words = 0;  ///< of segments that are not page-locked
  std::size_t value_bytes = 0;
};

Needs needs_of(const SegmentSource& source) {
  Needs needs;
  for (std::size_t i = 0; i < source.size(); ++i) {
    const StreamSegment segment = source.segment(i);
    needs.words = std::max<std::size_t>(needs.words, segment.words);
    if (source.pinned(i) == nullptr) {
      needs.read_words = std::max<std::size_t>(needs.read_words, segment.words);
    }
    if (!segment.raw) {
      needs.value_bytes =
          std::max(needs.value_bytes, std::size_t{segment.count} * size_of(source.type()));
    }
  }
  return needs;
}

class Streamer {
 public:
  Streamer(const SegmentSource& source, const std::function<void(const StreamedValues&)>& consume,
           const StreamOptions& options)
      : source_(source),
        consume_(consume),
        options_(options),
        slots_(std::clamp<std::size_t>(options.slots, 1, std::max<std::size_t>(source.size(), 1))) {
    check(cudaGetDevice(&device_), "cudaGetDevice");
    const Needs needs = needs_of(source);
    ahead_ = needs.read_words > 0 ? slots_.size() / 2 : 0;
    for (Slot& slot : slots_) {
      slot.host = PinnedArray<std::uint32_t>(needs.read_words);
      slot.words = DeviceArray<std::uint32_t>(needs.words + kOverread);
      slot.values = DeviceArray<std::byte>(needs.value_bytes);
      report_.device_bytes += slot.words.bytes() + slot.values.bytes();
      check(cudaMemset(slot.words.data(), 0, slot.words.bytes()), "cudaMemset");
    }
    check(cudaDeviceSynchronize(), "cudaDeviceSynchronize");
  }

  StreamReport run() {
    const auto start = std::chrono::steady_clock::now();
    try {
      for (std::size_t i = 0; i < source_.size() + slots_.size(); ++i) step(i);
    } catch (...) {
      // The buffers must not go while the device or a reader uses them.
      for (Slot& slot : slots_) {
        if (slot.reading.valid()) slot.reading.wait();
        cudaStreamSynchronize(slot.stream);
      }
      throw;
    }
    for (const Slot& slot : slots_) slot.stream.wait();
    report_.seconds =
        std::chrono::duration<double>(std::chrono::steady_clock::now() - start).count();
    return report_;
  }

 private:
  /// The beginning of segment i's way, the middle of an earlier one's, the end of one before.
  void step(std::size_t i) {
    const std::size_t size = source_.size();
    if (i >= slots_.size() && i - slots_.size() < size) finish(i - slots_.size());
    if (i < size && source_.pinned(i) == nullptr) start_reading(i);
    if (i >= ahead_ && i - ahead_ < size) send(i - ahead_);
  }

  /// Reads on a thread of its own, once the slot's last words have left the host's buffer.
  void start_reading(std::size_t i) {
    Slot& slot = slots_[i % slots_.size()];
    slot.reading = std::async(std::launch::async, [this, &slot, i] {
      check(cudaSetDevice(device_), "cudaSetDevice");
      if (i >= slots_.size()) slot.copied.wait();
      source_.read(i, {slot.host.data(), source_.segment(i).words});
    });
  }

  void finish(std::size_t i) {
    if (!options_.finished) return;
    slots_[i % slots_.size()].done.wait();
    options_.finished(under_way_.front());
    under_way_.pop_front();
  }

  void send(std::size_t i) {
    Slot& slot = slots_[i % slots_.size()];
    const StreamSegment segment = source_.segment(i);
    const std::uint32_t* words = source_.pinned(i);
    if (words == nullptr) {
      slot.reading.get();
      words = slot.host.data();
    }
    check(cudaMemcpyAsync(slot.words.data(), words, segment.words * sizeof(std::uint32_t),
                          cudaMemcpyHostToDevice, slot.stream),
          "cudaMemcpyAsync to the device");
    slot.copied.record(slot.stream);
    StreamedValues values{source_.type(), slot.words.data(), i,          report_.values,
                          segment.count,  i % slots_.size(), slot.stream};
    if (!segment.raw) {
      decode_column_async(
          plan_of(segment.codec, source_.type(), {words, segment.words}, segment.count),
          slot.words.data(), slot.values.data(), slot.stream);
      values.values = slot.values.data();
    }
    consume_(values);
    slot.done.record(slot.stream);
    if (options_.finished) under_way_.push_back(values);
    report_.values += segment.count;
    report_.bytes_copied += segment.words * sizeof(std::uint32_t);
  }

  const SegmentSource& source_;
  const std::function<void(const StreamedValues&)>& consume_;
  const StreamOptions& options_;
  std::vector<Slot> slots_;
  std::deque<StreamedValues> under_way_;
  StreamReport report_;
  std::size_t ahead_ = 0;  ///< segments that are being read while an earlier one is sent
  int device_ = 0;
};

constexpr std::uint32_t kThreads = kReducePolicy.threads;

/// Blocks for a reduction over `count` values, each thread going through several.
std::uint32_t blocks_for(std::uint32_t count) {
  const auto processors =
      static_cast<std::uint32_t>(device_attribute(cudaDevAttrMultiProcessorCount));
  return std::min(ceil_div(count, kThreads * kReducePolicy.values_per_thread),
                  processors * kReducePolicy.blocks_per_processor);
}

/// Adds up f(value) over all values, then over all blocks into *total.
template <class T, class F>
__global__ void __launch_bounds__(kThreads)
    reduce_kernel(const T* values, std::uint32_t count, F f, unsigned long long* total) {
  struct alignas(16) Vector {
    T value[16 / sizeof(T)];
  };
  constexpr std::uint32_t kPer = 16 / sizeof(T);
  const std::uint32_t vectors = count / kPer;
  const std::uint32_t stride = gridDim.x * kThreads;
  const std::uint32_t thread = blockIdx.x * kThreads + threadIdx.x;
  unsigned long long sum = 0;
  for (std::uint32_t i = thread; i < vectors; i += stride) {
    const Vector vector = reinterpret_cast<const Vector*>(values)[i];
#pragma unroll
    for (std::uint32_t j = 0; j < kPer; ++j) sum += f(vector.value[j]);
  }
  const std::uint32_t last = vectors * kPer + thread;
  if (last < count) sum += f(values[last]);
  WarpLanes::Var<std::uint64_t> lanes{sum};
  const std::uint64_t warp = WarpLanes{}.exclusive_scan(lanes);
  if (threadIdx.x % kLanes == 0 && warp != 0) {
    atomicAdd(total, static_cast<unsigned long long>(warp));
  }
}

struct Extend {
  template <class T>
  __device__ unsigned long long operator()(T value) const {
    return static_cast<unsigned long long>(static_cast<long long>(value));
  }
};

/// 1 for values in [low, high], compared as Wide.
template <class Wide>
struct Within {
  Wide low, high;
  template <class T>
  __device__ unsigned long long operator()(T value) const {
    const auto wide = static_cast<Wide>(value);
    return low <= wide && wide <= high ? 1 : 0;
  }
};

/// A number in device memory, 0 at first.
class DeviceNumber {
 public:
  DeviceNumber() : device_(current_device()), number_(1) {
    check(cudaMemset(number_.data(), 0, number_.bytes()), "cudaMemset");
    check(cudaDeviceSynchronize(), "cudaDeviceSynchronize");
  }
  int device() const { return device_; }
  unsigned long long* data() { return number_.data(); }
  std::uint64_t value() const {
    const DeviceGuard guard(device_);
    check(cudaDeviceSynchronize(), "cudaDeviceSynchronize");
    unsigned long long value = 0;
    check(cudaMemcpy(&value, number_.data(), sizeof value, cudaMemcpyDeviceToHost),
          "cudaMemcpy from the device");
    return value;
  }

 private:
  int device_;
  DeviceArray<unsigned long long> number_;
};

template <class T, class F>
void reduce(const StreamedValues& values, F f, DeviceNumber& total) {
  if (values.count == 0) return;
  const DeviceGuard guard(total.device());
  launch_kernel({"reduce_kernel", blocks_for(values.count), kThreads, 0, values.stream},
                reduce_kernel<T, F>, static_cast<const T*>(values.values), values.count, f,
                total.data());
}

}  // namespace

StreamReport stream_column(const SegmentSource& source,
                           const std::function<void(const StreamedValues&)>& consume,
                           const StreamOptions& options) {
  return Streamer(source, consume, options).run();
}

struct PinnedColumn::Impl {
  struct Part {
    StreamSegment segment;
    PinnedArray<std::uint32_t> words;
  };
  ValueType type;
  std::vector<Part> parts;
  std::size_t times = 1;
};

PinnedColumn::PinnedColumn(ValueType type) : impl_(new Impl{type, {}}) {}
PinnedColumn::~PinnedColumn() = default;

void PinnedColumn::add(CodecId codec, std::span<const std::uint32_t> words, std::uint32_t count) {
  Impl::Part part{{codec, false, count, words.size()}, PinnedArray<std::uint32_t>(words.size())};
  std::copy(words.begin(), words.end(), part.words.data());
  impl_->parts.push_back(std::move(part));
}

void PinnedColumn::add_raw(std::span<const std::byte> values) {
  const std::uint32_t count = raw_count(values.size(), impl_->type);
  const std::size_t words = (values.size() + 3) / 4;
  Impl::Part part{{CodecId{}, true, count, words}, PinnedArray<std::uint32_t>(words)};
  std::copy(values.begin(), values.end(), reinterpret_cast<std::byte*>(part.words.data()));
  impl_->parts.push_back(std::move(part));
}

void PinnedColumn::repeat(std::size_t times) { impl_->times = times; }

std::uint64_t PinnedColumn::bytes() const {
  std::uint64_t bytes = 0;
  for (const Impl::Part& part : impl_->parts) bytes += part.words.bytes();
  return bytes;
}

ValueType PinnedColumn::type() const { return impl_->type; }
std::size_t PinnedColumn::size() const { return impl_->parts.size() * impl_->times; }
StreamSegment PinnedColumn::segment(std::size_t i) const {
  return impl_->parts[i % impl_->parts.size()].segment;
}
const std::uint32_t* PinnedColumn::pinned(std::size_t i) const {
  return impl_->parts[i % impl_->parts.size()].words.data();
}
void PinnedColumn::read(std::size_t i, std::span<std::uint32_t> words) const {
  std::copy_n(pinned(i), words.size(), words.data());
}

struct StreamSum::Impl {
  DeviceNumber total;
};
StreamSum::StreamSum() : impl_(new Impl) {}
StreamSum::~StreamSum() = default;
std::uint64_t StreamSum::result() const { return impl_->total.value(); }
void StreamSum::operator()(const StreamedValues& values) {
  with_value_type(values.type, [&]<class T>() { reduce<T>(values, Extend{}, impl_->total); });
}

struct StreamCount::Impl {
  std::uint64_t low, high;
  DeviceNumber total;
};
StreamCount::StreamCount(std::uint64_t low, std::uint64_t high) : impl_(new Impl{low, high, {}}) {}
StreamCount::~StreamCount() = default;
std::uint64_t StreamCount::result() const { return impl_->total.value(); }
void StreamCount::operator()(const StreamedValues& values) {
  with_value_type(values.type, [&]<class T>() {
    using Wide = std::conditional_t<std::is_signed_v<T>, std::int64_t, std::uint64_t>;
    reduce<T>(values, Within<Wide>{static_cast<Wide>(impl_->low), static_cast<Wide>(impl_->high)},
              impl_->total);
  });
}

struct StreamCopy::Impl {
  std::vector<PinnedArray<std::byte>> slots;
};
StreamCopy::StreamCopy(std::size_t slots, std::size_t most) : impl_(new Impl) {
  for (std::size_t i = 0; i < slots; ++i) impl_->slots.emplace_back(most);
}
StreamCopy::~StreamCopy() = default;
void StreamCopy::operator()(const StreamedValues& values) {
  const std::size_t bytes = std::size_t{values.count} * size_of(values.type);
  check(cudaMemcpyAsync(impl_->slots[values.slot].data(), values.values, bytes,
                        cudaMemcpyDeviceToHost, values.stream),
        "cudaMemcpyAsync from the device");
}
std::span<const std::byte> StreamCopy::values(const StreamedValues& values) const {
  return {impl_->slots[values.slot].data(), std::size_t{values.count} * size_of(values.type)};
}

}  // namespace gannet::codecs::cuda
