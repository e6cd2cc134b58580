#include "query/cpu/pruned/range_search.hpp"

#include <algorithm>
#include <bit>

#include "query/plan/making/expression.hpp"

namespace gannet::query {
namespace {

/// What sums of documents begin with: never written, so that nothing waits for a store.
alignas(64) constexpr std::array<std::uint16_t, kRange> kNoSums{};

/// The places of candidates if a term is in all of them.
constexpr auto kAllPlaces = [] {
  std::array<std::uint8_t, kRange> places{};
  for (std::uint32_t i = 0; i < kRange; ++i) places[i] = static_cast<std::uint8_t>(i);
  return places;
}();

void prefetch(const void* at) {
#if defined(__GNUC__)
  __builtin_prefetch(at);
#else
  static_cast<void>(at);
#endif
}

/// Raises what all searches for a plan share. Scores are >= 0: their bits are ordered as they are.
void raise_floor(std::atomic<std::uint32_t>& floor, float score) {
  const auto bits = std::bit_cast<std::uint32_t>(score);
  std::uint32_t known = floor.load(std::memory_order_relaxed);
  while (known < bits && !floor.compare_exchange_weak(known, bits, std::memory_order_relaxed)) {
  }
}

}  // namespace

RangeSearch::RangeSearch(const Plan& plan, const PrunedKernels& kernels, const ScoreScale& scale,
                         RisingTop& top, std::atomic<std::uint32_t>& floor)
    : kernels_(kernels),
      plan_(plan),
      scale_(scale),
      top_(top),
      floor_(floor),
      limit_(scale.limit(top.threshold())) {}

void RangeSearch::enter(const PrunedPart& part) {
  part_ = &part;
  bitmaps_ = part.place->bitmaps;
  lengths_ = part.place->segment->document_lengths().data();
}

void RangeSearch::visit(std::uint32_t range, std::uint32_t sum, std::uint32_t flags) {
  ++ranges_;
  meet_floor();
  std::uint64_t documents = candidates(range, sum, flags);
  // What has no bitmap is looked up for documents that reach the limit, which few do.
  if (documents != 0) documents = bitmaps_->among(documents, range);
  if (documents != 0) documents = matches(range, documents);
  if (documents != 0) score(range, documents);
}

void RangeSearch::meet_floor() {
  const auto floor = std::bit_cast<float>(floor_.load(std::memory_order_relaxed));
  if (floor <= top_.threshold()) return;
  top_.raise(floor);
  limit_ = scale_.limit(floor);
}

/// The documents that pass the filter, have a term of each clause and whose bounds reach the limit.
std::uint64_t RangeSearch::candidates(std::uint32_t range, std::uint32_t sum, std::uint32_t flags) {
  std::uint32_t rest = sum;  // what the terms that come can add
  const std::uint16_t* before = kNoSums.data();
  const std::uint64_t passing = bitmaps_->word(range);
  std::uint64_t possible = 0;
  std::uint64_t reached = 0;
  const PrunedClause* clause = part_->clauses.data();
  bool narrowed = false;
  for (PrunedTerm* const next : part_->scored) {
    PrunedTerm& term = *next;
    const std::uint32_t bound = term.bound(range, flags);
    term.map = 0;
    if (bound == 0 && term.closes == 0) continue;
    if (bound != 0) term.load_map(range, kernels_);
    for (std::uint32_t n = term.closes; n > 0; --n) {
      const std::uint64_t map = part_->map_of(*clause++);
      possible = narrowed ? possible & map : map & passing;
      narrowed = true;
      if (possible == 0) return 0;
    }
    if (!narrowed) possible |= term.map;
    rest -= bound;
    const std::uint32_t least = limit_ > rest ? limit_ - rest : 0;
    // In the end nothing can be added, and these are the documents that reach the limit.
    reached = kernels_.raise(before, sums_.data(), term.map, static_cast<std::uint16_t>(bound),
                             static_cast<std::uint16_t>(least));
    before = sums_.data();
    if (least == 0) continue;
    // Before the first clause, documents of the terms that come count too: they have no sum yet.
    const std::uint64_t alive = reached & (narrowed ? possible : passing);
    if (alive == 0) return 0;
    // Most likely scored, and then its length comes from far away.
    prefetch(lengths_ + (range * kRange + static_cast<std::uint32_t>(std::countr_zero(alive))));
  }
  return possible & reached & passing;
}

std::uint64_t RangeSearch::matches(std::uint32_t range, std::uint64_t possible) {
  if (plan_.disjunction() || part_->clauses_decide) return possible;
  for (PrunedTerm* term : part_->others) term->load_map(range, kernels_);
  const auto& expression = plan_.expression();
  return possible & evaluate(
                        expression.data(), static_cast<std::uint32_t>(expression.size()),
                        WordStack<std::uint64_t>(),
                        [&](std::uint32_t number) {
                          const PrunedTerm* term = part_->by_number[number];
                          return term == nullptr ? 0 : term->map;
                        },
                        [&](std::uint32_t number) { return bitmaps_->predicate(number, range); });
}

/// All of a range's candidates at once, term after term: contributions are made in vectors, and
/// added in the plan's order.
void RangeSearch::score(std::uint32_t range, std::uint64_t documents) {
  const index::Docid first = range * kRange;
  std::uint32_t n = 0;
  for_each_bit(documents, [&](std::uint32_t bit) {
    candidates_.bits[n] = static_cast<std::uint8_t>(bit);
    candidates_.lengths[n] = lengths_[first + bit];
    candidates_.scores[n] = 0;
    ++n;
  });
  candidates_.count = n;
  if (part_->words.empty()) {
    for (PrunedTerm* const term : part_->in_plan_order) {
      if ((documents & term->map) != 0) add_contributions(*term, first, documents);
    }
  } else {
    for (const PrunedWord& word : part_->words) add_word(word, first, documents);
  }
  documents_ += n;
  for (std::uint32_t i = 0; i < n; ++i) {
    if (!top_.push(candidates_.scores[i], part_->place->docid_base + first + candidates_.bits[i]))
      continue;
    limit_ = scale_.limit(top_.threshold());
    raise_floor(floor_, top_.threshold());
  }
}

/// Those of a range's candidates that have a term.
struct RangeSearch::Chosen {
  Chosen(const PrunedTerm& term, std::uint64_t documents, const PrunedKernels& kernels) {
    const std::uint64_t chosen = documents & term.map;
    count = kernels.ranks(chosen, term.map, ranks);
    if (chosen == documents) return;
    kernels.ranks(chosen, documents, some);
    places = some;
  }
  std::uint32_t count;
  std::uint8_t ranks[kRange];                      ///< among the term's documents in the range
  const std::uint8_t* places = kAllPlaces.data();  ///< among the candidates

 private:
  std::uint8_t some[kRange];
};

void RangeSearch::add_contributions(PrunedTerm& term, index::Docid first, std::uint64_t documents) {
  const Chosen chosen(term, documents, kernels_);
  const std::uint32_t n = chosen.count;
  const std::uint8_t* const places = chosen.places;
  if (term.lengths == lengths_) {
    for (std::uint32_t i = 0; i < n; ++i) run_.lengths[i] = candidates_.lengths[places[i]];
  } else if (term.bounds != nullptr) {  // else contributions are known
    const std::uint32_t* const own = term.lengths + first;
    for (std::uint32_t i = 0; i < n; ++i) run_.lengths[i] = own[candidates_.bits[places[i]]];
  }
  term.contribute(chosen.ranks, n, run_);
  for (std::uint32_t i = 0; i < n; ++i) {
    float& score = candidates_.scores[places[i]];
    score = codecs::rounded_add(score, run_.scores[i]);
  }
}

void RangeSearch::add_word(const PrunedWord& word, index::Docid first, std::uint64_t documents) {
  std::fill_n(words_.begin(), candidates_.count, WordSum());
  for (const auto& [term, in_text] : word.texts) {
    if ((documents & term->map) == 0) continue;
    const Chosen chosen(*term, documents, kernels_);
    term->frequencies(chosen.ranks, chosen.count, run_.frequencies);
    for (std::uint32_t i = 0; i < chosen.count; ++i) {
      const std::uint32_t place = chosen.places[i];
      words_[place].add(in_text, word.factor, run_.frequencies[i],
                        term->lengths[first + candidates_.bits[place]]);
    }
  }
  for (std::uint32_t i = 0; i < candidates_.count; ++i) {
    if (words_[i].texts == 0) continue;
    const float score = words_[i].score(word.factor, plan_.scorer().values[0]);
    candidates_.scores[i] = codecs::rounded_add(candidates_.scores[i], score);
  }
}

}  // namespace gannet::query
