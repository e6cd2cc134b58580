#include "query/bounds/bounds_cache.hpp"

#include <tbb/parallel_for.h>

#include <algorithm>
#include <tuple>
#include <utility>

#include "codecs/base/cancellation.hpp"

namespace gannet::query {
namespace {

std::pair<std::uint32_t, float> weighted_text(const Plan& plan, const WordTerm& term) {
  return {plan.terms()[term.term].field, term.weight};
}

}  // namespace

ScorerBounds::ScorerBounds(const index::Index& index, const Plan& plan)
    : scorer_(plan.scorer()), collection_(plan.collection()), texts_(plan.texts()) {
  if (!plan.words().empty()) {
    for (const WordTerm& term : plan.words().front().terms) {
      word_texts_.push_back(weighted_text(plan, term));
    }
  }
  for (const auto& segment : index.segments()) {
    segments_.push_back(std::make_unique<SegmentBounds>(segment->statistics().terms));
  }
}

bool ScorerBounds::serves(const Plan& plan) const {
  std::span<const WordTerm> word;
  if (!plan.words().empty()) word = plan.words().front().terms;
  const auto same = [&](const WordTerm& term, const auto& text) {
    return weighted_text(plan, term) == text;
  };
  return std::ranges::equal(word, word_texts_, same) && plan.scorer() == scorer_ &&
         plan.collection().documents == collection_.documents &&
         plan.collection().tokens == collection_.tokens && plan.texts() == texts_;
}

BoundsCache::BoundsCache(std::shared_ptr<const index::Index> index, double bits)
    : index_(std::move(index)), bits_(bits), least_(bits) {}

std::shared_ptr<ScorerBounds> BoundsCache::of(const Plan& plan) {
  const std::lock_guard lock(mutex_);
  const auto found =
      std::ranges::find_if(scorers_, [&](const auto& scorer) { return scorer->serves(plan); });
  if (found != scorers_.end()) {
    std::rotate(scorers_.begin(), found, found + 1);
  } else {
    // Searches that are under way keep what they use.
    if (scorers_.size() == kScorers) scorers_.pop_back();
    scorers_.insert(scorers_.begin(), std::make_shared<ScorerBounds>(*index_, plan));
  }
  return scorers_.front();
}

std::uint32_t BoundsCache::least_count(std::size_t segment, const std::stop_token& stop) {
  return least_.of(segment, *index_->segments()[segment], stop);
}

void BoundsCache::make(std::vector<WantedBounds> wanted, const std::stop_token& stop) {
  const auto key = [](const WantedBounds& w) { return std::tuple(w.scorer, w.segment, w.term); };
  std::ranges::sort(wanted, {}, key);
  const auto same = [&](const auto& a, const auto& b) { return key(a) == key(b); };
  wanted.erase(std::unique(wanted.begin(), wanted.end(), same), wanted.end());
  tbb::parallel_for(std::size_t{0}, wanted.size(),
                    [&](std::size_t i) { make_one(wanted[i], stop); });
}

void BoundsCache::make_one(const WantedBounds& wanted, const std::stop_token& stop) {
  throw_if_stopped(stop);
  const StopScope scope(stop);  // a list is checked when it is first used
  const index::Segment& segment = *index_->segments()[wanted.segment];
  auto bounds = std::make_unique<const ListBounds>(make_list_bounds(
      segment, segment.list(wanted.term), wanted.unit, stop, index_->live(wanted.segment)));
  const std::uint64_t bytes = bounds->bytes();
  if (wanted.scorer->segment(wanted.segment).keep(wanted.term, std::move(bounds))) {
    wanted.scorer->count_bytes(bytes);
  }
}

std::uint64_t BoundsCache::bytes() const {
  const std::lock_guard lock(mutex_);
  std::uint64_t bytes = 0;
  for (const auto& scorer : scorers_) bytes += scorer->bytes();
  return bytes;
}

}  // namespace gannet::query
