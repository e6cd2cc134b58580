#include "query/gpu/device/index/split_words.hpp"

#include <algorithm>
#include <chrono>
#include <cstring>
#include <string>
#include <utility>

#include "codecs/base/cancellation.hpp"
#include "codecs/base/error.hpp"

namespace gannet::query::cuda {
namespace {

using codecs::cuda::check;
using codecs::cuda::PinnedArray;

/// Decoders may read this many words behind a list (device_index.cpp).
constexpr std::size_t kWordPadding = 8;
/// Words that go to the device in one copy.
constexpr std::size_t kStaging = std::size_t{8} << 20;
/// Lists move when the bytes that crossed the bus are this many times the room for lists. The
/// factor doubles from time to time, up to kMaxPatience.
constexpr std::uint64_t kFirstPatience = 2;
constexpr std::uint64_t kMaxPatience = 64;

PinnedArray<std::uint32_t> on_host(std::span<const std::uint32_t> first,
                                   std::span<const std::uint32_t> second) {
  const std::size_t words = first.size() + second.size() + kWordPadding;
  try {
    PinnedArray<std::uint32_t> array(words);
    std::ranges::copy(first, array.data());
    std::ranges::copy(second, array.data() + first.size());
    std::fill_n(array.data() + first.size() + second.size(), kWordPadding, 0u);
    return array;
  } catch (const CudaError&) {
    cudaGetLastError();
    throw DeviceMemoryError("the lists are to be read from " + std::to_string(words >> 18) +
                            " MB of page-locked memory of the host, which has not so much; use the "
                            "cpu back end");
  }
}

}  // namespace

SplitWords::SplitWords(std::span<const std::uint32_t> first, std::span<const std::uint32_t> second,
                       BudgetArray<std::uint32_t> room, std::span<DeviceList> table)
    : host_(on_host(first, second)),
      device_(std::move(room)),
      read_(1, MemoryUse::kLists),
      table_(table),
      lists_(words_of_lists(table, first.size() + second.size())),
      uses_(new std::atomic<std::uint32_t>[table.size()]()),
      patience_(kFirstPatience) {
  check(cudaMemset(read_.data(), 0, read_.bytes()), "cudaMemset");
  check(cudaMemset(device_.data(), 0, device_.bytes()), "cudaMemset");
  place(
      place_lists(lists_, std::vector<std::uint32_t>(table.size()), device_.size() - kWordPadding));
}

void SplitWords::place(std::vector<PlacedList> placed) {
  // If copying fails, all lists are read from host memory.
  placed_.clear();
  const std::uint64_t host = offset_between(device_.data(), host_.data());
  for (std::size_t term = 0; term < table_.size(); ++term) {
    table_[term].first_word = lists_[term].first + host;
  }
  upload(placed);
  for (const PlacedList& list : placed) table_[list.term].first_word = list.first_word;
  placed_ = std::move(placed);
}

/// Packs lists in their order on the device, piece by piece.
void SplitWords::upload(std::span<const PlacedList> placed) {
  PinnedArray<std::uint32_t> staging(std::min(kStaging, device_.size()));
  std::uint64_t begin = 0;  // of the piece
  std::uint64_t end = 0;    // of what is in it
  const auto flush = [&] {
    check(cudaMemcpy(device_.data() + begin, staging.data(), (end - begin) * 4,
                     cudaMemcpyHostToDevice),
          "cudaMemcpy of lists to the device");
    begin = end;
  };
  for (const PlacedList& list : placed) {
    const std::uint32_t* from = host_.data() + lists_[list.term].first;
    std::uint64_t left = lists_[list.term].count;
    for (std::uint64_t at = list.first_word; left > 0;) {
      if (at - begin >= staging.size()) flush();
      if (end == begin) begin = end = at;
      const std::uint64_t now = std::min<std::uint64_t>(left, staging.size() - (at - begin));
      std::fill(staging.data() + (end - begin), staging.data() + (at - begin), 0u);
      std::memcpy(staging.data() + (at - begin), from, now * 4);
      at += now;
      from += now;
      left -= now;
      end = at;
    }
  }
  flush();
  codecs::cuda::finish_copies();
}

std::shared_lock<std::shared_timed_mutex> SplitWords::hold(const std::stop_token& stop) const {
  constexpr std::chrono::milliseconds kPause{2};
  std::shared_lock lock(mutex_, std::try_to_lock);
  while (!lock && !lock.try_lock_for(kPause)) throw_if_stopped(stop);
  return lock;
}

std::uint64_t SplitWords::take_host_bytes() {
  const std::lock_guard lock(read_mutex_);
  unsigned long long now = 0;
  check(cudaMemcpy(&now, read_.data(), sizeof now, cudaMemcpyDeviceToHost),
        "cudaMemcpy of a counter");
  const std::uint64_t more = now - std::exchange(read_before_, now);
  read_since_ += more;
  return more;
}

void SplitWords::adapt() {
  const std::uint64_t room = device_.size() - kWordPadding;
  if (read_since_.load() < 4 * room * patience_) return;
  const std::unique_lock lock(mutex_, std::try_to_lock);
  if (!lock || read_since_.exchange(0) == 0) return;
  patience_ = std::min(2 * patience_.load(), kMaxPatience);
  std::vector<std::uint32_t> uses(table_.size());
  for (std::size_t term = 0; term < uses.size(); ++term) {
    uses[term] = uses_[term].load(std::memory_order_relaxed);
    uses_[term].store(uses[term] / 2, std::memory_order_relaxed);
  }
  std::vector<PlacedList> placed = place_lists(lists_, uses, room);
  if (placed == placed_) return;
  try {
    place(std::move(placed));
  } catch (const DeviceMemoryError&) {
    // There is no page-locked memory to copy from. Lists are read from host memory until the next
    // attempt.
  }
}

}  // namespace gannet::query::cuda
