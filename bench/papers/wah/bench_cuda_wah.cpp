// Rebuilds figures 4 to 7 of the WAH paper (Tran et al., "Increasing the Efficiency of GPU Bitmap
// Index Query Processing") on data of the same shapes, adds the fused kernel, and compares with the
// CPU: WAH in one thread, and CRoaring (where the build has it) in one and in many.
//
// The paper's Algorithm 1 decompresses one vector; "vector by vector" calls it for each of a
// query's vectors, with its memory calls, as the paper does; "vectors together" is a stronger form
// of ours in which one call serves all vectors (10 memory calls a query instead of 10 a vector).
//
// A query's time is what its caller waits: from the call to the count in host memory, as the mean
// over several queries and repetitions, the first of which is dropped, as in the paper. All counts
// are compared with the CPU's. Our kernel goes through copies of the index which together do not
// fit the L2 cache; a batch has no query twice, and CRoaring's threads get the same ones.
#include <pthread.h>
#include <sched.h>

#include <algorithm>
#include <atomic>
#include <cstdint>
#include <deque>
#include <functional>
#include <iostream>
#include <limits>
#include <map>
#include <stdexcept>
#include <string>
#include <vector>

#include "bench/frame/program.hpp"
#include "bench/frame/timing.hpp"
#include "bench/papers/wah/bitmap/device/bitmap_fused.hpp"
#include "bench/papers/wah/staged_query.hpp"
#include "bench/papers/wah/wah_set.hpp"
#include "codecs/base/cuda/memory.hpp"
#include "tools/measure/threads.hpp"

namespace gannet::bench {
namespace {

using wah::BitmapQuery;
using wah::papers::WahMetadata;
using wah::papers::WahPlan;
using wah::papers::WahReduction;

struct Settings {
  double scale = 1;
  std::uint32_t columns = 64;
  std::uint32_t repeats = 6;
  std::uint32_t queries = 5;
  std::uint32_t batch = 256;
  std::uint32_t threads = 16;
};

/// What a data set's part of the report is filled from.
struct Tables {
  Table& memory;
  Table& speedups;
  Table& reductions;
  Table& best;
  Table& cpu;
  Figure& plot;
};

void expect_count(std::uint64_t found, std::uint64_t expected, const std::string& what) {
  if (found == expected) return;
  throw std::runtime_error(what + " counts " + std::to_string(found) + " rows, not " +
                           std::to_string(expected));
}

/// Keeps this thread on the i-th of the processors that the program may use.
void pin_thread(unsigned i) {
  cpu_set_t allowed;
  if (sched_getaffinity(0, sizeof allowed, &allowed) != 0) return;
  unsigned left = i % static_cast<unsigned>(std::max(CPU_COUNT(&allowed), 1));
  for (int cpu = 0; cpu < CPU_SETSIZE; ++cpu) {
    if (!CPU_ISSET(cpu, &allowed) || left-- > 0) continue;
    cpu_set_t one;
    CPU_ZERO(&one);
    CPU_SET(cpu, &one);
    pthread_setaffinity_np(pthread_self(), sizeof one, &one);
    return;
  }
}

template <class Word>
class SetBench {
 public:
  SetBench(const Settings& settings, Tables& tables, IndexedSet<Word> set, double place)
      : settings_(settings),
        tables_(tables),
        set_(std::move(set)),
        place_(place),
        device_(set_.bitmap.view()),
        metadata_(device_, wah::papers::BitmapMetadata::all()),
        staged_(device_, metadata_, settings.columns, true),
        team_(settings.threads) {
    // As many copies as do not fit the L2 cache twice: no query finds what another one has read.
    const auto cache =
        static_cast<std::uint64_t>(codecs::cuda::device_attribute(cudaDevAttrL2CacheSize));
    const auto bytes = device_.bytes();
    const std::uint64_t copies = std::min<std::uint64_t>(
        kMaxCopies, 1 + 2 * cache / std::max<std::uint64_t>(bytes.atoms + bytes.ranks, 1));
    for (std::uint64_t i = 0; i < copies; ++i) copies_.emplace_back(set_.bitmap.view());
    for (const auto& copy : copies_) fused_.emplace_back(copy);
    team_.run([](unsigned i) { pin_thread(i); });
  }

  void run() {
    report_memory();
    const auto ors = or_queries(set_.bitmap, settings_.columns, settings_.queries);
    const auto ands = and_queries(set_.bitmap, settings_.columns, settings_.queries);
    run_queries("OR", ors, distinct_or_queries(set_.bitmap, settings_.columns, settings_.batch));
    run_queries("AND of ORs", ands, and_queries(set_.bitmap, settings_.columns, settings_.batch));
  }

 private:
  static constexpr std::uint64_t kMaxCopies = 64;

  /// The next copy's queries.
  wah::cuda::FusedQuery<Word>& next_copy() { return fused_[turn_++ % fused_.size()]; }

  using Count = std::function<std::uint64_t(const BitmapQuery&)>;

  void report_memory() {
    const auto bytes = device_.bytes();
    const auto stored = metadata_.bytes();
    const auto atoms = static_cast<double>(bytes.atoms);
    const auto relative = [&](std::uint64_t extra) {
      return 1 + static_cast<double>(extra) / atoms;
    };
    const double plain = static_cast<double>(device_.rows()) * device_.vectors() / 8;
    tables_.memory.add({set_.name, static_cast<double>(device_.rows()),
                        static_cast<double>(device_.vectors()), atoms / 1e6, plain / atoms,
                        relative(stored.stage2_as_32), relative(stored.stage2_as_64),
                        relative(stored.stage4_as_32), relative(stored.decompressed),
                        relative(bytes.ranks), static_cast<double>(set_.roaring.bytes()) / 1e6});
  }

  /// Mean seconds of a query; checks every count.
  double time(const std::vector<BitmapQuery>& queries, const std::vector<std::uint64_t>& expected,
              const std::string& what, const Count& count) {
    double total = 0;
    for (std::uint32_t repeat = 0; repeat < settings_.repeats; ++repeat) {
      for (std::size_t q = 0; q < queries.size(); ++q) {
        std::uint64_t found = 0;
        const double seconds = seconds_of([&] { found = count(queries[q]); });
        expect_count(found, expected[q], set_.name + ", " + what);
        if (repeat > 0) total += seconds;
      }
    }
    return total / static_cast<double>((settings_.repeats - 1) * queries.size());
  }

  /// Seconds of a configuration, as the paper has it and with all vectors together; 0: has none.
  struct Times {
    double apart = 0;
    double together = 0;
  };

  std::vector<std::uint64_t> counts_of(const std::vector<BitmapQuery>& queries) {
    std::vector<std::uint64_t> counts(queries.size());
    run_on_team(queries.size(), [&](std::size_t q) {
      counts[q] = wah::count_rows(set_.bitmap.view(), queries[q]);
    });
    return counts;
  }

  /// `batch`: other queries of this kind, all different, for batches and for threads.
  void run_queries(const std::string& kind, const std::vector<BitmapQuery>& queries,
                   const std::vector<BitmapQuery>& batch) {
    const std::vector<std::uint64_t> expected = counts_of(queries);
    const std::vector<std::uint64_t> expected_of_batch = counts_of(batch);
    const auto staged = [&](const WahPlan& plan) {
      return time(queries, expected, wah::papers::name_of(plan),
                  [&](const BitmapQuery& query) { return staged_.count(query, plan); });
    };
    Times baseline;
    double best = std::numeric_limits<double>::max();
    for (WahPlan plan : wah::papers::paper_plans()) {
      const std::string name = wah::papers::name_of(plan);
      Times times{staged(plan), 0};
      plan.together = true;
      times.together = staged(plan);
      if (baseline.apart == 0) baseline = times;
      best = std::min(best, times.apart);
      row(kind, name, times, baseline);
    }
    const double fused = time(queries, expected, "fused",
                              [&](const BitmapQuery& query) { return next_copy().count(query); });
    row(kind, "fused (ours)", {fused, fused}, baseline);
    const double select = time(queries, expected, "fused, with the bit vector",
                               [&](const BitmapQuery& query) { return next_copy().select(query); });
    row(kind, "fused, bit vector stored (ours)", {select, select}, baseline);
    if (kind == "OR") report_reductions(queries, expected);
    const double each = time_batch(batch, expected_of_batch);
    row(kind, "fused, in batches (ours)", {each, each}, baseline);
    report_cpu(kind, queries, expected, batch, expected_of_batch, fused, each);
    tables_.best.add({set_.name, kind, baseline.apart * 1e6, best * 1e6, baseline.together * 1e6,
                      fused * 1e6, baseline.apart / fused, best / fused, baseline.together / fused,
                      each * 1e6, best / each});
  }

  void row(const std::string& kind, const std::string& name, Times times, Times baseline) {
    tables_.speedups.add({set_.name, kind, name, times.apart * 1e6, baseline.apart / times.apart,
                          times.together * 1e6, baseline.together / times.together});
    if (kind == "OR") tables_.plot.add(name, place_, baseline.apart / times.apart);
  }

  void report_reductions(const std::vector<BitmapQuery>& queries,
                         const std::vector<std::uint64_t>& expected) {
    for (const WahMetadata metadata : {WahMetadata::kStage4As32, WahMetadata::kDecompressed}) {
      std::vector<Cell> cells{set_.name,
                              metadata == WahMetadata::kDecompressed ? "decompressed" : "stage 4"};
      for (const WahReduction reduction :
           {WahReduction::kColumns, WahReduction::kRows, WahReduction::kHybrid}) {
        const WahPlan plan{.reuse = true,
                           .metadata = metadata,
                           .pool = true,
                           .reduction = reduction,
                           .together = true};
        cells.emplace_back(
            1e6 * time(queries, expected, wah::papers::name_of(plan),
                       [&](const BitmapQuery& query) { return staged_.count(query, plan); }));
      }
      tables_.reductions.add(std::move(cells));
    }
  }

  /// Seconds a query, all of the batch in one launch.
  double time_batch(const std::vector<BitmapQuery>& batch,
                    const std::vector<std::uint64_t>& expected) {
    std::vector<double> samples;
    for (std::uint32_t repeat = 0; repeat < settings_.repeats; ++repeat) {
      std::vector<std::uint64_t> counts;
      const double seconds = seconds_of([&] { counts = next_copy().counts(batch); });
      for (std::size_t i = 0; i < batch.size(); ++i) {
        expect_count(counts[i], expected[i], set_.name + ", a batch");
      }
      if (repeat > 0) samples.push_back(seconds);
    }
    return median(std::move(samples)) / static_cast<double>(batch.size());
  }

  /// work(i) for i in [0, count), shared out among the threads, which are there already.
  template <class Work>
  void run_on_team(std::size_t count, const Work& work) {
    std::atomic<std::size_t> next{0};
    team_.run([&](unsigned) {
      for (std::size_t i = next++; i < count; i = next++) work(i);
    });
  }

  /// Seconds a query of CRoaring with all threads busy, a query each; as often as the GPU, the
  /// first time not counted. Threads are started before, on a processor each where there are
  /// enough.
  double time_threads(const std::vector<BitmapQuery>& queries,
                      const std::vector<std::uint64_t>& expected, RoaringUnion by) {
    std::vector<double> samples;
    for (std::uint32_t repeat = 0; repeat < settings_.repeats; ++repeat) {
      std::atomic<std::uint64_t> wrong{0};
      const double seconds = seconds_of([&] {
        run_on_team(queries.size(), [&](std::size_t q) {
          if (set_.roaring.count(queries[q], by) != expected[q]) ++wrong;
        });
      });
      if (wrong != 0) throw std::runtime_error(set_.name + ", CRoaring: a wrong count");
      if (repeat > 0) samples.push_back(seconds);
    }
    return median(std::move(samples)) / static_cast<double>(queries.size());
  }

  void report_cpu(const std::string& kind, const std::vector<BitmapQuery>& queries,
                  const std::vector<std::uint64_t>& expected, const std::vector<BitmapQuery>& batch,
                  const std::vector<std::uint64_t>& expected_of_batch, double fused, double each) {
    const double wah = time(queries, expected, "WAH on the CPU", [&](const BitmapQuery& query) {
      return wah::count_rows(set_.bitmap.view(), query);
    });
    std::vector<Cell> cells{set_.name, kind, wah * 1e6};
    if (roaring_version().empty()) {
      cells.insert(cells.end(), {"-", "-", fused * 1e6, each * 1e6, "-"});
    } else {
      double one = std::numeric_limits<double>::max();
      double threads = one;
      for (const RoaringUnion by : kRoaringUnions) {
        one = std::min(one, time(queries, expected, "CRoaring", [&](const BitmapQuery& query) {
                         return set_.roaring.count(query, by);
                       }));
        threads = std::min(threads, time_threads(batch, expected_of_batch, by));
      }
      cells.insert(cells.end(),
                   {one * 1e6, threads * 1e6, fused * 1e6, each * 1e6, threads / each});
    }
    tables_.cpu.add(std::move(cells));
  }

  const Settings& settings_;
  Tables& tables_;
  IndexedSet<Word> set_;
  double place_;
  wah::cuda::DeviceBitmap<Word> device_;
  wah::papers::StagedMetadata<Word> metadata_;
  wah::papers::StagedQuery<Word> staged_;
  std::deque<wah::cuda::DeviceBitmap<Word>> copies_;
  std::deque<wah::cuda::FusedQuery<Word>> fused_;
  std::size_t turn_ = 0;
  tools::ThreadTeam team_;
};

template <class Word>
void run_sets(const Program& program, const Settings& settings, Report& report) {
  const std::string atoms = std::to_string(8 * sizeof(Word)) + "-bit atoms";
  const std::string suffix = sizeof(Word) == 8 ? "" : "-32";
  Tables tables{
      report.table({"wah-fig4" + suffix,
                    "Figure 4: memory, relative to the compressed vectors, " + atoms,
                    {"data", "rows", "vectors", "WAH MB", "ratio", "stage 2 (32)", "stage 2 (64)",
                     "stage 4 (32)", "decompressed", "ranks (ours)", "CRoaring MB"},
                    {}}),
      report.table({"wah-fig5-7" + suffix,
                    "Figures 5, 6 and 7: time of a query and speed-up over the baseline, " + atoms,
                    {"data", "query", "configuration", "us, vector by vector", "speed-up",
                     "us, vectors together", "speed-up (together)"},
                    {}}),
      report.table({"wah-reductions" + suffix,
                    "Reductions, with a pool, vectors together: us a query, " + atoms,
                    {"data", "metadata", "by column", "by row", "hybrid"},
                    {}}),
      report.table({"wah-best" + suffix,
                    "Ours against the paper's baseline (Algorithm 1 with five arrays allocated and "
                    "freed for every vector), the best of its ten configurations, and a baseline "
                    "that takes all vectors together: us a query, " +
                        atoms,
                    {"data", "query", "baseline", "best of the paper", "together", "ours",
                     "over the baseline", "over its best", "over together", "ours, in batches",
                     "batches over its best"},
                    {}}),
      report.table({"wah-cpu" + suffix,
                    "Against the CPU, all counting, warm: us a query; CRoaring by the fastest of "
                    "its three ways, " +
                        atoms,
                    {"data", "query", "WAH, 1 thread", "CRoaring, 1 thread",
                     "CRoaring, " + std::to_string(settings.threads) + " threads", "GPU",
                     "GPU in batches", "batches over CRoaring in threads"},
                    {}}),
      report.figure({"wah-speedups" + suffix,
                     "Speed-up over the baseline (1 kddcup, 2 linkage, 3 BPA, 4 Zipf), " + atoms,
                     "data set",
                     "speed-up",
                     false,
                     true,
                     {},
                     {}})};
  double place = 0;
  for (const BitmapShape& shape : wah_data_sets(settings.scale)) {
    ++place;
    if (!program.wants(shape.name)) continue;
    SetBench<Word>(settings, tables, index_set<Word>(shape, settings.threads), place).run();
    std::cerr << shape.name << " is done\n";
  }
}

void run(Program& program, Settings& settings, std::uint32_t bits) {
  if (program.repeats() < 2) throw UsageError("--repeats must be at least 2");
  settings.repeats = static_cast<std::uint32_t>(program.repeats());
  program.device();
  Report& report = program.report();
  report.fact("CPU library", roaring_version().empty() ? "none" : roaring_version());
  report.fact("vectors of a query", static_cast<double>(settings.columns));
  report.fact("different queries of a batch", static_cast<double>(settings.batch));
  if (bits == 32) {
    run_sets<std::uint32_t>(program, settings, report);
  } else {
    run_sets<std::uint64_t>(program, settings, report);
  }
}

}  // namespace
}  // namespace gannet::bench

int main(int argc, char** argv) {
  using namespace gannet::bench;
  Settings settings;
  std::uint32_t bits = 64;
  Program program("bench_cuda_wah", "Rebuilds figures 4 to 7 of the WAH paper, with CRoaring.");
  program.repeats(6)
      .parts({"kddcup", "linkage", "BPA", "Zipf"})
      .option("scale", settings.scale, "rows, relative to the paper's")
      .option("columns", settings.columns, "vectors of a query")
      .option("queries", settings.queries, "different queries that are timed alone")
      .option("batch", settings.batch, "different queries of a batch")
      .option("threads", settings.threads, "threads of the host")
      .option("bits", bits, "of an atom: 32, or 64 as in the paper");
  return program.main(argc, argv, [&] { run(program, settings, bits); });
}
