#include "index/updates/merge.hpp"

#include <chrono>
#include <utility>
#include <vector>

#include "codecs/base/error.hpp"
#include "index/commit/segment_copy.hpp"
#include "index/index_writer.hpp"
#include "index/inversion/build_budget.hpp"
#include "index/manifest/manifest.hpp"
#include "index/updates/add.hpp"
#include "index/updates/merge/merge_plan.hpp"
#include "index/updates/merge/write_merged.hpp"
#include "index/work/thread_limit.hpp"

namespace gannet::index {
namespace {

/// Merging by tiers, a segment loses its deleted documents when they are more than one in so many.
constexpr std::uint64_t kDeletedShare = 3;

/// Whether a segment is written again for its deleted documents alone.
bool has_many_deleted(const Index& index, std::size_t segment, const MergeOptions& options) {
  const LiveDocuments* const live = index.live(segment);
  if (live == nullptr) return false;
  return options.tier == 0 || live->deleted() * kDeletedShare > live->documents();
}

/// What is merged, in order; a segment by itself only for its deleted documents.
std::vector<SegmentRun> runs_of(const Index& index, const MergeOptions& options) {
  std::vector<std::uint64_t> sizes;
  for (std::size_t s = 0; s < index.segments().size(); ++s) {
    sizes.push_back(MergedSegment(*index.segments()[s], index.live(s), 0).documents());
  }
  std::vector<SegmentRun> runs = options.tier == 0 ? plan_merges(sizes, options.max_segments)
                                                   : plan_tiers(sizes, options.tier);
  if (!options.drop_deleted) return runs;
  std::vector<SegmentRun> all;
  auto run = runs.begin();
  for (std::size_t s = 0; s < sizes.size();) {
    const bool merged = run != runs.end() && run->first == s;
    if (merged || has_many_deleted(index, s, options))
      all.push_back(merged ? *run : SegmentRun{s, 1});
    s += merged ? run->count : 1;
    run += merged ? 1 : 0;
  }
  return all;
}

/// What one segment is made of. Adds the documents that are left out to `dropped`.
std::vector<MergedSegment> segments_of(const Index& index, SegmentRun run, std::uint64_t& dropped) {
  std::vector<MergedSegment> segments;
  Docid base = 0;
  for (std::size_t s = run.first; s < run.first + run.count; ++s) {
    segments.emplace_back(*index.segments()[s], index.live(s), base);
    base += static_cast<Docid>(segments.back().documents());
    dropped += index.segments()[s]->statistics().documents - segments.back().documents();
  }
  return segments;
}

class Merge {
 public:
  Merge(const std::filesystem::path& directory, const MergeOptions& options, WriteOptions write)
      : options_(options),
        work_{BuildBudget::of(options.memory, thread_count(options.threads)), options.stop,
              options.progress},
        writer_(directory, std::move(write)) {}

  MergeReport run() {
    const Index& index = *writer_.kept();
    const std::vector<SegmentRun> runs = runs_of(index, options_);
    MergeReport report;
    report.segments = report.segments_before = index.segments().size();
    for (std::size_t i = 0; i < runs.size(); ++i) {
      if (i > 0) writer_.next_segment();
      writer_.replace(runs[i].first, runs[i].count);
      report.documents_merged +=
          write_merged(segments_of(index, runs[i], report.dropped), index.schema(), work_, writer_);
    }
    if (!runs.empty()) {
      writer_.commit();
      report.segments = writer_.segments();
      report.fallbacks = writer_.fallbacks();
    }
    report.documents = index.statistics().documents - report.dropped;
    return report;
  }

 private:
  const MergeOptions& options_;
  MergeWork work_;
  IndexWriter writer_;
};

double seconds_since(std::chrono::steady_clock::time_point start) {
  return std::chrono::duration<double>(std::chrono::steady_clock::now() - start).count();
}

}  // namespace

MergeOptions tiers_after(const BuildOptions& build, unsigned tier) {
  MergeOptions merge;
  merge.tier = tier;
  merge.memory = build.memory;
  merge.threads = build.threads;
  merge.stop = build.stop;
  merge.deadline = build.deadline;
  merge.progress = build.progress;
  merge.lock = build.write.lock;
  return merge;
}

MergeReport merge_into(const std::filesystem::path& from, const std::filesystem::path& to,
                       bool overwrite, const MergeOptions& options) {
  if (options.deadline != kNoDeadline) {
    return within_limits(options, [&](const MergeOptions& limited) {
      return merge_into(from, to, overwrite, limited);
    });
  }
  const auto start = std::chrono::steady_clock::now();
  const Index index = Index::open(from);
  WriteOptions write = options_for_copy(from);
  write.overwrite = overwrite;
  write.stop = options.stop;
  write.lock = options.lock;
  write.lock_wait = options.lock_wait;
  const MergeWork work{BuildBudget::of(options.memory, thread_count(options.threads)), options.stop,
                       options.progress};
  IndexWriter writer(to, write);
  MergeReport report;
  report.segments_before = index.segments().size();
  report.documents_merged =
      write_merged(segments_of(index, {0, index.segments().size()}, report.dropped), index.schema(),
                   work, writer);
  writer.commit();
  report.fallbacks = writer.fallbacks();
  report.segments = 1;
  report.documents = report.documents_merged;
  report.seconds = seconds_since(start);
  return report;
}

MergeReport merge_index(const std::filesystem::path& directory, const MergeOptions& options) {
  if (options.deadline != kNoDeadline) {
    return within_limits(
        options, [&](const MergeOptions& limited) { return merge_index(directory, limited); });
  }
  if (options.max_segments == 0) throw UsageError("an index has at least one segment");
  if (options.tier == 1) throw UsageError("a tier has two segments or more");
  const auto start = std::chrono::steady_clock::now();
  MergeReport report =
      Merge(directory, options,
            options_to_change(directory, options.stop, options.lock, options.lock_wait))
          .run();
  report.seconds = seconds_since(start);
  return report;
}

}  // namespace gannet::index
