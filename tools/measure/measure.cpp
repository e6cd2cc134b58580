#include "tools/measure/measure.hpp"

#include <fmt/format.h>

#include <algorithm>
#include <atomic>
#include <cstring>
#include <memory>

#include "codecs/base/cuda/device.hpp"
#include "codecs/base/error.hpp"
#include "tools/measure/device/ceilings.hpp"
#include "tools/measure/device/decode_timing.hpp"
#include "tools/measure/stats.hpp"

namespace gannet::tools {
namespace {

/// Larger than the caches of most machines; a copy touches twice as much.
constexpr std::size_t kCopyBytes = std::size_t{128} << 20;
/// Lists in a batch, unless more different ones are given.
constexpr std::size_t kMaxLists = std::size_t{1} << 18;
/// Values that a thread takes from a batch at a time.
constexpr std::uint64_t kChunkValues = 1u << 14;

/// Bytes that decoding reads: the words and, where docids are made from gaps, the skip data.
std::uint64_t bytes_read(const codecs::EncodedLists& lists) {
  const bool skips = lists.content == codecs::Content::kDocids && lists.codec->gaps;
  return 4 * (lists.words.size() + (skips ? lists.skips.size() : 0));
}

Speed speed_of(const Batch& batch, double seconds) {
  return {seconds, batch.lists.values(), bytes_read(batch.lists), 0, 0};
}

double bytes_moved(const Speed& speed) {
  return static_cast<double>(speed.bytes_read) + 4.0 * static_cast<double>(speed.values);
}

[[noreturn]] void fail_output(const Batch& batch, const char* where) {
  throw Error(
      fmt::format("{}: decoding on the {} gave wrong values; please report it with the "
                  "command line",
                  batch.lists.codec->name, where));
}

/// Where each list's values start in the output.
std::vector<std::uint64_t> output_offsets(const codecs::EncodedLists& lists) {
  std::vector<std::uint64_t> offsets{0};
  for (const std::uint32_t count : lists.counts) offsets.push_back(offsets.back() + count);
  return offsets;
}

class CpuDecoder {
 public:
  explicit CpuDecoder(const Batch& batch)
      : lists_(batch.lists),
        offsets_(output_offsets(batch.lists)),
        out_(batch.expected.size(), 0xabababab) {
    const auto count = static_cast<double>(std::max<std::size_t>(lists_.size(), 1));
    const double mean = std::max(static_cast<double>(out_.size()) / count, 1.0);
    chunk_ = std::max<std::size_t>(static_cast<std::size_t>(kChunkValues / mean), 1);
  }

  void decode_range(std::size_t begin, std::size_t end) {
    const bool docids = lists_.content == codecs::Content::kDocids;
    const auto decode = docids ? lists_.codec->decode_docids : lists_.codec->decode;
    for (std::size_t i = begin; i < end; ++i) decode(lists_.view(i), out_.data() + offsets_[i]);
  }

  void decode_all() { decode_range(0, lists_.size()); }

  void decode_on(ThreadTeam& team) {
    std::atomic<std::size_t> next{0};
    team.run([&](unsigned) {
      for (;;) {
        const std::size_t begin = next.fetch_add(chunk_);
        if (begin >= lists_.size()) return;
        decode_range(begin, std::min(begin + chunk_, lists_.size()));
      }
    });
  }

  const std::vector<std::uint32_t>& output() const { return out_; }

 private:
  const codecs::EncodedLists& lists_;
  std::vector<std::uint64_t> offsets_;
  std::vector<std::uint32_t> out_;
  std::size_t chunk_ = 1;
};

/// Bytes read plus written a second by a team that copies a large buffer.
double copy_rate(ThreadTeam& team, int repeats) {
  // Not initialised here: each thread touches its own part first, in the warm-up.
  const std::unique_ptr<char[]> from(new char[kCopyBytes]);
  const std::unique_ptr<char[]> to(new char[kCopyBytes]);
  const std::size_t part = kCopyBytes / team.size();
  team.run([&](unsigned i) { std::memset(from.get() + i * part, 1, part); });
  const double seconds = time_calls(repeats, [&] {
    team.run([&](unsigned i) { std::memcpy(to.get() + i * part, from.get() + i * part, part); });
  });
  return 2.0 * static_cast<double>(part * team.size()) / seconds;
}

/// Appends values[first .. first + count) to `values` itself.
void append_part(std::vector<std::uint32_t>& values, std::size_t first, std::size_t count) {
  const std::size_t end = values.size();
  values.resize(end + count);
  std::copy_n(values.begin() + static_cast<std::ptrdiff_t>(first), count,
              values.begin() + static_cast<std::ptrdiff_t>(end));
}

/// Appends list i once more; its skip data start at `skip`.
void repeat_list(codecs::EncodedLists& lists, std::size_t i, std::size_t skip) {
  append_part(lists.words, lists.first_word[i], lists.first_word[i + 1] - lists.first_word[i]);
  lists.first_word.push_back(lists.words.size());
  lists.counts.push_back(lists.counts[i]);
  if (lists.content == codecs::Content::kDocids) {
    append_part(lists.skips, skip, codecs::tile_count(lists.counts[i]));
  }
}

}  // namespace

Batch make_batch(const codecs::ListCodec& codec, codecs::Content content, const Lists& lists,
                 std::uint64_t values) {
  Batch batch{codecs::EncodedLists(codec, content), {}, 0};
  for (const auto& list : lists) {
    batch.lists.add(list);
    batch.expected.insert(batch.expected.end(), list.begin(), list.end());
  }
  batch.distinct_bits = batch.lists.bits_per_value();
  for (std::size_t i = 0, skip = 0; batch.expected.size() < values; i = (i + 1) % lists.size()) {
    if (batch.lists.size() >= std::max(kMaxLists, lists.size())) break;
    if (i == 0) skip = 0;
    repeat_list(batch.lists, i, skip);
    batch.expected.insert(batch.expected.end(), lists[i].begin(), lists[i].end());
    skip += codecs::tile_count(batch.lists.counts[i]);
  }
  return batch;
}

Speed time_cpu(const Batch& batch, int repeats, ThreadTeam* team, double limit) {
  CpuDecoder decoder(batch);
  const double seconds = time_calls(repeats, [&] {
    if (team != nullptr) {
      decoder.decode_on(*team);
    } else {
      decoder.decode_all();
    }
  });
  if (decoder.output() != batch.expected) fail_output(batch, "CPU");
  Speed speed = speed_of(batch, seconds);
  speed.limit_share = bytes_moved(speed) / seconds / limit;
  return speed;
}

GpuSpeeds time_gpu(const Batch& batch, int repeats, const measure::MemoryCeilings& limits) {
  const auto timing = measure::time_decode(batch.lists, batch.expected.data(), repeats);
  if (!timing.verified) fail_output(batch, "GPU");
  GpuSpeeds speeds{speed_of(batch, timing.launch_seconds), speed_of(batch, timing.graph_seconds)};
  for (Speed* speed : {&speeds.launch, &speeds.graph}) {
    const double limit = limits.mixed(static_cast<double>(speed->bytes_read),
                                      4.0 * static_cast<double>(speed->values));
    speed->limit_share = bytes_moved(*speed) / speed->seconds / limit;
  }
  return speeds;
}

Limits measure_limits(bool cpu, bool gpu, ThreadTeam& team, int repeats) {
  Limits limits;
  if (cpu) {
    ThreadTeam one(1);
    limits.cpu_one = copy_rate(one, std::min(repeats, 7));
    limits.cpu_all = copy_rate(team, std::min(repeats, 7));
  }
  if (gpu) {
    limits.gpu = measure::measure_ceilings();
    limits.gpu_name = codecs::cuda::device_name();
  }
  return limits;
}

}  // namespace gannet::tools
