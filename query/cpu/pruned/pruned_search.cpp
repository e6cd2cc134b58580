#include "query/cpu/pruned/pruned_search.hpp"

#include <algorithm>
#include <array>
#include <bit>

#include "codecs/base/cancellation.hpp"
#include "query/cpu/pruned/range_search.hpp"
#include "query/cpu/pruned/score_scale.hpp"
#include "query/plan/making/expression.hpp"

namespace gannet::query {
namespace {

/// Ranges of the first wave, for small and for large k. Measured with one thread on 603,283
/// passages.
constexpr std::uint32_t kSmallK = 32;
constexpr std::uint32_t kFirstWaveSmall = 24;
constexpr std::uint32_t kFirstWaveLarge = 192;
/// Ranges whose sums are made together: they stay in the first cache.
constexpr std::uint32_t kSweep = 4096;
constexpr std::uint32_t kRangesPerLook = 256;
/// What looking at a term in a range costs, in postings that are scored without pruning: measured
/// with questions joined to 150 and to 300 terms, over 216,542 passages.
constexpr std::uint64_t kRangeTermCost = 9;
/// What rounds in a word of BM25F besides its last addition, as terms of the scale have it: more
/// than what its constants, frequencies and their sum do.
constexpr std::size_t kWordOperations = 24;

class PrunedSearch {
 public:
  PrunedSearch(const Plan& plan, const PrunedKernels& kernels, const std::stop_token& stop,
               PrunedWorkspace& workspace)
      : plan_(plan), kernels_(kernels), stop_(stop), workspace_(workspace) {
    workspace_.terms.clear();
  }

  /// Reads the lists. False if the bounds of a place are no good.
  bool prepare(std::span<const PrunedPlace> places) {
    std::vector<PrunedPart>& parts = workspace_.parts;
    if (parts.size() < places.size()) parts.resize(places.size());
    std::size_t used = 0;
    for (const PrunedPlace& place : places) {
      throw_if_stopped(stop_);
      PrunedPart& part = parts[used];
      const PlaceState state = part.read(place, plan_, workspace_.terms);
      if (state == PlaceState::kNoGood || part.scored.size() > ScoreScale::kMaxTerms) return false;
      if (state == PlaceState::kNothingMatches) continue;
      part.offset = padded_;
      padded_ += part.padded();
      ++used;
    }
    parts_ = std::span(parts).first(used);
    return true;
  }

  /// False, and nothing is collected, if scoring all postings costs less.
  bool run(std::atomic<std::uint32_t>& floor, Collector& collector) {
    if (parts_.empty()) return true;
    const ScoreScale scale = make_scale();
    const float start = std::max(std::bit_cast<float>(floor.load(std::memory_order_relaxed)),
                                 known_to_be_reached());
    workspace_.top.reset(plan_.k(), start, scale.ceiling(), plan_.page().below);
    RangeSearch search(plan_, kernels_, scale, workspace_.top, floor);
    if (!sweep(search)) return false;
    collector.ranked = workspace_.top.take();
    count(search, collector);
    return true;
  }

 private:
  ScoreScale make_scale() {
    double sum = 0;
    std::size_t terms = 0;
    for (const PrunedPart& part : parts_) {
      sum = std::max(sum, part.largest);
      terms = std::max(terms, part.scored.size());
    }
    if (!plan_.words().empty()) terms += kWordOperations;
    const ScoreScale scale(sum, terms);
    for (const PrunedPart& part : parts_) {
      for (PrunedTerm* term : part.scored) {
        if (term->bounds == nullptr) {
          term->decoded.quantise(scale.scale());
        } else {
          scale.weigh(*term);
        }
      }
    }
    return scale;
  }

  /// A score that k documents of the page are known to reach by single lists. Documents that do not
  /// pass the filter, and those of earlier pages, may be among those of a list, so the rank asked
  /// is k plus their number.
  float known_to_be_reached() const {
    float reached = 0;
    if (!plan_.disjunction()) return reached;
    for (const PrunedPart& part : parts_) {
      const std::uint64_t rank = plan_.k() + plan_.page().before + part.place->held_back;
      reached = std::max(reached, part.reached_by_one_list(rank));
    }
    return reached;
  }

  bool sweep(RangeSearch& search) {
    add_up();
    std::uint32_t found = collect(search.limit());
    const std::span<const std::uint32_t> ranges(workspace_.ranges);
    if (first_wave(ranges.first(found), search)) found = collect(search.limit());
    if (!pays(found)) return false;
    visit(ranges.first(found), search);
    return true;
  }

  /// Whether `ranges` ranges are worth looking at. Those of many terms are dear: each looks at all.
  bool pays(std::uint32_t ranges) const {
    std::uint64_t terms = 0;
    std::uint64_t postings = 0;
    for (const PrunedPart& part : parts_) {
      terms = std::max<std::uint64_t>(terms, part.scored.size());
      std::uint64_t lists = 0;
      part.for_each_term([&](const PrunedTerm& term) { lists += term.count; });
      const std::uint64_t all = part.place->segment->statistics().documents / kRange + 1;
      postings += lists * part.ranges / all;
    }
    return terms <= ScoreScale::kFewTerms || ranges * terms * kRangeTermCost <= postings;
  }

  void add_up() {
    workspace_.sums.resize(padded_);
    workspace_.flags.assign(padded_, 0);
    for (const PrunedPart& part : parts_) {
      std::uint16_t* const sums = workspace_.sums.data() + part.offset;
      add_bounds(part, sums);
      add_decoded(part, sums);
      drop(part, sums);
    }
  }

  void add_bounds(const PrunedPart& part, std::uint16_t* sums) const {
    const std::uint32_t padded = part.padded();
    for (std::uint32_t begin = 0; begin < padded; begin += kSweep) {
      throw_if_stopped(stop_);
      const std::uint32_t n = std::min(kSweep, padded - begin);
      std::fill_n(sums + begin, n, std::uint16_t{0});
      for (const PrunedTerm* term : part.scored) {
        if (term->bounds == nullptr) continue;
        add_codes(*term, term->bounds->codes.data() + part.first_range + begin, n, sums + begin);
      }
    }
  }

  void add_codes(const PrunedTerm& term, const std::uint8_t* codes, std::uint32_t n,
                 std::uint16_t* sums) const {
    if (term.weight >= PrunedTerm::kWholeWeight) {
      return kernels_.add_codes(codes, term.weight, n, sums);
    }
    // The products are below 256: codes again, but rounded up.
    std::array<std::uint8_t, kSweep> small;
    for (std::uint32_t i = 0; i < n; ++i) {
      small[i] = static_cast<std::uint8_t>(term.whole_bound(codes[i]));
    }
    kernels_.add_codes(small.data(), PrunedTerm::kWholeWeight, n, sums);
  }

  /// Adds the lists without bounds, and marks the ranges where they have postings.
  void add_decoded(const PrunedPart& part, std::uint16_t* sums) {
    std::uint8_t* const flags = workspace_.flags.data() + part.offset;
    std::uint32_t flag = 1;
    for (PrunedTerm* term : part.scored) {
      if (term->bounds != nullptr) continue;
      term->flag = static_cast<std::uint8_t>(flag);
      flag = std::min(2 * flag, 0x80u);
      const std::uint8_t own = term->flag;
      term->decoded.for_each_range([&](std::uint32_t range, std::uint32_t code) {
        const std::uint32_t i = range - part.first_range;
        sums[i] = static_cast<std::uint16_t>(sums[i] + code);
        flags[i] = static_cast<std::uint8_t>(flags[i] | own);
      });
    }
  }

  /// Ranges that cannot match have no sum, so that they are never visited: those without a term of
  /// a clause, those without a document that passes the filter, and those behind the part's last.
  void drop(const PrunedPart& part, std::uint16_t* sums) {
    for (const PrunedClause& clause : part.clauses) {
      kernels_.drop_absent(presence(part, clause), part.padded(), sums);
    }
    std::fill(sums + part.ranges, sums + part.padded(), std::uint16_t{0});
    const PlanBitmaps& bitmaps = *part.place->bitmaps;
    if (!bitmaps.filters()) return;
    if (bitmaps.on_candidates()) return drop_blocks(part, sums);
    for (std::uint32_t i = 0; i < part.ranges; ++i) {
      if (bitmaps.word(part.first_range + i) == 0) sums[i] = 0;
    }
  }

  /// Ranges of column blocks that decide that no document passes.
  static void drop_blocks(const PrunedPart& part, std::uint16_t* sums) {
    constexpr std::uint32_t kRanges = index::kFieldBlock / kRange;
    for (std::uint32_t i = 0; i < part.ranges;) {
      const std::uint32_t block = (part.first_range + i) / kRanges;
      const std::uint32_t end = std::min(part.ranges, (block + 1) * kRanges - part.first_range);
      if (!part.place->bitmaps->block_may_pass(block)) {
        std::fill(sums + i, sums + end, std::uint16_t{0});
      }
      i = end;
    }
  }

  /// By range of the part: 0 if no list of the clause has postings there.
  const std::uint8_t* presence(const PrunedPart& part, const PrunedClause& clause) {
    const auto terms = part.terms_of(clause);
    const auto codes = [&](const PrunedTerm& term) {
      return term.bounds->codes.data() + part.first_range;
    };
    if (terms.size() == 1 && terms.front()->bounds != nullptr) return codes(*terms.front());
    std::vector<std::uint8_t>& present = workspace_.present;
    present.assign(part.padded(), 0);
    for (const PrunedTerm* term : terms) {
      if (term->bounds == nullptr) {
        term->decoded.for_each_range(
            [&](std::uint32_t range, std::uint32_t) { present[range - part.first_range] = 1; });
      } else {
        const std::uint8_t* const own = codes(*term);
        for (std::size_t i = 0; i < present.size(); ++i) present[i] |= own[i];
      }
    }
    return present.data();
  }

  /// The ranges of all parts whose sums reach the limit, numbered through.
  std::uint32_t collect(std::uint32_t limit) {
    workspace_.ranges.resize(padded_);
    return kernels_.collect(workspace_.sums.data(), padded_, static_cast<std::uint16_t>(limit), 0,
                            workspace_.ranges.data());
  }

  /// Searches the ranges with the largest sums. False if there is no point in it.
  bool first_wave(std::span<const std::uint32_t> ranges, RangeSearch& search) {
    const std::uint32_t size = plan_.k() <= kSmallK ? kFirstWaveSmall : kFirstWaveLarge;
    if (ranges.size() <= 2 * size) return false;
    const std::uint32_t least = sum_of_best(ranges, size);
    std::vector<std::uint32_t>& wave = workspace_.first_wave;
    wave.clear();
    for (const std::uint32_t range : ranges) {
      if (workspace_.sums[range] >= least) wave.push_back(range);
    }
    if (wave.size() > 4 * size) return false;  // they are all alike
    visit(wave, search);
    for (const std::uint32_t range : wave) workspace_.sums[range] = 0;
    return true;
  }

  /// A sum that at least `size` of the ranges reach, and not many more.
  std::uint32_t sum_of_best(std::span<const std::uint32_t> ranges, std::uint32_t size) const {
    constexpr std::uint32_t kShift = 6;
    std::array<std::uint32_t, (1u << (16 - kShift))> bins{};
    for (const std::uint32_t range : ranges) ++bins[workspace_.sums[range] >> kShift];
    auto bin = static_cast<std::uint32_t>(bins.size());
    for (std::uint32_t n = 0; bin > 0 && n < size;) n += bins[--bin];
    return bin << kShift;
  }

  /// Searches those of some ranges, ascending, that are still worth it.
  void visit(std::span<const std::uint32_t> ranges, RangeSearch& search) {
    const PrunedPart* part = nullptr;
    std::size_t next = 0;
    std::uint32_t end = 0;
    for (const std::uint32_t range : ranges) {
      look_at_stop();
      const std::uint32_t sum = workspace_.sums[range];
      if (sum < search.limit()) continue;
      while (range >= end) {
        part = &parts_[next++];
        end = part->offset + part->padded();
        if (range < end) enter(*part, search);
      }
      search.visit(part->first_range + (range - part->offset), sum, workspace_.flags[range]);
    }
  }

  static void enter(const PrunedPart& part, RangeSearch& search) {
    part.for_each_term([](PrunedTerm& term) { term.decoded.rewind(); });
    search.enter(part);
  }

  void look_at_stop() {
    if (++steps_ % kRangesPerLook == 0) throw_if_stopped(stop_);
  }

  void count(const RangeSearch& search, Collector& collector) const {
    collector.ranges_searched += search.ranges();
    collector.documents_scored += search.documents();
    for (const PrunedPart& part : parts_) {
      collector.ranges_total += part.ranges;
      part.for_each_term([&](PrunedTerm& term) {
        collector.tiles_decoded +=
            term.bounds != nullptr ? term.dense.take_tiles_decoded() : term.decoded.tiles_decoded();
      });
    }
  }

  const Plan& plan_;
  const PrunedKernels& kernels_;
  const std::stop_token& stop_;
  PrunedWorkspace& workspace_;
  std::span<PrunedPart> parts_;
  std::uint32_t padded_ = 0;  ///< ranges of all parts
  std::uint32_t steps_ = 0;
};

}  // namespace

bool search_pruned(std::span<const PrunedPlace> places, const Plan& plan,
                   const PrunedKernels& kernels, const std::stop_token& stop,
                   std::atomic<std::uint32_t>& floor, PrunedWorkspace& workspace,
                   Collector& collector) {
  PrunedSearch search(plan, kernels, stop, workspace);
  if (!search.prepare(places)) return false;
  return search.run(floor, collector);
}

}  // namespace gannet::query
