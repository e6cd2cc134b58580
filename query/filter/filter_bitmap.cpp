#include "query/filter/filter_bitmap.hpp"

#include <algorithm>
#include <bit>
#include <cmath>
#include <span>
#include <utility>

#include "codecs/base/cancellation.hpp"
#include "query/filter/filter_estimates.hpp"
#include "query/filter/filter_scan.hpp"

namespace gannet::query {

FilterBitmap::FilterBitmap(SegmentFilter filter, std::uint32_t documents)
    : filter_(std::move(filter)),
      documents_(documents),
      chunks_(documents / kFilterChunk + (documents % kFilterChunk != 0 ? 1 : 0)) {
  const double share = estimated_share(filter_);
  estimated_ = static_cast<std::uint64_t>(std::llround(share * documents));
  open_blocks_share_ = share_of_open_blocks(filter_, share);
}

std::uint64_t FilterBitmap::bytes() const {
  return sizeof *this + bytes_of(filter_) + (std::uint64_t{documents_} + 63) / 64 * 8;
}

/// No chunk waits for anything, so whoever waits for chunks of others does not wait for long, and
/// threads that wait cannot wait for each other.
const DocumentBitmap& FilterBitmap::bitmap(const std::stop_token& stop) {
  if (!made()) {
    room_([this] { bitmap_ = DocumentBitmap(documents_); });
    while (true) {
      throw_if_stopped(stop);
      const std::uint32_t chunk = next_.fetch_add(1, std::memory_order_relaxed);
      if (chunk >= chunks_) break;
      make_chunk(chunk);
    }
    wait();
  }
  if (failed()) std::rethrow_exception(error_);
  return bitmap_;
}

/// What one caller takes, all of them wait for: it is made to its end, whatever stops the caller.
void FilterBitmap::make_chunk(std::uint32_t chunk) {
  static const std::stop_source kNever;
  const StopScope scope(kNever.get_token());
  try {
    thread_local FilterScan scan;
    const std::uint64_t before = scan.blocks_decoded();
    const auto begin = std::size_t{chunk} * kFilterChunkWords;
    const auto words = std::span(bitmap_.words).subspan(begin);
    const auto own = words.first(std::min<std::size_t>(words.size(), kFilterChunkWords));
    if (!failed()) scan.run(filter_, chunk, documents_, own);
    std::uint64_t passing = 0;
    for (const std::uint64_t word : own) {
      passing += static_cast<std::uint64_t>(std::popcount(word));
    }
    passing_.fetch_add(passing, std::memory_order_relaxed);
    blocks_.fetch_add(scan.blocks_decoded() - before, std::memory_order_relaxed);
  } catch (...) {
    keep_error();
  }
  if (done_.fetch_add(1, std::memory_order_acq_rel) + 1 < chunks_) return;
  const std::lock_guard lock(mutex_);
  all_done_.notify_all();
}

void FilterBitmap::keep_error() {
  const std::lock_guard lock(mutex_);
  if (!error_) error_ = std::current_exception();
  failed_.store(true, std::memory_order_release);
}

void FilterBitmap::wait() {
  std::unique_lock lock(mutex_);
  all_done_.wait(lock, [this] { return made(); });
}

}  // namespace gannet::query
