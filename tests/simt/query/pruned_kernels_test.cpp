// The kernels of the pruned search, thread for thread on the host: what they find out of lists is
// what the host finds out, and what they find for queries is what exhaustive searches find.
#include <gtest/gtest.h>

#include <algorithm>
#include <optional>
#include <random>
#include <string>
#include <vector>

#include "query/bounds/list_bounds.hpp"
#include "query/device/filters/filter_ranges.hpp"
#include "query/device/pruned/pruned_assign.hpp"
#include "query/searcher.hpp"
#include "tests/support/query/collection.hpp"
#include "tests/support/query/pruned_cases.hpp"
#include "tests/support/simt/pruned/batch_tables.hpp"
#include "tests/support/simt/pruned/kernel_knowledge.hpp"
#include "tests/support/simt/pruned/kernel_run.hpp"
#include "tests/support/simt/pruned/segment_copy.hpp"
#include "tests/support/temporary_directory.hpp"

namespace gannet::query::cuda {
namespace {

using test::kTerms;

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
    for (std::uint32_t t = 0; t < kTerms; ++t) {
      Query query;
      query.text = "t" + std::to_string(t);
      query.scorer = scorer;
      const Plan plan = searcher_->plan(query);
      const index::TermId id = plan.binding().ids(segment)[0];
      if (id != kNoTerm) units[id] = Contribution::unit(plan, plan.terms()[0]);
    }
    return units;
  }

  /// What the kernels found out of a segment's lists.
  template <class Tiles, class Scorers>
  struct Known {
    KernelKnowledge<Tiles, Scorers> all;
    std::optional<KernelKnowledge<Tiles, Scorers>> passing;
    const std::vector<KnownList>& lists() const { return passing ? passing->known : all.known; }
  };

  template <class Tiles, class Scorers>
  std::vector<Known<Tiles, Scorers>> find_out(const ScorerSpec& scorer,
                                              std::uint32_t least_count) const {
    std::vector<Known<Tiles, Scorers>> known;
    for (std::size_t s = 0; s < copies_.size(); ++s) {
      const auto all_units = units(scorer, s);
      known.push_back({{*copies_[s], all_units, least_count}, {}});
      if (!bounds_of_what_passes_) continue;
      known.back().passing.emplace(*copies_[s], all_units, known.back().all, filters_[s].words);
    }
    return known;
  }

  /// Searches with the kernels and expects what the CPU finds exhaustively.
  template <class Tiles, class Scorers>
  PrunedCounters expect_exact(std::span<const Plan> plans, std::uint32_t least_count,
                              std::uint64_t seed, PrunedPath path = PrunedPath::kBounds) {
    const auto known = find_out<Tiles, Scorers>(plans.front().scorer(), least_count);
    SegmentViews segments;
    for (std::size_t s = 0; s < copies_.size(); ++s) {
      EXPECT_TRUE(segments.takes(copies_[s]->view));
      segments.add(copies_[s]->view, index_->docid_base(s));
    }
    std::vector<const Plan*> searched;
    std::vector<PreparedPlan> prepared;
    std::vector<Room> rooms(plans.size());
    for (std::size_t i = 0; i < plans.size(); ++i) {
      PreparedPlan one = prepare(path, plans[i], segments, known, rooms[i]);
      if (!one.usable) continue;
      prepared.push_back(std::move(one));
      searched.push_back(&plans[i]);
    }
    // Windows are for plain ORs, which are a fifth of the queries.
    EXPECT_GE(searched.size(), plans.size() / (path == PrunedPath::kBounds ? 3 : 5));
    BatchTables tables(path, prepared, searched, segments);
    tables.batch.scorer = plans.front().scorer().id;
    KernelRun<Tiles, Scorers> run(tables.batch, seed);
    const auto best = run.search();
    for (std::size_t q = 0; q < searched.size(); ++q) {
      const std::vector<Hit> expected = best_of(*searched[q]);
      EXPECT_EQ(best[q].size(), expected.size()) << to_string(*searched[q]);
      for (std::size_t i = 0; i < std::min(best[q].size(), expected.size()); ++i) {
        EXPECT_EQ(hit_of(best[q][i]), expected[i]) << to_string(*searched[q]) << i;
      }
      if (HasFailure()) break;
    }
    return run.counters();
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
  void filter(std::uint64_t seed, std::uint32_t of, std::uint32_t run) {
    std::mt19937_64 random(seed);
    filters_.clear();
    filter_ranges_.clear();
    for (const auto& copy : copies_) {
      DocumentBitmap& filter = filters_.emplace_back(copy->view.documents);
      for (std::uint32_t docid = 0; docid < filter.documents;) {
        const bool passes = random() % of == 0;
        const auto end = docid + 1 + static_cast<std::uint32_t>(random() % run);
        for (; docid < std::min(end, filter.documents); ++docid) {
          if (passes) filter.add(docid);
        }
      }
      filter_ranges_.push_back(filter_ranges(filter));
    }
  }

  /// What a prepared plan refers to.
  struct Room {
    std::vector<PreparedPart> parts;
    std::vector<PrunedTerm> terms;
  };

  template <class Known>
  PreparedPlan prepare(PrunedPath path, const Plan& plan, const SegmentViews& segments,
                       const std::vector<Known>& known, Room& room) const {
    if (!pruned_path(plan, plan.terms().size())) return {};
    if (path == PrunedPath::kWindows && !plan.disjunction()) return {};
    std::vector<KnownPart> parts;
    std::vector<std::vector<const KnownList*>> lists(copies_.size());
    for (std::size_t s = 0; s < copies_.size(); ++s) {
      KnownPart& part = parts.emplace_back();
      part.ids = plan.binding().ids(s);
      if (matches_nothing({&plan, part.ids})) continue;
      for (const index::TermId id : part.ids) {
        lists[s].push_back(id == kNoTerm ? nullptr : &known[s].lists()[id]);
      }
      part.lists = lists[s];
      part.places = copies_[s]->lists.table;
      if (!filters_.empty()) part.filter = {filters_[s].words.data(), filter_ranges_[s].data()};
      part.filtered = bounds_of_what_passes_;
    }
    room.parts.resize(copies_.size());
    room.terms.resize(copies_.size() * plan.terms().size());
    return prepare_plan(path, {&plan, parts, 0}, segments, {room.parts, room.terms});
  }

  std::unique_ptr<test::TemporaryDirectory> directory_;
  std::shared_ptr<const index::Index> index_;
  std::unique_ptr<Searcher> searcher_;
  // By segment:
  std::vector<std::unique_ptr<SegmentCopy>> copies_;
  std::vector<DocumentBitmap> filters_;  ///< none: all documents pass
  std::vector<std::vector<std::uint16_t>> filter_ranges_;
  bool bounds_of_what_passes_ = false;
};

using Packed = PackedTiles;
using Any = AnyTiles<codecs::PostingCodecs>;

TEST_F(PrunedKernels, FindOutWhatTheHostFindsOut) {
  open(test::random_collection(9000, kTerms, 3));
  const auto all = units(bm25(0.9f, 0.4f));
  const KernelKnowledge<Packed, UsualScorers> knowledge(copy(), all, 0);
  for (std::uint32_t id = 0; id < all.size(); ++id) {
    const index::PostingList list = segment().list(id);
    if (list.is_short()) continue;
    const ListBounds bounds = make_list_bounds(segment(), list, all[id], {});
    const KnownList& known = knowledge.known[id];
    EXPECT_EQ(known.largest, bounds.largest);
    EXPECT_EQ(known.at_rank, bounds.at_rank);
    const std::uint32_t ranges = codecs::ceil_div(copy().view.documents, kRange);
    EXPECT_TRUE(std::equal(known.room.codes, known.room.codes + ranges, bounds.codes.begin()));
    for (std::uint32_t s = 0; s * kSuperblock < copy().view.documents; ++s) {
      const std::uint32_t group = known.room.bases[s / kPointerGroup] + known.room.steps[s];
      EXPECT_EQ(group / kGroupsPerTile, bounds.pointers.first_tile(s)) << id << ' ' << s;
    }
  }
}

TEST_F(PrunedKernels, FindOutWhatIsTrueOfWhatPasses) {
  open(test::random_collection(9000, kTerms, 3));
  filter(1, 30, 2);
  const auto all_units = units(bm25(0.9f, 0.4f));
  const KernelKnowledge<Packed, UsualScorers> all(copy(), all_units, 200);
  const KernelKnowledge<Packed, UsualScorers> passing(copy(), all_units, all,
                                                      filters_.front().words);
  for (std::uint32_t id = 0; id < all_units.size(); ++id) {
    std::vector<float> largest(padded_superblocks(copy().view.documents) * kRangesPerSuperblock);
    std::vector<float> contributions;
    const index::PostingList list = segment().list(id);
    std::vector<std::uint32_t> docids(list.count), frequencies(list.count);
    list.decode_docids(docids.data());
    list.decode_frequencies(frequencies.data());
    for (std::size_t i = 0; i < docids.size(); ++i) {
      if (!filters_.front().has(docids[i])) continue;
      const std::uint32_t length = segment().document_lengths()[docids[i]];
      contributions.push_back(all_units[id](frequencies[i], length));
      float& in_range = largest[docids[i] / kRange];
      in_range = std::max(in_range, contributions.back());
    }
    std::ranges::sort(contributions, std::greater<>());
    const KnownList& known = passing.known[id];
    for (std::size_t r = 0; r < kKnownRankCount; ++r) {
      const bool there = kKnownRanks[r] <= contributions.size();
      EXPECT_LE(known.at_rank[r], there ? contributions[kKnownRanks[r] - 1] : 0);
      EXPECT_EQ(known.at_rank[r] > 0, there) << id;
    }
    if (known.room.codes == nullptr || contributions.empty()) continue;
    EXPECT_EQ(known.largest, contributions.front());
    EXPECT_EQ(known.room.steps, all.known[id].room.steps) << "pointers are those of all documents";
    const float per_unit = codes_per_unit(known.largest);
    for (std::size_t r = 0; r < largest.size(); ++r) {
      EXPECT_EQ(known.room.codes[r], code_of(largest[r], per_unit)) << id << ' ' << r;
    }
  }
}

TEST_F(PrunedKernels, FindWhatExhaustiveSearchesFind) {
  open(test::random_collection(7000, kTerms, 5));
  for (const std::uint32_t least_count : {0u, 1000u, 0xffffffffu}) {
    SCOPED_TRACE(least_count);
    const auto plans = test::Queries(least_count + 1).plans(*searcher_, 40, {1, 10, 100});
    const PrunedCounters counters = expect_exact<Packed, UsualScorers>(plans, least_count, 0);
    EXPECT_GT(counters.ranges, 0u);
    EXPECT_GT(counters.documents, 0u);
  }
}

TEST_F(PrunedKernels, OfDocumentsThatPassAFilter) {
  open(test::random_collection(7000, kTerms, 5));
  const auto plans = test::Queries(11).plans(*searcher_, 30, {1, 10, 100});
  std::uint64_t before = ~std::uint64_t{0};
  for (const auto& [of, run] : {std::pair{2u, 1u}, {20u, 1u}, {20u, 300u}, {3000u, 1u}}) {
    SCOPED_TRACE(of);
    filter(of + run, of, run);
    const PrunedCounters counters = expect_exact<Packed, UsualScorers>(plans, 1000, 0);
    EXPECT_LT(counters.documents, before) << "the fewer pass, the fewer are scored";
    before = counters.documents;
    expect_exact<Any, UsualScorers>(std::span(plans).first(10), 300, 1);
    expect_exact<Packed, UsualScorers>(plans, 1000, 0, PrunedPath::kWindows);
  }
}

TEST_F(PrunedKernels, ByBoundsOfWhatPasses) {
  open(test::random_collection(7000, kTerms, 5));
  const auto plans = test::Queries(12).plans(*searcher_, 14, {1, 10, 100});
  for (const auto& [of, run] : {std::pair{4u, 1u}, {100u, 1u}, {20u, 300u}, {3000u, 1u}}) {
    SCOPED_TRACE(of);
    filter(of + run, of, run);
    bounds_of_what_passes_ = false;
    const PrunedCounters before = expect_exact<Packed, UsualScorers>(plans, 300, 0);
    bounds_of_what_passes_ = true;
    const PrunedCounters counters = expect_exact<Packed, UsualScorers>(plans, 300, 0);
    EXPECT_LT(counters.ranges, before.ranges);
    EXPECT_LE(counters.documents, before.documents);
    expect_exact<Packed, UsualScorers>(plans, 0xffffffff, 1);
    expect_exact<Any, UsualScorers>(std::span(plans).first(10), 300, 1);
    expect_exact<Packed, UsualScorers>(plans, 1000, 0, PrunedPath::kWindows);
  }
}

TEST_F(PrunedKernels, InAnyOrderOfThreads) {
  open(test::random_collection(3000, kTerms, 6));
  for (const std::uint64_t seed : {1u, 2u}) {
    const auto plans = test::Queries(7).plans(*searcher_, 10, {3, 30});
    expect_exact<Packed, UsualScorers>(plans, 300, seed);
  }
}

TEST_F(PrunedKernels, ForOtherCodecs) {
  index::WriteOptions options;
  options.docid_codec = &codecs::list_codec_named("gpu-vbyte128");
  options.freq_codec = &codecs::list_codec_named("gpu-dfor");
  open(test::random_collection(3000, kTerms, 8), options);
  const auto plans = test::Queries(9).plans(*searcher_, 20, {1, 10, 100});
  expect_exact<Any, UsualScorers>(plans, 200, 0);
}

TEST_F(PrunedKernels, OfListsElsewhere) {
  for (const char* codec : {"gpu-bp128", "gpu-vbyte128"}) {
    SCOPED_TRACE(codec);
    index::WriteOptions options;
    options.docid_codec = &codecs::list_codec_named(codec);
    open(test::random_collection(4000, kTerms, 5), options);
    const auto plans = test::Queries(21).plans(*searcher_, 30, {1, 10, 100});
    copy().split(copy().words.size() / 3);
    const auto exact = [&](PrunedPath path, std::uint32_t least_count) {
      const unsigned long long before = copy().host_bytes_read;
      if (options.docid_codec->id == PackedTiles::Codec::id) {
        expect_exact<Packed, UsualScorers>(plans, least_count, 0, path);
      } else {
        expect_exact<Any, UsualScorers>(plans, least_count, 0, path);
      }
      EXPECT_GT(copy().host_bytes_read, before);
    };
    exact(PrunedPath::kBounds, 300);
    exact(PrunedPath::kBounds, 0xffffffff);
    exact(PrunedPath::kWindows, 0xffffffff);
  }
}

const std::vector<std::uint32_t> kEnds{1, 2500, 2564, 6100, 7000};

/// The best superblocks of all segments first, in units of one segment each; one threshold.
TEST_F(PrunedKernels, SegmentsTogether) {
  open_cut(test::random_collection(7000, kTerms, 5), kEnds);
  for (const std::uint32_t least_count : {0u, 300u, 0xffffffffu}) {
    SCOPED_TRACE(least_count);
    const auto plans = test::Queries(least_count + 31).plans(*searcher_, 30, {1, 10, 100});
    const PrunedCounters counters = expect_exact<Packed, UsualScorers>(plans, least_count, 0);
    EXPECT_GT(counters.documents, 0u);
    expect_exact<Any, UsualScorers>(std::span(plans).first(10), least_count, 1);
    expect_exact<Packed, UsualScorers>(plans, least_count, 0, PrunedPath::kWindows);
  }
}

TEST_F(PrunedKernels, SegmentsTogetherOfWhatPasses) {
  open_cut(test::random_collection(7000, kTerms, 6), kEnds);
  const auto plans = test::Queries(33).plans(*searcher_, 30, {1, 10, 100});
  for (const auto& [of, run] : {std::pair{4u, 1u}, {20u, 300u}, {3000u, 1u}}) {
    SCOPED_TRACE(of);
    filter(of + run, of, run);
    for (const bool of_what_passes : {false, true}) {
      bounds_of_what_passes_ = of_what_passes;
      expect_exact<Packed, UsualScorers>(plans, 300, 2);
      expect_exact<Packed, UsualScorers>(plans, 300, 0, PrunedPath::kWindows);
    }
  }
}

TEST_F(PrunedKernels, AsManySegmentsAsThereMayBe) {
  std::vector<std::uint32_t> ends;
  for (std::uint32_t s = 1; s <= kMostSegments; ++s) ends.push_back(s * 300);
  open_cut(test::random_collection(kMostSegments * 300, kTerms, 9), ends);
  const auto plans = test::Queries(35).plans(*searcher_, 20, {1, 10, 100});
  expect_exact<Packed, UsualScorers>(plans, 20, 0);
  SegmentViews full;
  for (const auto& copy : copies_) full.add(copy->view, 0);
  EXPECT_FALSE(full.takes(copy().view));
}

/// Two chunks of documents, short lists that cross from one to the other.
TEST_F(PrunedKernels, AcrossChunks) {
  open(test::collection_of(kChunkDocuments + 2000, 70, [](std::uint32_t t, std::uint32_t d) {
    return (d * 2654435761u >> 8) % (500 + 3000 * t) == 0 || d / 300 == kChunkDocuments / 300
               ? 1 + d % 3
               : 0;
  }));
  const auto plans = test::Queries(10).plans(*searcher_, 10, {1, 10});
  expect_exact<Packed, UsualScorers>(plans, 0xffffffff, 0);
}

/// Three windows of documents, by two blocks; every posting of the plans' lists is scored.
TEST_F(PrunedKernels, WindowsWithoutBounds) {
  open(test::collection_of(2 * kWindowDocuments + 3000, 30, [](std::uint32_t t, std::uint32_t d) {
    return (d * 2654435761u >> 8) % (20 + 60 * t) == 0 || d / 200 == kWindowDocuments / 200
               ? 1 + (d + t) % 4
               : 0;
  }));
  const auto plans = test::Queries(11).plans(*searcher_, 20, {1, 10, 100, 50000});
  const PrunedCounters counters =
      expect_exact<Packed, UsualScorers>(plans, 0xffffffff, 0, PrunedPath::kWindows);
  EXPECT_GT(counters.tiles, 0u);
  EXPECT_GT(counters.documents, 0u);
}

TEST_F(PrunedKernels, WindowsInAnyOrderOfThreads) {
  index::WriteOptions options;
  options.docid_codec = &codecs::list_codec_named("gpu-dfor");
  open(test::random_collection(4000, kTerms, 12), options);
  const auto plans = test::Queries(13).plans(*searcher_, 10, {3, 30});
  expect_exact<Any, UsualScorers>(plans, 300, 3, PrunedPath::kWindows);
}

}  // namespace
}  // namespace gannet::query::cuda
