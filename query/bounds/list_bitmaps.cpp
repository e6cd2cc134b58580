#include "query/bounds/list_bitmaps.hpp"

#include <tbb/parallel_for.h>

#include <algorithm>
#include <utility>

#include "codecs/base/cancellation.hpp"
#include "query/postings/posting_stream.hpp"

namespace gannet::query {
namespace {

std::uint64_t bytes_of_bitmap(const index::Segment& segment) {
  return sizeof(DocumentBitmap) + (segment.statistics().documents + 63) / 64 * 8;
}

}  // namespace

ListBitmaps::ListBitmaps(std::shared_ptr<const index::Index> index, double bits)
    : index_(std::move(index)), bits_(bits), least_(bits, bytes_of_bitmap) {}

KeptLists ListBitmaps::of(std::size_t segment, const std::stop_token& stop) {
  made_([this] {
    segments_.clear();  // of a call that failed
    for (const auto& each : index_->segments()) {
      segments_.push_back(std::make_unique<SegmentBitmaps>(each->statistics().terms));
    }
  });
  const index::Segment& place = *index_->segments()[segment];
  const std::uint64_t worth = place.statistics().documents / kSparsest;
  const std::uint32_t least = least_.of(segment, place, stop);
  return {segments_[segment].get(), std::max(least, static_cast<std::uint32_t>(worth)),
          place.statistics().terms};
}

void ListBitmaps::make(std::vector<WantedBitmap> wanted, const std::stop_token& stop) {
  std::ranges::sort(wanted);
  wanted.erase(std::unique(wanted.begin(), wanted.end()), wanted.end());
  tbb::parallel_for(std::size_t{0}, wanted.size(),
                    [&](std::size_t i) { make_one(wanted[i], stop); });
}

void ListBitmaps::make_one(const WantedBitmap& wanted, const std::stop_token& stop) {
  throw_if_stopped(stop);
  const StopScope scope(stop);  // a list is checked when it is first used
  const index::Segment& segment = *index_->segments()[wanted.segment];
  const auto documents = static_cast<std::uint32_t>(segment.statistics().documents);
  auto bitmap = std::make_unique<DocumentBitmap>(documents);
  PostingStream stream(segment, wanted.term);
  stream.take_until(documents, [&](const index::Docid* docids, std::uint32_t n, std::uint32_t) {
    throw_if_stopped(stop);
    set_bits(docids, n, 0, bitmap->words.data());
  });
  if (segments_[wanted.segment]->keep(wanted.term, std::move(bitmap))) {
    bytes_.fetch_add(bytes_of_bitmap(segment), std::memory_order_relaxed);
  }
}

}  // namespace gannet::query
