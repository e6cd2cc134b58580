#include "query/cpu/backend/batch.hpp"

#include <algorithm>
#include <chrono>
#include <mutex>
#include <optional>
#include <utility>

#include "codecs/base/cancellation.hpp"
#include "query/bounds/prunable.hpp"
#include "query/cpu/filter_costs.hpp"
#include "query/cpu/known_matches.hpp"
#include "query/cpu/match_costs.hpp"
#include "query/cpu/pruned/pruned_search.hpp"
#include "query/cpu/pruned/score_scale.hpp"
#include "query/cpu/window_search.hpp"
#include "query/plan/making/plan_ranges.hpp"

namespace gannet::query {
namespace {

/// A query is split over threads only into parts that have at least this many postings.
constexpr std::uint64_t kMinPostingsPerPart = 1u << 15;

/// What a hit of earlier pages costs a pruned search, in hits of its own: documents that bounds do
/// not tell from it are scored too. Decision 0080 has what was measured.
constexpr std::uint64_t kEarlierCost = 64;

/// What is known of a plan in a segment: what the lists of its terms hold, and how it is searched.
struct Volume {
  std::uint64_t postings = 0;
  std::uint64_t without_bounds = 0;  ///< of the postings, those of lists without bounds
  std::uint64_t tiles = 0;
  /// What searching them costs, in postings that are read.
  std::uint64_t work = 0;
  /// How the plan is searched there.
  Path path = Path::kNone;
  bool probes = false;  ///< as Piece has it
};

/// What the bounds of a term's list are made of.
Contribution unit_of(const Plan& plan, std::size_t term) {
  for (const QueryWord& word : plan.words()) {
    for (const WordTerm& text : word.terms) {
      if (text.term == term) return Contribution::unit(plan, text);
    }
  }
  return Contribution::unit(plan, plan.terms()[term]);
}

bool finds_nothing(const Plan& plan) {
  return plan.expression().empty() || (plan.want() == Want::kTopK && plan.k() == 0);
}

class Preparation {
 public:
  Preparation(Batch& batch, const index::Index& index, BoundsCache& cache, ListBitmaps& lists,
              const BatchOptions& options, Report& report)
      : batch_(batch),
        index_(index),
        cache_(cache),
        lists_(lists),
        options_(options),
        report_(report),
        volumes_(batch.paths.size() * index.segments().size()) {}

  void run() {
    // Plans come from other cores' caches: one thread that looks at all of them waits for most of
    // what short queries take.
    for_plan_ranges(plans(), kPlansPerTask,
                    [&](std::size_t begin, std::size_t end) { choose_paths(begin, end); });
    count_dense_lists();
    find_bitmaps();
    for_plan_ranges(plans(), kPlansPerTask,
                    [&](std::size_t begin, std::size_t end) { look_up(begin, end); });
    make_bounds();
    lists_.make(std::move(wanted_bitmaps_), batch_.stop);
    report_.bitmap_bytes = lists_.bytes();
    for (std::size_t i = 0; i < plans(); ++i) add_tasks(i);
    batch_.first_task.push_back(batch_.tasks.size());
  }

 private:
  static constexpr std::uint64_t kNone = ~std::uint64_t{0};

  std::size_t plans() const { return batch_.paths.size(); }
  std::size_t segments() const { return index_.segments().size(); }
  const index::Segment& segment(std::size_t i) const { return *index_.segments()[i]; }
  /// Bounds are kept for lists of the segment alone.
  bool may_have_bounds(std::size_t s, index::TermId id, std::uint32_t count) const {
    return count >= least_dense_[s] && id < segment(s).statistics().terms;
  }
  Volume& volume(std::size_t plan, std::size_t segment) {
    return volumes_[plan * segments() + segment];
  }

  /// What a thread finds out about plans.
  struct LookUp {
    std::vector<WantedBounds> wanted = {};
    std::vector<WantedBitmap> bitmaps = {};  ///< that are missing
    std::vector<std::uint32_t> counts = {};  ///< lengths of a plan's lists in a segment
  };

  /// Which plans may prune; look_up() knows more.
  void choose_paths(std::size_t begin, std::size_t end) {
    std::vector<std::shared_ptr<ScorerBounds>> kept;  // mostly one
    for (std::size_t i = begin; i < end; ++i) {
      const Plan& plan = batch_.plans.plan(i);
      if (finds_nothing(plan)) continue;
      batch_.paths[i] = plan.want() == Want::kTopK ? Path::kExhaustive : Path::kBitmaps;
      if (options_.exhaustive || !cache_.enabled()) continue;
      if (!can_prune(plan) || plan.terms().size() > ScoreScale::kMaxTerms) continue;
      const auto serves = [&](const auto& bounds) { return bounds->serves(plan); };
      auto bounds = std::ranges::find_if(kept, serves);
      if (bounds == kept.end()) bounds = kept.insert(bounds, cache_.of(plan));
      batch_.paths[i] = Path::kPruned;
      batch_.bounds[i] = bounds->get();
    }
    if (kept.empty()) return;
    const std::lock_guard lock(mutex_);
    batch_.kept_bounds.insert(batch_.kept_bounds.end(), kept.begin(), kept.end());
  }

  void count_dense_lists() {
    if (batch_.kept_bounds.empty()) return;
    for (std::size_t s = 0; s < segments(); ++s) {
      least_dense_.push_back(cache_.least_count(s, batch_.stop));
    }
  }

  void find_bitmaps() {
    if (options_.exhaustive || !lists_.enabled()) return;
    if (std::ranges::find(batch_.paths, Path::kBitmaps) == batch_.paths.end()) return;
    for (std::size_t s = 0; s < segments(); ++s) {
      batch_.kept_lists.push_back(lists_.of(s, batch_.stop));
    }
  }

  void look_up(std::size_t begin, std::size_t end) {
    throw_if_stopped(batch_.stop);
    const StopScope scope(batch_.stop);  // for filters that are bound: no thread waits in here
    LookUp found;
    for (std::size_t i = begin; i < end; ++i) {
      std::uint64_t postings = 0;
      std::uint64_t without_bounds = 0;
      for (std::size_t s = 0; s < segments(); ++s) {
        look_up(i, s, found);
        if (batch_.paths[i] == Path::kBitmaps) look_for_matches(i, s, found);
        postings += volume(i, s).postings;
        without_bounds += volume(i, s).without_bounds;
      }
      const Plan& plan = batch_.plans.plan(i);
      if (batch_.paths[i] != Path::kPruned || pays(plan, postings, without_bounds)) continue;
      batch_.paths[i] = Path::kExhaustive;
      for (std::size_t s = 0; s < segments(); ++s) {
        if (volume(i, s).path == Path::kPruned) volume(i, s).path = Path::kExhaustive;
      }
    }
    if (found.wanted.empty() && found.bitmaps.empty()) return;
    const std::lock_guard lock(mutex_);
    wanted_.insert(wanted_.end(), found.wanted.begin(), found.wanted.end());
    wanted_bitmaps_.insert(wanted_bitmaps_.end(), found.bitmaps.begin(), found.bitmaps.end());
  }

  void look_up(std::size_t i, std::size_t s, LookUp& found) {
    const Plan& plan = batch_.plans.plan(i);
    if (!plan.filter().is_all() && batch_.filters.look_up(i, s, plan.filter()).none()) {
      return;  // no document of the segment: its path is kNone
    }
    const auto ids = batch_.plans.ids(i, s);
    found.counts.assign(ids.size(), 0);
    for (std::size_t t = 0; t < ids.size(); ++t) {
      if (ids[t] == kNoTerm) continue;
      const std::uint32_t count = count_of(i, s, t, found.wanted);
      found.counts[t] = count;
      volume(i, s).postings += count;
      volume(i, s).tiles += codecs::tile_count(count);
      if (batch_.bounds[i] == nullptr) continue;
      if (!may_have_bounds(s, ids[t], count)) volume(i, s).without_bounds += count;
    }
    volume(i, s).path = batch_.paths[i];
    const std::uint64_t few =
        batch_.paths[i] == Path::kPruned ? short_clause(i, s, found.counts) : kNone;
    if (few != kNone) {
      volume(i, s).path = Path::kExhaustive;
      if (!plan.filter().is_all()) volume(i, s).probes = probes_pay(i, s, few);
    }
    volume(i, s).work = volume(i, s).postings;
  }

  /// Whether looking so many documents up costs less than making the bitmap of the filter.
  bool probes_pay(std::size_t i, std::size_t s, std::uint64_t documents) {
    const FilterBitmap& filter = batch_.filters.find(i, s, batch_.plans.plan(i).filter());
    const FilterCosts costs(filter);
    return batch_.filters.may_probe(filter) &&
           costs.document * static_cast<double>(documents) < costs.bitmap;
  }

  /// Postings of a clause that has so few documents that looking them up in the other lists costs
  /// less than pruning: none of its lists is long enough for bounds. kNone if there is none.
  std::uint64_t short_clause(std::size_t i, std::size_t s,
                             std::span<const std::uint32_t> counts) const {
    const Plan& plan = batch_.plans.plan(i);
    const auto ids = batch_.plans.ids(i, s);
    std::uint64_t fewest = kNone;
    if (plan.disjunction()) return fewest;
    for (std::size_t c = 0; c < plan.clauses().size(); ++c) {
      const auto is_short = [&](std::uint32_t term) {
        return !may_have_bounds(s, ids[term], counts[term]);
      };
      if (!std::ranges::all_of(plan.clauses()[c], is_short)) continue;
      std::uint64_t postings = 0;
      for (const std::uint32_t term : plan.clauses()[c]) postings += counts[term];
      fewest = std::min(fewest, postings);
    }
    return fewest;
  }

  /// Of a plan that wants no scores: whether there is anything to be searched, and how.
  void look_for_matches(std::size_t i, std::size_t s, LookUp& found) {
    if (volume(i, s).path == Path::kNone) return;
    const std::span<const std::uint32_t> counts = found.counts;
    const Plan& plan = batch_.plans.plan(i);
    const index::Segment& place = batch_.plans.segment(i, s);
    const auto ids = batch_.plans.ids(i, s);
    const KeptLists kept = batch_.kept(s);
    if (const auto known = known_matches(place, plan, ids, counts, kept, index_.live(s))) {
      batch_.counts[i] += *known;
      volume(i, s).path = Path::kNone;
      return;
    }
    const FilterBitmap* const filter =
        plan.filter().is_all() ? nullptr : &batch_.filters.find(i, s, plan.filter());
    std::optional<std::uint64_t> passing;
    if (filter != nullptr) passing = filter->estimated();
    MatchCosts costs(place, plan, ids, counts, kept, passing);
    if (filter != nullptr && !options_.exhaustive && batch_.filters.may_probe(*filter)) {
      const MatchCosts all(place, plan, ids, counts, kept, std::nullopt);
      const FilterCosts evaluated(*filter);
      const double by_bitmap =
          evaluated.bitmap + std::min({costs.driven, costs.bitmaps, costs.filtered});
      const double by_matches =
          evaluated.document * costs.matches + std::min(all.driven, all.bitmaps);
      volume(i, s).probes = by_matches < by_bitmap;
      if (volume(i, s).probes) costs = all;
    }
    const double least = std::min(costs.driven, costs.bitmaps);
    if (costs.driven < costs.bitmaps) volume(i, s).path = Path::kCandidates;
    if (plan.want() == Want::kCount) {  // docids are to be written, too
      volume(i, s).work = static_cast<std::uint64_t>(least);
    }
    for (const Node& node : plan.expression()) {
      if (node.kind != Node::Kind::kTerm || ids[node.operand] == kNoTerm) continue;
      const index::TermId id = ids[node.operand];
      if (kept.has(id, counts[node.operand]) && kept.find(id) == nullptr) {
        found.bitmaps.push_back({s, id});
      }
    }
  }

  /// The length of a list; wants its bounds if they are missing.
  std::uint32_t count_of(std::size_t i, std::size_t s, std::size_t term,
                         std::vector<WantedBounds>& wanted) {
    const index::TermId id = batch_.plans.ids(i, s)[term];
    ScorerBounds* const scorer = batch_.bounds[i];
    const index::Segment& place = batch_.plans.segment(i, s);
    if (scorer == nullptr) return place.document_frequency(id);
    if (const ListBounds* bounds = scorer->segment(s).find(id)) return bounds->list.count;
    const std::uint32_t count = place.document_frequency(id);
    if (may_have_bounds(s, id, count)) {
      wanted.push_back({scorer, s, id, unit_of(batch_.plans.plan(i), term)});
    }
    return count;
  }

  /// Whether pruning can save anything: most matches of an OR with few postings are results, and
  /// far down those of any query are scored once more (kEarlierCost). Lists without bounds are read
  /// as a whole; of many terms they are to be few, since the search may find that it had better
  /// read all of them.
  static bool pays(const Plan& plan, std::uint64_t postings, std::uint64_t without_bounds) {
    if (plan.terms().size() > ScoreScale::kFewTerms && without_bounds > postings / 8) return false;
    const std::uint64_t before = plan.page().before;
    const std::uint64_t earlier = before == PageStart::kUnknown ? 0 : kEarlierCost * before;
    const bool narrows = plan.has_required() || (!plan.clauses().empty() && !plan.disjunction());
    return (narrows && earlier == 0) || postings / 4 > plan.k() + earlier;
  }

  void make_bounds() {
    const auto start = std::chrono::steady_clock::now();
    cache_.make(std::move(wanted_), batch_.stop);
    const std::chrono::duration<double> elapsed = std::chrono::steady_clock::now() - start;
    report_.bounds_seconds = elapsed.count();
    report_.bounds_bytes = cache_.bytes();
  }

  void add_tasks(std::size_t i) {
    batch_.first_task.push_back(batch_.tasks.size());
    whole_.clear();
    std::uint64_t work = 0;
    for (std::size_t s = 0; s < segments(); ++s) {
      report_.postings += volume(i, s).postings;
      report_.tiles_total += volume(i, s).tiles;
      const Path path = volume(i, s).path;
      if (path == Path::kNone) continue;
      work += volume(i, s).work;
      const std::uint64_t documents = segment(s).statistics().documents;
      whole_.push_back({s, path, {0, static_cast<index::Docid>(documents)}, volume(i, s).probes});
    }
    split(i, work);
  }

  static std::uint64_t windows_of(const Piece& piece) {
    return (std::uint64_t{piece.range.end} + kScoreWindow - 1) / kScoreWindow;
  }

  /// Appends the tasks of a plan that is to search `whole_` segments: one, or several of as many
  /// windows where the batch alone does not keep the threads busy.
  void split(std::size_t plan, std::uint64_t work) {
    std::uint64_t windows = 0;
    for (const Piece& piece : whole_) windows += windows_of(piece);
    const std::uint64_t threads = options_.threads;
    const std::uint64_t wanted = threads == 1 || plans() >= 4 * threads ? 1 : 4 * threads;
    const std::uint64_t worth = 1 + work / kMinPostingsPerPart;
    const std::uint64_t parts = std::min({wanted, worth, windows});
    for (std::uint64_t part = 0; part < parts; ++part) {
      const std::size_t first = batch_.pieces.size();
      add_pieces(windows * part / parts, windows * (part + 1) / parts);
      batch_.tasks.push_back({plan, first, batch_.pieces.size() - first});
    }
  }

  /// Appends what the windows first .. last - 1 of all `whole_` segments have of each of them.
  void add_pieces(std::uint64_t first, std::uint64_t last) {
    std::uint64_t base = 0;
    for (Piece piece : whole_) {
      const std::uint64_t end = base + windows_of(piece);
      if (first < end && last > base) {
        const std::uint64_t begin = (std::max(first, base) - base) * kScoreWindow;
        if (last < end) piece.range.end = static_cast<index::Docid>((last - base) * kScoreWindow);
        piece.range.begin = static_cast<index::Docid>(begin);
        batch_.pieces.push_back(piece);
      }
      base = end;
    }
  }

  Batch& batch_;
  const index::Index& index_;
  BoundsCache& cache_;
  ListBitmaps& lists_;
  const BatchOptions& options_;
  Report& report_;
  std::vector<Volume> volumes_;             ///< by plan and segment
  std::vector<std::uint32_t> least_dense_;  ///< by segment
  std::vector<Piece> whole_;                ///< the segments that a plan is to search
  std::mutex mutex_;
  std::vector<WantedBounds> wanted_;
  std::vector<WantedBitmap> wanted_bitmaps_;
};

}  // namespace

Batch::Batch(std::span<const Plan> all, const index::Index& index, FilterCache& cache,
             const CandidateFilters& candidates, std::stop_token token)
    : plans(all, index, token),
      filters(cache, candidates, all.size(), index.segments().size()),
      stop(std::move(token)),
      paths(all.size(), Path::kNone),
      bounds(all.size()),
      counts(all.size()),
      floors(new std::atomic<std::uint32_t>[all.size()]()) {}

void prepare(Batch& batch, const index::Index& index, BoundsCache& cache, ListBitmaps& lists,
             const BatchOptions& options, Report& report) {
  Preparation(batch, index, cache, lists, options, report).run();
}

}  // namespace gannet::query
