#include "query/gpu/device/list_stats/list_stats_cache.hpp"

#include <algorithm>

namespace gannet::query::cuda {

namespace {

/// The texts of the plan's word of most texts, with their weights; none where they are those that
/// lists have in plans without words.
std::vector<WeightedText> word_texts_of(const Plan& plan) {
  const auto most = std::ranges::max_element(
      plan.words(), {}, [](const QueryWord& word) { return word.terms.size(); });
  std::vector<WeightedText> texts;
  if (most == plan.words().end()) return texts;
  for (const WordTerm& term : most->terms) {
    texts.push_back({plan.terms()[term.term].field, term.weight});
  }
  std::ranges::sort(texts, {}, &WeightedText::text);  // terms stand in the order of their numbers
  return texts.size() == 1 && texts.front().weight == 1 ? std::vector<WeightedText>() : texts;
}

std::uint64_t repeated_bytes(const ListStatsCache::Segments& segments) {
  std::uint64_t bytes = 0;
  for (const auto& segment : segments) bytes += segment->all.repeated_bytes();
  return bytes;
}

}  // namespace

bool same_scoring(const Plan& a, const Plan& b) {
  return a.scorer() == b.scorer() && a.collection().documents == b.collection().documents &&
         a.collection().tokens == b.collection().tokens &&
         std::ranges::equal(a.texts(), b.texts(), {}, &PlanText::statistics, &PlanText::statistics);
}

std::shared_ptr<ListStatsCache::Segments> ListStatsCache::of(
    const Plan& plan, std::span<const DeviceSegment> segments, const std::stop_token& stop) {
  std::shared_ptr<Segments> gone;  // freed without the lock
  {
    const std::lock_guard lock(mutex_);
    if (auto kept = find(plan, gone)) return kept;
  }
  gone = nullptr;
  auto made = make(segments, stop);
  const std::lock_guard lock(mutex_);
  // Another call may have made them meanwhile.
  if (auto kept = find(plan, gone)) return kept;
  // Searches under way hold a reference to what they use.
  if (entries_.size() == kScorers) {
    gone = std::move(entries_.back().segments);
    entries_.pop_back();
  }
  Plan::Parts parts;
  parts.scorer = plan.scorer();
  parts.collection = plan.collection();
  parts.texts = plan.texts();
  entries_.insert(entries_.begin(), Entry{Plan(parts), word_texts_of(plan), made});
  return made;
}

/// The statistics for a plan, or null; those of too many terms are taken out. The caller holds the
/// lock.
std::shared_ptr<ListStatsCache::Segments> ListStatsCache::find(const Plan& plan,
                                                               std::shared_ptr<Segments>& gone) {
  // Statistics are valid whatever weights they are of, but bounds are tight for these alone.
  const std::vector<WeightedText> texts = word_texts_of(plan);
  const auto found = std::ranges::find_if(entries_, [&](const Entry& entry) {
    return same_scoring(entry.plan, plan) && (texts.empty() || texts == entry.word_texts);
  });
  if (found == entries_.end()) return nullptr;
  if (repeated_bytes(*found->segments) > kRepeatedBytes) {
    gone = std::move(found->segments);
    entries_.erase(found);
    return nullptr;
  }
  std::rotate(entries_.begin(), found, found + 1);
  return entries_.front().segments;
}

std::shared_ptr<ListStatsCache::Segments> ListStatsCache::make(
    std::span<const DeviceSegment> segments, const std::stop_token& stop) {
  auto made = std::make_shared<Segments>();
  for (std::size_t s = 0; s < segments.size(); ++s) {
    const std::uint32_t least = least_.of(s, *segments[s].segment, stop);
    made->push_back(
        std::make_unique<SegmentListStats>(segments[s], index_->live(s), least, filter_searches_));
  }
  return made;
}

bool ListStatsCache::give_back() {
  std::shared_ptr<ListStatsTable> filtered;  // freed without the lock
  std::shared_ptr<Segments> segments;
  const std::lock_guard lock(mutex_);
  for (auto entry = entries_.rbegin(); entry != entries_.rend(); ++entry) {
    for (const auto& segment : *entry->segments) {
      filtered = segment->filtered.give_back();
      if (filtered != nullptr) return true;
    }
  }
  for (auto entry = entries_.end(); entry != entries_.begin();) {
    if ((--entry)->segments.use_count() > 1) continue;
    segments = std::move(entry->segments);
    entries_.erase(entry);
    return true;
  }
  return false;
}

void ListStatsCache::clear() {
  std::vector<Entry> gone;  // freed without the lock
  const std::lock_guard lock(mutex_);
  gone.swap(entries_);
}

std::uint64_t ListStatsCache::bytes() const {
  const std::lock_guard lock(mutex_);
  std::uint64_t bytes = 0;
  for (const Entry& entry : entries_) {
    for (const auto& segment : *entry.segments) bytes += segment->bytes();
  }
  return bytes;
}

}  // namespace gannet::query::cuda
