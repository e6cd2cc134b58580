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
// are compared with the CPU's.
#include <cstdint>
#include <iostream>
#include <map>
#include <stdexcept>
#include <string>
#include <vector>

#include "bench/frame/report.hpp"
#include "bench/papers/wah/staged_query.hpp"
#include "bench/papers/wah/wah_set.hpp"
#include "codecs/device/device.hpp"
#include "index/bitmap/device/bitmap_fused.hpp"

namespace gannet::bench {
namespace {

namespace po = boost::program_options;
using index::BitmapQuery;
using index::papers::WahMetadata;
using index::papers::WahPlan;
using index::papers::WahReduction;

struct Settings {
  double scale = 1;
  std::uint32_t columns = 64;
  std::uint32_t repeats = 6;
  std::uint32_t queries = 5;
  std::uint32_t batch = 256;
  std::uint32_t threads = 16;
  std::string sets;
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

template <class Word>
class SetBench {
 public:
  SetBench(const Settings& settings, Tables& tables, IndexedSet<Word> set, double place)
      : settings_(settings),
        tables_(tables),
        set_(std::move(set)),
        place_(place),
        device_(set_.bitmap.view()),
        metadata_(device_, index::papers::BitmapMetadata::all()),
        staged_(device_, metadata_, settings.columns, true),
        fused_(device_) {}

  void run() {
    report_memory();
    const auto ors = or_queries(set_.bitmap, settings_.columns, settings_.queries);
    const auto ands = and_queries(set_.bitmap, settings_.columns, settings_.queries);
    run_queries("OR", ors);
    run_queries("AND of ORs", ands);
  }

 private:
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

  void run_queries(const std::string& kind, const std::vector<BitmapQuery>& queries) {
    std::vector<std::uint64_t> expected;
    for (const auto& query : queries) {
      expected.push_back(index::count_rows(set_.bitmap.view(), query));
    }
    const auto staged = [&](const WahPlan& plan) {
      return time(queries, expected, index::papers::name_of(plan),
                  [&](const BitmapQuery& query) { return staged_.count(query, plan); });
    };
    Times baseline;
    for (WahPlan plan : index::papers::paper_plans()) {
      const std::string name = index::papers::name_of(plan);
      Times times{staged(plan), 0};
      plan.together = true;
      times.together = staged(plan);
      if (baseline.apart == 0) baseline = times;
      row(kind, name, times, baseline);
    }
    const double fused = time(queries, expected, "fused",
                              [&](const BitmapQuery& query) { return fused_.count(query); });
    row(kind, "fused (ours)", {fused, fused}, baseline);
    const double select = time(queries, expected, "fused, with the bit vector",
                               [&](const BitmapQuery& query) { return fused_.select(query); });
    row(kind, "fused, bit vector stored (ours)", {select, select}, baseline);
    if (kind == "OR") report_reductions(queries, expected);
    const double each = time_batch(queries, expected);
    row(kind, "fused, in batches (ours)", {each, each}, baseline);
    report_cpu(kind, queries, expected, fused, each);
    tables_.best.add({set_.name, kind, baseline.apart * 1e6, baseline.together * 1e6, fused * 1e6,
                      baseline.apart / fused, baseline.together / fused, each * 1e6,
                      baseline.apart / each, baseline.together / each});
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
            1e6 * time(queries, expected, index::papers::name_of(plan),
                       [&](const BitmapQuery& query) { return staged_.count(query, plan); }));
      }
      tables_.reductions.add(std::move(cells));
    }
  }

  /// Seconds a query, many of them in one launch.
  double time_batch(const std::vector<BitmapQuery>& queries,
                    const std::vector<std::uint64_t>& expected) {
    std::vector<BitmapQuery> batch;
    for (std::uint32_t i = 0; i < settings_.batch; ++i)
      batch.push_back(queries[i % queries.size()]);
    double total = 0;
    for (std::uint32_t repeat = 0; repeat < settings_.repeats; ++repeat) {
      std::vector<std::uint64_t> counts;
      const double seconds = seconds_of([&] { counts = fused_.counts(batch); });
      for (std::size_t i = 0; i < batch.size(); ++i) {
        expect_count(counts[i], expected[i % queries.size()], set_.name + ", a batch");
      }
      if (repeat > 0) total += seconds;
    }
    return total / (settings_.repeats - 1) / settings_.batch;
  }

  /// Seconds a query with all threads busy, a query each.
  double time_threads(const std::vector<BitmapQuery>& queries,
                      const std::vector<std::uint64_t>& expected) {
    const std::size_t total = std::size_t{settings_.threads} * 4;
    std::atomic<std::uint64_t> wrong{0};
    const double seconds = seconds_of([&] {
      in_parallel(settings_.threads, total, [&](std::size_t i) {
        const std::size_t q = i % queries.size();
        if (set_.roaring.count(queries[q]) != expected[q]) ++wrong;
      });
    });
    if (wrong != 0) throw std::runtime_error(set_.name + ", CRoaring in threads: a wrong count");
    return seconds / static_cast<double>(total);
  }

  void report_cpu(const std::string& kind, const std::vector<BitmapQuery>& queries,
                  const std::vector<std::uint64_t>& expected, double fused, double each) {
    const double wah = time(queries, expected, "WAH on the CPU", [&](const BitmapQuery& query) {
      return index::count_rows(set_.bitmap.view(), query);
    });
    std::vector<Cell> cells{set_.name, kind, wah * 1e6};
    if (roaring_version().empty()) {
      cells.insert(cells.end(), {"-", "-"});
    } else {
      const double one = time(queries, expected, "CRoaring",
                              [&](const BitmapQuery& query) { return set_.roaring.count(query); });
      cells.emplace_back(one * 1e6);
      cells.emplace_back(time_threads(queries, expected) * 1e6);
    }
    cells.emplace_back(fused * 1e6);
    cells.emplace_back(each * 1e6);
    if (cells[4].is_text()) {
      cells.emplace_back("-");
    } else {
      cells.emplace_back(cells[4].number() / (each * 1e6));
    }
    tables_.cpu.add(std::move(cells));
  }

  const Settings& settings_;
  Tables& tables_;
  IndexedSet<Word> set_;
  double place_;
  index::cuda::DeviceBitmap<Word> device_;
  index::papers::StagedMetadata<Word> metadata_;
  index::papers::StagedQuery<Word> staged_;
  index::cuda::FusedQuery<Word> fused_;
};

template <class Word>
void run_sets(const Settings& settings, Report& report) {
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
                    "Best against baseline, " + atoms,
                    {"data", "query", "baseline us", "together us", "fused us", "speed-up",
                     "over together", "in batches us", "speed-up in batches", "over together (b)"},
                    {}}),
      report.table({"wah-cpu" + suffix,
                    "Against the CPU: us a query, " + atoms,
                    {"data", "query", "WAH, 1 thread", "CRoaring, 1 thread",
                     "CRoaring, " + std::to_string(settings.threads) + " threads", "GPU fused",
                     "GPU in batches", "GPU over CRoaring in threads"},
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
    if (!settings.sets.empty() && settings.sets.find(shape.name) == std::string::npos) continue;
    SetBench<Word>(settings, tables, index_set<Word>(shape, settings.threads), place).run();
    std::cerr << shape.name << " is done\n";
  }
}

int run(int argc, char** argv) {
  Settings settings;
  std::uint32_t bits = 64;
  Report report("bench_cuda_wah",
                "Rebuilds figures 4 to 7 of the WAH paper, with CRoaring beside.");
  report.options().add_options()("scale", po::value(&settings.scale)->default_value(1),
                                 "rows, relative to the paper's")(
      "columns", po::value(&settings.columns)->default_value(64), "vectors of a query")(
      "repeats", po::value(&settings.repeats)->default_value(6),
      "runs of every query; the first is dropped")(
      "queries", po::value(&settings.queries)->default_value(5), "different queries")(
      "batch", po::value(&settings.batch)->default_value(256), "queries of a batch")(
      "threads", po::value(&settings.threads)->default_value(16), "threads of the host")(
      "sets", po::value(&settings.sets)->default_value(""), "only these: kddcup,linkage,BPA,Zipf")(
      "bits", po::value(&bits)->default_value(64), "of an atom: 32, or 64 as in the paper");
  if (!report.parse(argc, argv)) return report.status();
  if (settings.repeats < 2) throw std::runtime_error("--repeats must be at least 2");
  report.fact("device", codecs::cuda::device_name());
  report.fact("CPU library", roaring_version().empty() ? "none" : roaring_version());
  report.fact("vectors of a query", static_cast<double>(settings.columns));
  if (bits == 32) {
    run_sets<std::uint32_t>(settings, report);
  } else {
    run_sets<std::uint64_t>(settings, report);
  }
  return report.finish();
}

}  // namespace
}  // namespace gannet::bench

int main(int argc, char** argv) {
  try {
    return gannet::bench::run(argc, argv);
  } catch (const std::exception& error) {
    std::cerr << "bench_cuda_wah: " << error.what() << '\n';
    return 1;
  }
}
