// Searches of an index by the kernels of the pruned search, thread for thread on the host.
#pragma once

#include <gtest/gtest.h>

#include <algorithm>
#include <cstdint>
#include <map>
#include <memory>
#include <optional>
#include <random>
#include <span>
#include <string>
#include <utility>
#include <vector>

#include "query/bounds/word_lists.hpp"
#include "query/gpu/plan/assign.hpp"
#include "query/gpu/plan/pruned/fill.hpp"
#include "query/gpu/plan/pruned/filter_ranges.hpp"
#include "query/searcher.hpp"
#include "tests/support/query/collection.hpp"
#include "tests/support/query/pruned_cases.hpp"
#include "tests/support/simt/pruned/batch_tables.hpp"
#include "tests/support/simt/pruned/kernel_list_stats.hpp"
#include "tests/support/simt/pruned/kernel_run.hpp"
#include "tests/support/simt/pruned/passing_codes.hpp"
#include "tests/support/simt/pruned/segment_copy.hpp"
#include "tests/support/temporary_directory.hpp"

namespace gannet::query::cuda {

/// Of a test's index, the segments as kernels read them, and searches by the kernels.
class PrunedKernels : public testing::Test {
 protected:
  void open(const test::Collection& collection, const index::WriteOptions& options = {}) {
    directory_ = std::make_unique<test::TemporaryDirectory>();
    search_in(test::write_index(directory_->path(), collection, options));
  }
  /// As segments that end at `ends`.
  void open_cut(const test::Collection& collection, const std::vector<std::uint32_t>& ends) {
    directory_ = std::make_unique<test::TemporaryDirectory>();
    search_in(test::write_segments(directory_->path(), collection, ends));
  }

  void search_in(std::shared_ptr<const index::Index> index) {
    index_ = std::move(index);
    SearcherOptions on_cpu;
    on_cpu.backend = BackendChoice::kCpu;
    searcher_ = std::make_unique<Searcher>(index_, on_cpu);
    copies_.clear();
    for (const auto& segment : index_->segments()) {
      copies_.push_back(std::make_unique<SegmentCopy>(*segment));
    }
  }

  // Of an index of one segment:
  const index::Segment& segment() const { return *index_->segments().front(); }
  SegmentCopy& copy() const { return *copies_.front(); }

  /// Contributions of all terms of a segment at weight 1, by their numbers.
  std::vector<Contribution> units(const ScorerSpec& scorer, std::size_t segment = 0) const {
    std::vector<Contribution> units(index_->segments()[segment]->statistics().terms);
    for (std::uint32_t t = 0; t <= test::kTerms; ++t) {
      Query query;
      query.text = "t" + std::to_string(t);
      query.scorer = scorer;
      const Plan plan = searcher_->plan(query);
      const auto ids = plan.binding().ids(segment);
      for (std::uint32_t i = 0; i < ids.size(); ++i) {
        if (ids[i] != kNoTerm) units[ids[i]] = unit_of_list(plan, i);
      }
    }
    return units;
  }

  /// Statistics that the kernels computed of a segment's lists.
  template <class Tiles, class Scorers>
  struct Computed {
    KernelListStats<Tiles, Scorers> all;
    std::optional<KernelListStats<Tiles, Scorers>> passing;
    const std::vector<ListStats>& lists() const { return passing ? passing->stats : all.stats; }
  };

  template <class Tiles, class Scorers>
  std::vector<Computed<Tiles, Scorers>> compute(const ScorerSpec& scorer,
                                                std::uint32_t least_count) const {
    std::vector<Computed<Tiles, Scorers>> computed;
    for (std::size_t s = 0; s < copies_.size(); ++s) {
      const auto all_units = units(scorer, s);
      const std::uint64_t* const live = filters_are_deletions_ ? filters_[s].words.data() : nullptr;
      computed.push_back({{*copies_[s], all_units, least_count, live}, {}});
      if (!bounds_of_what_passes_) continue;
      computed.back().passing.emplace(*copies_[s], all_units, computed.back().all,
                                      filters_[s].words);
    }
    return computed;
  }

  /// Searches with the kernels and expects what the CPU finds exhaustively.
  template <class Tiles, class Scorers>
  PrunedCounters expect_exact(std::span<const Plan> plans, std::uint32_t least_count,
                              std::uint64_t seed, PrunedPath path = PrunedPath::kBounds) {
    const auto computed = compute<Tiles, Scorers>(plans.front().scorer(), least_count);
    const Found found = search<Tiles, Scorers>(path, plans, computed, {0, copies_.size(), seed});
    // Windows are for plain ORs, which are a fifth of the queries.
    EXPECT_GE(found.keys.size(),
              std::max<std::size_t>(1, plans.size() / (path == PrunedPath::kBounds ? 3 : 5)));
    for (const auto& [plan, keys] : found.keys) {
      expect_best(plans[plan], keys);
      if (HasFailure()) break;
    }
    return found.counters;
  }

  /// Segments that are searched together.
  struct Search {
    std::size_t first, last;
    std::uint64_t seed;
    SharedScores shared{};
  };
  struct Found {
    /// Of those plans that can be searched in these segments, by their numbers: rank keys of the k
    /// best.
    std::map<std::size_t, std::vector<std::uint64_t>> keys;
    PrunedCounters counters;
  };

  template <class Tiles, class Scorers>
  Found search(PrunedPath path, std::span<const Plan> plans,
               const std::vector<Computed<Tiles, Scorers>>& computed, const Search& how) const {
    SegmentViews segments;
    for (std::size_t s = how.first; s < how.last; ++s) {
      EXPECT_TRUE(segments.takes(copies_[s]->view));
      segments.add(copies_[s]->view, index_->docid_base(s));
    }
    std::vector<std::size_t> searched;
    std::vector<ScaledPlan> scaled;
    std::vector<Room> rooms(plans.size());
    for (std::size_t i = 0; i < plans.size(); ++i) {
      ScaledPlan one = scale(path, plans[i], {how.first, segments}, computed, rooms[i]);
      if (!one.usable) continue;
      one.number = static_cast<std::uint32_t>(i);
      scaled.push_back(std::move(one));
      searched.push_back(i);
    }
    BatchTables tables(path, scaled, segments);
    tables.batch.scorer = plans.front().scorer().id;
    tables.batch.k1 = plans.front().scorer().values[0];
    tables.batch.shared = how.shared;
    KernelRun<Tiles, Scorers> run(tables.batch, how.seed);
    Found found;
    const auto best = run.search();
    for (std::size_t q = 0; q < searched.size(); ++q) found.keys[searched[q]] = best[q];
    found.counters = run.counters();
    return found;
  }

  void expect_best(const Plan& plan, const std::vector<std::uint64_t>& keys) const {
    const std::vector<Hit> expected = best_of(plan);
    EXPECT_EQ(keys.size(), expected.size()) << to_string(plan);
    for (std::size_t i = 0; i < std::min(keys.size(), expected.size()); ++i) {
      EXPECT_EQ(hit_of(keys[i]), expected[i]) << to_string(plan) << i;
    }
  }

  /// What the exhaustive search finds among the documents that pass the filter.
  std::vector<Hit> best_of(const Plan& plan) const {
    const auto documents = static_cast<std::uint32_t>(index_->statistics().documents);
    const Plan all = filters_.empty() ? plan : plan.with_k(documents);
    const Results found =
        searcher_->search(std::span(&all, 1), nullptr, {.stop = {}, .exhaustive = true});
    std::vector<Hit> best;
    for (const Hit hit : found[0].hits()) {
      if (passes(hit.docid) && best.size() < plan.k()) best.push_back(hit);
    }
    return best;
  }

  bool passes(index::Docid docid) const {
    if (filters_.empty()) return true;
    std::size_t s = filters_.size() - 1;
    while (docid < index_->docid_base(s)) --s;
    return filters_[s].has(docid - index_->docid_base(s));
  }

  /// About one in `of` documents pass from now on, in runs of up to `run`.
  void filter(std::uint64_t seed, std::uint32_t of, std::uint32_t run, bool inverted = false) {
    std::mt19937_64 random(seed);
    filters_.clear();
    filter_ranges_.clear();
    filter_steps_.clear();
    for (const auto& copy : copies_) {
      DocumentBitmap& filter = filters_.emplace_back(copy->view.documents);
      for (std::uint32_t docid = 0; docid < filter.documents;) {
        const bool passes = random() % of == 0;
        const auto end = docid + 1 + static_cast<std::uint32_t>(random() % run);
        for (; docid < std::min(end, filter.documents); ++docid) {
          if (passes != inverted) filter.add(docid);
        }
      }
      filter_ranges_.push_back(filter_ranges(filter));
      filter_steps_.emplace_back(filter);
    }
  }

  /// What a scaled plan refers to.
  struct Room {
    std::vector<ScaledPart> parts;
    std::vector<PrunedTerm> terms;
  };

  /// Some of the segments, from a first one on.
  struct Segments {
    std::size_t first;
    const SegmentViews& views;
  };

  template <class Computed>
  ScaledPlan scale(PrunedPath path, const Plan& plan, const Segments& segments,
                   const std::vector<Computed>& computed, Room& room) const {
    const std::size_t last = segments.first + segments.views.size();
    std::vector<std::span<const index::TermId>> ids;
    for (std::size_t s = segments.first; s < last; ++s) ids.push_back(plan.binding().ids(s));
    const auto its_own = pruned_path(plan, ids);
    if (!its_own || (path == PrunedPath::kBounds && its_own != path)) return {};
    if (path == PrunedPath::kWindows && !plan.disjunction()) return {};
    std::vector<PartBinding> parts;
    std::vector<std::vector<const ListStats*>> lists(copies_.size());
    for (std::size_t s = segments.first; s < last; ++s) {
      PartBinding& part = parts.emplace_back();
      part.ids = ids[s - segments.first];
      if (matches_nothing({&plan, part.ids})) continue;
      for (const index::TermId id : part.ids) {
        lists[s].push_back(id == kNoTerm ? nullptr : &computed[s].lists()[id]);
      }
      part.lists = lists[s];
      part.locations = copies_[s]->lists.table;
      part.texts = &copies_[s]->texts;
      part.filtered = bounds_of_what_passes_;
      if (filters_.empty()) continue;
      part.filter =
          by_steps_ ? filter_steps_[s].view()
                    : FilterView{filters_[s].words.data(), filter_ranges_[s].data(), nullptr, 0};
      if (part.filtered || filters_are_deletions_) continue;
      part.held_back = filters_[s].documents - count_bits(filters_[s].words);
    }
    room.parts.resize(segments.views.size());
    room.terms.resize(segments.views.size() * count_lists(plan));
    const PlanBinding binding{&plan, parts};
    const std::optional<PlanBounds> bounds = bound_plan(binding);
    if (!bounds) return {};
    return scale_plan(path, binding, *bounds, segments.views, {room.parts, room.terms});
  }

  std::unique_ptr<test::TemporaryDirectory> directory_;
  std::shared_ptr<const index::Index> index_;
  std::unique_ptr<Searcher> searcher_;
  // By segment:
  std::vector<std::unique_ptr<SegmentCopy>> copies_;
  std::vector<DocumentBitmap> filters_;  ///< none: all documents pass
  std::vector<std::vector<std::uint16_t>> filter_ranges_;
  std::vector<PassingCodes> filter_steps_;
  bool bounds_of_what_passes_ = false;
  bool filters_are_deletions_ = false;  ///< what does not pass has no ranks in the statistics
  bool by_steps_ = false;               ///< searches evaluate the filters on candidates
};

}  // namespace gannet::query::cuda
