// The kernels of the pruned search, thread for thread on the host: what they find out of lists is
// what the host finds out, and what they find for queries is what exhaustive searches find.
#include <gtest/gtest.h>

#include <algorithm>
#include <functional>
#include <optional>
#include <random>
#include <string>
#include <vector>

#include "query/bounds/list_bounds.hpp"
#include "query/device/device_lists.hpp"
#include "query/device/filters/filter_ranges.hpp"
#include "query/device/pruned/kernels/first_wave.cuh"
#include "query/device/pruned/kernels/list_facts.cuh"
#include "query/device/pruned/kernels/list_pointers.cuh"
#include "query/device/pruned/kernels/second_wave.cuh"
#include "query/device/pruned/kernels/short_lists.cuh"
#include "query/device/pruned/kernels/start_windows.cuh"
#include "query/device/pruned/kernels/sums.cuh"
#include "query/device/pruned/kernels/waves.cuh"
#include "query/device/pruned/kernels/windows.cuh"
#include "query/device/pruned/pruned_assign.hpp"
#include "query/searcher.hpp"
#include "tests/support/query/collection.hpp"
#include "tests/support/query/pruned_cases.hpp"
#include "tests/support/simt/launch.hpp"
#include "tests/support/temporary_directory.hpp"

namespace gannet::query::cuda {
namespace {

using test::kTerms;

template <class T>
std::vector<T> joined(std::span<const T> first, const std::vector<T>& second) {
  std::vector<T> both(first.begin(), first.end());
  both.insert(both.end(), second.begin(), second.end());
  both.resize(both.size() + 8);
  return both;
}

/// A segment as the kernels read it.
struct Copy {
  explicit Copy(const index::Segment& segment)
      : lists(segment),
        words(joined(segment.words(), lists.words)),
        skips(joined(segment.skips(), lists.skips)),
        lengths(segment.document_lengths().begin(), segment.document_lengths().end()) {
    view.words = words.data();
    view.skips = skips.data();
    view.lengths = lengths.data();
    view.documents = static_cast<std::uint32_t>(segment.statistics().documents);
    view.docid_codec = segment.docid_codec().id;
    view.freq_codec = segment.freq_codec().id;
  }

  DeviceLists lists;
  std::vector<std::uint32_t> words, skips, lengths;
  IndexView view{};
};

/// Bounds of one list, on the host.
struct Room {
  std::vector<std::uint8_t> codes;
  std::vector<std::uint16_t> steps;
  std::vector<std::uint32_t> bases, groups;
};

/// What list_knowledge.cpp finds out with the device, for all lists of a segment.
template <class Tiles, class Scorers>
class Knowledge {
 public:
  Knowledge(const Copy& copy, const std::vector<Contribution>& units, std::uint32_t least_count)
      : rooms_(units.size()), facts(units.size()) {
    const std::uint32_t superblocks = padded_superblocks(copy.view.documents);
    std::vector<FactList> lists;
    std::vector<std::uint32_t> sizes(units.size() * kSizeBuckets);
    FactsView view{};
    for (std::size_t i = 0; i < units.size(); ++i) {
      const DeviceList& place = copy.lists.table[i];
      lists.push_back(
          {place.first_word, place.first_word + place.docid_words, place.first_tile, place.count,
           units[i].term_constants(),
           place.count < least_count ? BoundsRoom{} : room(i, superblocks, place.count)});
      view.most_tiles = std::max(view.most_tiles, codecs::tile_count(place.count));
    }
    view.index = copy.view;
    view.scoring = units.front().plan_constants();
    view.superblocks = superblocks;
    view.list_count = static_cast<std::uint32_t>(lists.size());
    std::ranges::copy(kKnownRanks, view.ranks);
    view.lists = lists.data();
    view.facts = facts.data();
    view.sizes = sizes.data();
    const auto count = static_cast<unsigned>(lists.size());
    simt::launch({.grid = {codecs::ceil_div(view.most_tiles, kTilesPerCount), count, 1},
                  .block = {kFactThreads, 1, 1}},
                 count_sizes_kernel<Tiles, Scorers>, view);
    simt::launch({.grid = {count, 1, 1}, .block = {kLanes, 1, 1}}, known_ranks_kernel, view);
    simt::launch({.grid = {codecs::ceil_div(superblocks + 1, kPointerThreads), count, 1},
                  .block = {kPointerThreads, 1, 1}},
                 point_superblocks_kernel, view);
    simt::launch({.grid = {codecs::ceil_div(superblocks, kChunkSuperblocks), count, 1},
                  .block = {kFactThreads, 1, 1}},
                 code_ranges_kernel<Tiles, Scorers>, view);
    for (std::size_t i = 0; i < units.size(); ++i) keep(units[i], lists[i].row, facts[i]);
  }

  std::vector<KnownList> known;

 private:
  BoundsRoom room(std::size_t i, std::uint32_t superblocks, std::uint32_t count) {
    Room& room = rooms_[i];
    room.codes.resize(superblocks * kRangesPerSuperblock);
    room.steps.resize(superblocks + 1);
    room.bases.resize(superblocks / kPointerGroup + 1);
    if (Tiles::kGroup == kSmallGroup) {
      room.groups.resize(codecs::tile_count(count) * kGroupsPerTile + 1);
    }
    return {room.codes.data(), room.steps.data(), room.bases.data(),
            room.groups.empty() ? nullptr : room.groups.data()};
  }

  void keep(const Contribution& unit, const BoundsRoom& room, const ListFacts& found) {
    KnownList list{{room.codes, room.steps, room.bases, room.groups},
                   unit,
                   std::bit_cast<float>(found.largest),
                   {}};
    std::ranges::transform(found.at_rank, list.at_rank.begin(),
                           [](std::uint32_t bits) { return std::bit_cast<float>(bits); });
    known.push_back(list);
  }

  std::vector<Room> rooms_;

 public:
  std::vector<ListFacts> facts;
};

/// A batch with its tables.
class Batch {
 public:
  Batch(PrunedPath path, std::span<const PreparedPlan> plans, std::span<const Plan* const> searched,
        std::uint32_t documents) {
    batch.path = path;
    batch.documents = documents;
    for (const PreparedPlan& plan : plans) batch.sizes.add(plan.sizes);
    batch.tables = {room(queries_, batch.sizes.queries), room(selections_, batch.sizes.queries),
                    room(terms_, batch.sizes.terms),     room(rows_, batch.sizes.rows),
                    room(shorts_, batch.sizes.shorts),   room(nodes_, batch.sizes.nodes)};
    PrunedSizes before;
    for (std::size_t i = 0; i < plans.size(); ++i) {
      add_pruned(plans[i], searched[i]->constants(), before, batch);
      before.add(plans[i].sizes);
    }
  }

  PrunedBatch batch;

 private:
  template <class T>
  static T* room(std::vector<T>& table, std::size_t size) {
    table.resize(size);
    return table.data();
  }

  std::vector<PrunedQuery> queries_;
  std::vector<SelectQuery> selections_;
  std::vector<PrunedTerm> terms_;
  std::vector<WeightedRow> rows_;
  std::vector<ShortList> shorts_;
  std::vector<Node> nodes_;
};

/// What pruned_run.cpp does with the device, but for the selection.
template <class Tiles, class Scorers>
class KernelRun {
 public:
  KernelRun(const Copy& copy, const PrunedBatch& batch, std::uint64_t seed)
      : batch_(batch), seed_(seed) {
    view_.index = copy.view;
    view_.scorer = batch.scorer;
    view_.superblocks = padded_superblocks(batch.documents);
    view_.chunks = codecs::ceil_div(batch.documents, kChunkDocuments);
    view_.queries_count = batch.sizes.queries;
    view_.short_count = batch.sizes.shorts;
    view_.short_parts = 2;
    view_.max_terms = batch.sizes.max_terms;
    view_.wave_size = 3;
    view_.first_superblocks = 2;
    view_.later_superblocks = kUnitSuperblocks;
    view_.queries = batch.tables.queries;
    view_.terms = batch.tables.terms;
    view_.rows = batch.tables.rows;
    view_.shorts = batch.tables.shorts;
    view_.nodes = batch.tables.nodes;
    make_room();
  }

  /// Each query's k best, best first.
  std::vector<std::vector<std::uint64_t>> search() {
    if (batch_.path == PrunedPath::kBounds) {
      search_by_bounds();
    } else {
      search_windows();
    }
    std::vector<std::vector<std::uint64_t>> best;
    for (std::size_t q = 0; q < batch_.sizes.queries; ++q) best.push_back(best_of(q));
    return best;
  }

  const PrunedCounters& counters() const { return counters_; }

 private:
  void search_by_bounds() {
    launch({codecs::ceil_div(view_.short_count * view_.short_parts, kShortThreads / kLanes),
            view_.chunks, 1},
           kShortThreads, 0, short_lists_kernel<Tiles, Scorers>, view_);
    launch({view_.queries_count, view_.chunks, 1}, kSumThreads, sizeof(ShortSums), sums_kernel,
           view_);
    launch({view_.queries_count, 1, 1}, kFirstWaveThreads, 0, first_wave_kernel, view_);
    const std::uint32_t bytes = UnitMemory<typename Tiles::Place>::bytes(view_.max_terms);
    launch({view_.queries_count, 1, 1}, 2 * kLanes, 2 * bytes, first_search_kernel<Tiles, Scorers>,
           view_, 2u);
    launch({codecs::ceil_div(view_.queries_count, kSecondWaveQueries),
            codecs::ceil_div(view_.superblocks, kStretchSuperblocks), 1},
           kSecondWaveThreads, 0, second_wave_kernel, view_);
    launch({3, 1, 1}, kWaveThreads, kWaveThreads / kLanes * bytes,
           second_search_kernel<Tiles, Scorers>, view_);
  }

  void search_windows() {
    launch({view_.queries_count, 1, 1}, kScoreBins, 0, start_windows_kernel, view_);
    launch({view_.queries_count, 2, 1}, kWindowThreads, WindowMemory::bytes(view_.max_terms),
           windows_kernel<Tiles, Scorers>, view_);
  }

  template <class... Parameters, class... Arguments>
  void launch(dim3 grid, std::uint32_t threads, std::size_t shared, void (*kernel)(Parameters...),
              Arguments... arguments) {
    if (grid.x == 0) return;
    simt::launch({.grid = grid, .block = {threads, 1, 1}, .shared_bytes = shared, .seed = seed_},
                 kernel, arguments...);
  }

  template <class T>
  T* array(std::vector<T>& values, std::size_t size) {
    constexpr int kPoison = 0xab;
    values.resize(size);
    std::memset(static_cast<void*>(values.data()), kPoison, size * sizeof(T));
    return values.data();
  }

  void make_room() {
    const std::size_t queries = batch_.sizes.queries;
    const std::size_t superblocks = queries * view_.superblocks;
    const std::size_t entries = std::size_t{batch_.sizes.short_tiles} * codecs::kTile;
    view_.entry_ranges = reinterpret_cast<std::uint32_t*>(array(entry_ranges_, entries / 4));
    view_.entry_bounds = reinterpret_cast<std::uint16_t*>(array(entry_bounds_, entries / 4));
    view_.short_groups =
        array(short_groups_,
              std::size_t{batch_.sizes.short_tiles} * kGroupsPerTile + batch_.sizes.shorts);
    view_.chunk_tiles = array(chunk_tiles_, batch_.sizes.chunk_pointers);
    view_.maxima = reinterpret_cast<std::uint16_t*>(array(maxima_, superblocks / 8));
    view_.sums = array(sums_, 2 * superblocks);
    view_.first_items = array(first_items_, queries * 2 * view_.wave_size);
    view_.bins = array(bins_, queries);
    view_.histogram = reinterpret_cast<std::uint32_t*>(array(histogram_, queries * kScoreBins / 4));
    view_.finalists = array(finalists_, batch_.sizes.finalists);
    const std::size_t stretches = view_.superblocks / kStretchSuperblocks + 1;
    view_.units = array(units_, superblocks + queries * stretches * kUnitSuperblocks);
    view_.unit_count = array(unit_count_, 1);
    view_.first_counts = array(first_counts_, queries);
    view_.cuts = array(cuts_, queries);
    view_.thresholds = array(thresholds_, queries);
    view_.finalist_counts = array(finalist_counts_, queries);
    view_.counters = &counters_;
  }

  std::vector<std::uint64_t> best_of(std::size_t q) const {
    const PrunedQuery& query = batch_.tables.queries[q];
    const std::uint32_t count = finalist_counts_[q];
    EXPECT_LE(count, query.capacity);
    const auto first = finalists_.begin() + static_cast<std::ptrdiff_t>(query.first_finalist);
    std::vector<std::uint64_t> keys(first, first + std::min(count, query.capacity));
    std::ranges::sort(keys, std::greater<>());
    keys.resize(std::min<std::size_t>(keys.size(), query.k));
    return keys;
  }

  const PrunedBatch& batch_;
  const std::uint64_t seed_;
  PrunedView view_{};
  PrunedCounters counters_{};
  std::vector<uint4> entry_ranges_, maxima_, sums_, histogram_;
  std::vector<uint2> entry_bounds_;
  std::vector<std::uint32_t> short_groups_, chunk_tiles_, first_items_, units_, unit_count_,
      first_counts_, cuts_, thresholds_, finalist_counts_;
  std::vector<std::uint64_t> finalists_;
  std::vector<float2> bins_;
};

class PrunedKernels : public testing::Test {
 protected:
  void open(const test::Collection& collection, const index::WriteOptions& options = {}) {
    directory_ = std::make_unique<test::TemporaryDirectory>();
    index_ = test::write_index(directory_->path(), collection, options);
    SearcherOptions on_cpu;
    on_cpu.backend = BackendChoice::kCpu;
    searcher_ = std::make_unique<Searcher>(index_, on_cpu);
    copy_ = std::make_unique<Copy>(segment());
  }

  const index::Segment& segment() const { return *index_->segments().front(); }

  /// Contributions of all terms at weight 1, by their numbers.
  std::vector<Contribution> units(const ScorerSpec& scorer) const {
    std::vector<Contribution> units(segment().statistics().terms);
    for (std::uint32_t t = 0; t < kTerms; ++t) {
      Query query;
      query.text = "t" + std::to_string(t);
      query.scorer = scorer;
      const Plan plan = searcher_->plan(query);
      const index::TermId id = plan.binding().ids(0)[0];
      if (id != kNoTerm) units[id] = Contribution::unit(plan, plan.terms()[0]);
    }
    return units;
  }

  /// Searches with the kernels and expects what the CPU finds exhaustively.
  template <class Tiles, class Scorers>
  PrunedCounters expect_exact(std::span<const Plan> plans, std::uint32_t least_count,
                              std::uint64_t seed, PrunedPath path = PrunedPath::kBounds) {
    const Knowledge<Tiles, Scorers> knowledge(*copy_, units(plans.front().scorer()), least_count);
    std::vector<const Plan*> searched;
    std::vector<PreparedPlan> prepared;
    std::vector<std::vector<PrunedTerm>> terms(plans.size());
    for (std::size_t i = 0; i < plans.size(); ++i) {
      PreparedPlan one = prepare(path, plans[i], knowledge.known, terms[i]);
      if (!one.usable) continue;
      prepared.push_back(std::move(one));
      searched.push_back(&plans[i]);
    }
    // Windows are for plain ORs, which are a fifth of the queries.
    EXPECT_GE(searched.size(), plans.size() / (path == PrunedPath::kBounds ? 3 : 5));
    Batch tables(path, prepared, searched, copy_->view.documents);
    tables.batch.scorer = plans.front().scorer().id;
    KernelRun<Tiles, Scorers> run(*copy_, tables.batch, seed);
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
    const Plan all = filter_ ? plan.with_k(copy_->view.documents) : plan;
    const Results found =
        searcher_->search(std::span(&all, 1), nullptr, {.stop = {}, .exhaustive = true});
    std::vector<Hit> best;
    for (const Hit hit : found[0].hits()) {
      if ((!filter_ || filter_->has(hit.docid)) && best.size() < plan.k()) best.push_back(hit);
    }
    return best;
  }

  /// About one in `of` documents pass from now on, in runs of up to `run`.
  void filter(std::uint64_t seed, std::uint32_t of, std::uint32_t run) {
    std::mt19937_64 random(seed);
    filter_.emplace(copy_->view.documents);
    for (std::uint32_t docid = 0; docid < filter_->documents;) {
      const bool passes = random() % of == 0;
      const auto end = docid + 1 + static_cast<std::uint32_t>(random() % run);
      for (; docid < std::min(end, filter_->documents); ++docid) {
        if (passes) filter_->add(docid);
      }
    }
    filter_ranges_ = filter_ranges(*filter_);
  }

  PreparedPlan prepare(PrunedPath path, const Plan& plan, const std::vector<KnownList>& known,
                       std::vector<PrunedTerm>& terms) const {
    const SegmentPlan bound{&plan, plan.binding().ids(0)};
    if (matches_nothing(bound) || !pruned_path(bound)) return {};
    if (path == PrunedPath::kWindows && !plan.disjunction()) return {};
    std::vector<const KnownList*> lists;
    for (const index::TermId id : bound.ids) {
      if (id != kNoTerm) lists.push_back(&known[id]);
    }
    terms.resize(lists.size());
    FilterView filter{};
    if (filter_) filter = {filter_->words.data(), filter_ranges_.data()};
    return prepare_plan(path, {bound, lists, 0, filter}, copy_->lists.table, copy_->view.documents,
                        terms);
  }

  std::unique_ptr<test::TemporaryDirectory> directory_;
  std::shared_ptr<const index::Index> index_;
  std::unique_ptr<Searcher> searcher_;
  std::unique_ptr<Copy> copy_;
  std::optional<DocumentBitmap> filter_;
  std::vector<std::uint16_t> filter_ranges_;
};

using Packed = PackedTiles;
using Any = AnyTiles<codecs::PostingCodecs>;

TEST_F(PrunedKernels, FindOutWhatTheHostFindsOut) {
  open(test::random_collection(9000, kTerms, 3));
  const auto all = units(bm25(0.9f, 0.4f));
  const Knowledge<Packed, UsualScorers> knowledge(*copy_, all, 0);
  for (std::uint32_t id = 0; id < all.size(); ++id) {
    const index::PostingList list = segment().list(id);
    if (list.is_short()) continue;
    const ListBounds bounds = make_list_bounds(segment(), list, all[id], {});
    const KnownList& known = knowledge.known[id];
    EXPECT_EQ(known.largest, bounds.largest);
    EXPECT_EQ(known.at_rank, bounds.at_rank);
    const std::uint32_t ranges = codecs::ceil_div(copy_->view.documents, kRange);
    EXPECT_TRUE(std::equal(known.row.codes, known.row.codes + ranges, bounds.codes.begin()));
    for (std::uint32_t s = 0; s * kSuperblock < copy_->view.documents; ++s) {
      const std::uint32_t group = known.row.bases[s / kPointerGroup] + known.row.steps[s];
      EXPECT_EQ(group / kGroupsPerTile, bounds.pointers.first_tile(s)) << id << ' ' << s;
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
