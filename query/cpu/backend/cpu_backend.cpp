// The CPU back end: one thread a query, or several where there are few queries.
#include <tbb/enumerable_thread_specific.h>
#include <tbb/info.h>
#include <tbb/parallel_for.h>
#include <tbb/task_arena.h>

#include <algorithm>
#include <chrono>
#include <cmath>
#include <functional>
#include <string>
#include <utility>

#include "codecs/base/cancellation.hpp"
#include "index/segment/live_documents.hpp"
#include "query/backend/backend.hpp"
#include "query/backend/result_layout.hpp"
#include "query/cpu/backend/batch.hpp"
#include "query/cpu/candidate_search.hpp"
#include "query/cpu/matching/bitmap_search.hpp"
#include "query/cpu/pruned/pruned_search.hpp"
#include "query/cpu/window_search.hpp"
#include "query/plan/making/plan_ranges.hpp"

namespace gannet::query {
namespace {

constexpr unsigned kMaxThreads = 1024;
/// More would be a mistake: a posting list of 8-bit bounds a posting.
constexpr double kMaxBoundsBits = 1024;

/// Joins the best of the parts of one plan: keys, best first.
std::vector<std::uint64_t> join_ranked(std::span<Collector> parts, std::uint32_t k) {
  std::vector<std::uint64_t> keys;
  std::size_t joined = 0;
  const auto add = [&](std::vector<std::uint64_t> more) {
    if (more.empty()) return;
    ++joined;
    if (keys.empty()) {
      keys = std::move(more);
    } else {
      keys.insert(keys.end(), more.begin(), more.end());
    }
  };
  for (Collector& part : parts) {
    add(std::move(part.ranked));
    add(part.top.take());
  }
  if (joined > 1) std::ranges::sort(keys, std::greater<>());
  if (keys.size() > k) keys.resize(k);
  return keys;
}

/// Joins what the parts of one plan gave, in the order of their documents.
PartialResult join(const Plan& plan, std::span<Collector> parts) {
  PartialResult result;
  for (Collector& part : parts) {
    result.count += part.count;
    if (parts.size() == 1) {
      result.docids = std::move(part.docids);
    } else {
      result.docids.insert(result.docids.end(), part.docids.begin(), part.docids.end());
    }
  }
  if (plan.want() == Want::kTopK) {
    const std::vector<std::uint64_t> keys = join_ranked(parts, plan.k());
    result.keys.assign(keys.begin(), keys.end());
  }
  return result;
}

/// Memory that a thread reuses from search to search.
struct Workspace {
  PrunedWorkspace pruned;
  Accumulators accumulators;
  BitmapWorkspace bitmaps;
  std::vector<PrunedPlace> places;  ///< those that are pruned
};

/// What a batch has used makes room, also if it has failed.
struct TrimAfter {
  FilterCache& filters;
  ~TrimAfter() { filters.trim(); }
};

class CpuBackend : public Backend {
 public:
  CpuBackend(std::shared_ptr<const index::Index> index, const CpuOptions& options)
      : index_(std::move(index)),
        parts_(options.threads == 0 ? cores() : std::min(options.threads, kMaxThreads)),
        kernels_(pruned_kernels(level_of(options))),
        word_kernels_(word_kernels(level_of(options))),
        bounds_(index_, checked_bits(options.bounds_bits)),
        lists_(index_, checked_bits(options.bitmap_bits)),
        filters_(index_, options.filter_bytes),
        columns_(options.column_bytes),
        candidates_{columns_, options.candidate_filters},
        arena_(static_cast<int>(std::min(parts_, cores()))) {}

  std::string name() const override { return "cpu"; }

  Results run(std::span<const Plan> plans, const SearchOptions& options,
              Report& report) const override {
    return within_limits(
        options, [&](const SearchOptions& limited) { return run_all(plans, {}, limited, report); });
  }

  std::optional<Results> run_to_bitmaps(std::span<const Plan> plans, std::span<Matches> matches,
                                        const SearchOptions& options,
                                        Report& report) const override {
    return within_limits(options, [&](const SearchOptions& limited) {
      arena_.execute([&] {  // their memory may be new, which one thread is long at
        tbb::parallel_for(std::size_t{0}, matches.size(), [&](std::size_t i) {
          throw_if_stopped(limited.stop);
          clear(matches[i], *index_);
        });
      });
      return run_all(plans, matches, limited, report);
    });
  }

 private:
  Results run_all(std::span<const Plan> plans, std::span<Matches> matches,
                  const SearchOptions& options, Report& report) const {
    const auto start = std::chrono::steady_clock::now();
    report = Report{.backend = name(), .reason = report.reason};
    report.queries = plans.size();
    Results results;
    const std::uint64_t filters_before = filters_.misses();
    {
      const TrimAfter trim{filters_};
      arena_.execute([&] {
        Batch batch(plans, *index_, filters_, candidates_, options.stop);
        batch.matches = matches;
        prepare(batch, *index_, bounds_, lists_, {options.exhaustive, parts_}, report);
        results = search(batch, plans, report);
      });
    }
    report.filter.made = filters_.misses() - filters_before;
    report.filter.bytes = filters_.bytes();
    const std::chrono::duration<double> elapsed = std::chrono::steady_clock::now() - start;
    report.seconds = elapsed.count();
    return results;
  }

  static unsigned cores() { return static_cast<unsigned>(tbb::info::default_concurrency()); }

  static codecs::SimdLevel level_of(const CpuOptions& options) {
    const codecs::SimdLevel best = codecs::best_simd_level();
    return std::min(options.simd.value_or(best), best);
  }

  static double checked_bits(double bits) {
    if (bits >= 0 && bits <= kMaxBoundsBits) return bits;
    throw UsageError("bounds and bitmaps of lists may take 0 to 1024 bits a posting, not " +
                     std::to_string(bits));
  }

  Results search(const Batch& batch, std::span<const Plan> plans, Report& report) const {
    std::vector<Collector> collectors;
    collectors.reserve(batch.tasks.size());
    const std::uint64_t documents = index_->statistics().documents;
    for (const Task& task : batch.tasks) {
      const Plan& plan = plans[task.plan];
      const auto k = static_cast<std::uint32_t>(std::min<std::uint64_t>(plan.k(), documents));
      collectors.emplace_back(plan.want(), k, plan.page().below);
    }
    tbb::parallel_for(std::size_t{0}, batch.tasks.size(),
                      [&](std::size_t i) { run(batch, batch.tasks[i], collectors[i]); });
    std::vector<PartialResult> partial(plans.size());
    for_plan_ranges(plans.size(), kPlansPerTask, [&](std::size_t begin, std::size_t end) {
      throw_if_stopped(batch.stop);
      for (std::size_t i = begin; i != end; ++i) {
        const std::size_t first = batch.first_task[i];
        partial[i] =
            join(plans[i], std::span(collectors).subspan(first, batch.first_task[i + 1] - first));
        partial[i].count += batch.counts[i];
      }
    });
    for (const Collector& part : collectors) add(part, report);
    return flatten(plans, {{partial}}, batch.stop);
  }

  static void add(const Collector& part, Report& report) {
    report.tiles_decoded += part.tiles_decoded;
    report.ranges_total += part.ranges_total;
    report.ranges_searched += part.ranges_searched;
    report.documents_scored += part.documents_scored;
    report.filter.add(part.filter);
  }

  void run(const Batch& batch, const Task& task, Collector& collector) const {
    throw_if_stopped(batch.stop);
    const StopScope scope(batch.stop);  // for lists that are checked, and filters that are bound
    const auto pieces = std::span(batch.pieces).subspan(task.first_piece, task.pieces);
    // No search waits for others, so a thread is never in two of them.
    Workspace& workspace = workspaces_.local();
    std::vector<PlanBitmaps> bitmaps = look_at_filters(batch, task, collector);
    const bool pruned = prune(batch, task, bitmaps, workspace, collector);
    for (std::size_t i = 0; i < pieces.size(); ++i) {
      if (nothing_passes(bitmaps[i])) continue;
      if (pruned && pieces[i].path == Path::kPruned) continue;
      if (!pieces[i].probes) bitmaps[i].complete(batch.stop);
      if (nothing_passes(bitmaps[i])) continue;
      search(batch, task.plan, pieces[i], bitmaps[i], workspace, collector);
    }
  }

  static bool nothing_passes(const PlanBitmaps& bitmaps) {
    return bitmaps.filters() && !bitmaps.on_candidates() && bitmaps.passing() == 0;
  }

  /// The bitmaps of a plan, by piece.
  static std::vector<PlanBitmaps> look_at_filters(const Batch& batch, const Task& task,
                                                  Collector& collector) {
    const Plan& plan = batch.plans.plan(task.plan);
    const auto pieces = std::span(batch.pieces).subspan(task.first_piece, task.pieces);
    std::vector<PlanBitmaps> bitmaps(pieces.size());
    if (!plan.asks_fields()) return bitmaps;
    for (std::size_t i = 0; i < pieces.size(); ++i) {
      const bool begins = pieces[i].range.begin == 0;
      bitmaps[i] = PlanBitmaps(batch.filters, task.plan, plan, pieces[i].segment, use_of(pieces[i]),
                               begins, batch.stop);
      if (bitmaps[i].filters() && begins) add(bitmaps[i], collector);
    }
    return bitmaps;
  }

  static FilterUse use_of(const Piece& piece) {
    if (piece.path == Path::kPruned) return FilterUse::kBounds;
    return piece.probes ? FilterUse::kMatches : FilterUse::kBitmap;
  }

  /// Searches the pieces that are to be pruned. False if they must be searched in another way.
  bool prune(const Batch& batch, const Task& task, std::span<const PlanBitmaps> bitmaps,
             Workspace& workspace, Collector& collector) const {
    std::vector<PrunedPlace>& places = workspace.places;
    places.clear();
    for (std::size_t i = 0; i < task.pieces; ++i) {
      const Piece& piece = batch.pieces[task.first_piece + i];
      if (piece.path != Path::kPruned || nothing_passes(bitmaps[i])) continue;
      places.push_back({&batch.plans.segment(task.plan, piece.segment),
                        &batch.bounds[task.plan]->segment(piece.segment), piece.range,
                        index_->docid_base(piece.segment),
                        batch.plans.ids(task.plan, piece.segment), &bitmaps[i],
                        held_back(batch.plans.plan(task.plan), piece.segment, bitmaps[i])});
    }
    return places.empty() ||
           search_pruned(places, batch.plans.plan(task.plan), kernels_, batch.stop,
                         batch.floors[task.plan], workspace.pruned, collector);
  }

  /// PrunedPlace::held_back: what a plan's filter does not let pass of documents that are there.
  std::uint64_t held_back(const Plan& plan, std::size_t number, const PlanBitmaps& bitmaps) const {
    if (!bitmaps.filters()) return 0;
    const index::LiveDocuments* const live = index_->live(number);
    const std::uint64_t deleted = live != nullptr && plan.live() ? live->deleted() : 0;
    return bitmaps.documents() - deleted - bitmaps.passing();
  }

  /// What was chosen of a plan, if no bitmap of a filter narrows it: ranked ones look their filter
  /// up only where a clause drives.
  static Driver chosen_driver(const Piece& piece) {
    return piece.path == Path::kBitmaps ? Driver::kNone : Driver::kClause;
  }

  void search(const Batch& batch, std::size_t number, const Piece& piece,
              const PlanBitmaps& bitmaps, Workspace& workspace, Collector& collector) const {
    const Plan& plan = batch.plans.plan(number);
    const auto ids = batch.plans.ids(number, piece.segment);
    const index::Segment& place = batch.plans.segment(number, piece.segment);
    collector.base = index_->docid_base(piece.segment);
    if (number < batch.matches.size()) {
      collector.bitmap = &batch.matches[number].segments[piece.segment];
    }
    const bool ranked = plan.want() == Want::kTopK;
    const KeptLists kept = ranked ? KeptLists{} : batch.kept(piece.segment);
    const bool chosen = bitmaps.on_candidates() || !(ranked || bitmaps.filters());
    const Driver driver = chosen   ? chosen_driver(piece)
                          : ranked ? ranked_driver(place, plan, ids, bitmaps)
                                   : match_driver(place, plan, ids, kept, bitmaps);
    if (driver != Driver::kNone) {
      search_candidates(place, plan, ids, kept, bitmaps, driver, piece.range, batch.stop,
                        collector);
    } else if (ranked) {
      search_windows(place, plan, ids, bitmaps, piece.range, batch.stop, workspace.accumulators,
                     collector);
    } else {
      search_bitmaps(place, plan, ids, kept, bitmaps, piece.range, word_kernels_, batch.stop,
                     workspace.bitmaps, collector);
    }
  }

  static void add(const PlanBitmaps& bitmaps, Collector& collector) {
    if (bitmaps.on_candidates()) {
      ++collector.filter.on_candidates;
      return;
    }
    collector.filter.documents += bitmaps.documents();
    collector.filter.estimated += bitmaps.estimated();
    collector.filter.passing += bitmaps.passing();
  }

  std::shared_ptr<const index::Index> index_;
  /// Threads that work is cut for; where there are fewer cores, fewer run at a time.
  unsigned parts_;
  const PrunedKernels& kernels_;
  const WordKernels& word_kernels_;
  mutable BoundsCache bounds_;
  mutable ListBitmaps lists_;
  mutable FilterCache filters_;
  /// Locks for itself.
  mutable PackedColumns columns_;
  CandidateFilters candidates_;
  mutable tbb::enumerable_thread_specific<Workspace> workspaces_;
  /// Any number of threads may enter it at the same time.
  mutable tbb::task_arena arena_;
};

}  // namespace

std::unique_ptr<Backend> make_cpu_backend(std::shared_ptr<const index::Index> index,
                                          const CpuOptions& options) {
  return std::make_unique<CpuBackend>(std::move(index), options);
}

}  // namespace gannet::query
