// The bitmap index on the CPU: building it, its size, and the WAH paper's queries run by run on the
// atoms, in plain groups, and with CRoaring (where the build has it). All counts are compared.
#include <algorithm>
#include <cstdint>
#include <limits>
#include <stdexcept>
#include <string>
#include <vector>

#include "bench/frame/program.hpp"
#include "bench/frame/timing.hpp"
#include "bench/papers/wah/wah_set.hpp"
#include "codecs/wah/wah.hpp"

namespace gannet::bench {
namespace {

using wah::BitmapQuery;

struct Settings {
  double scale = 0.1;
  std::uint32_t columns = 64;
  std::uint32_t repeats = 6;
  std::uint32_t queries = 5;
  std::uint32_t threads = 2;
};

/// Mean seconds of a query; the first run of each is dropped. `counts` are filled when empty, and
/// compared otherwise.
template <class Count>
double time(const Settings& settings, const std::vector<BitmapQuery>& queries,
            std::vector<std::uint64_t>& counts, const Count& count) {
  double total = 0;
  for (std::uint32_t repeat = 0; repeat < settings.repeats; ++repeat) {
    for (std::size_t q = 0; q < queries.size(); ++q) {
      std::uint64_t found = 0;
      const double seconds = seconds_of([&] { found = count(queries[q]); });
      if (counts.size() <= q) counts.push_back(found);
      if (counts[q] != found) throw std::runtime_error("two ways of counting differ");
      if (repeat > 0) total += seconds;
    }
  }
  return total / static_cast<double>((settings.repeats - 1) * queries.size());
}

template <class Word>
void run_queries(const Settings& settings, Table& table, const IndexedSet<Word>& set,
                 const std::string& kind, const std::vector<BitmapQuery>& queries) {
  const auto view = set.bitmap.view();
  std::vector<std::uint64_t> counts;
  const double runs = time(settings, queries, counts, [&](const BitmapQuery& query) {
    const std::vector<Word> selected = wah::evaluate(view, query);
    return codecs::wah_count<Word>(selected);
  });
  const double groups = time(settings, queries, counts, [&](const BitmapQuery& query) {
    return wah::count_rows(view, query);
  });
  std::vector<Cell> cells{set.name, kind, static_cast<double>(8 * sizeof(Word)), runs * 1e6,
                          groups * 1e6};
  if (roaring_version().empty()) {
    cells.emplace_back("-");
  } else {
    double best = std::numeric_limits<double>::max();
    for (const RoaringUnion by : kRoaringUnions) {
      best = std::min(best, time(settings, queries, counts, [&](const BitmapQuery& query) {
                        return set.roaring.count(query, by);
                      }));
    }
    cells.emplace_back(1e6 * best);
  }
  table.add(std::move(cells));
}

template <class Word>
void run_set(const Settings& settings, const BitmapShape& shape, Table& sizes, Table& times) {
  IndexedSet<Word> set{"", wah::BitmapIndex<Word>(1), {}};
  const double seconds = seconds_of([&] { set = index_set<Word>(shape, settings.threads); });
  const auto view = set.bitmap.view();
  const double plain = static_cast<double>(view.rows) * view.vectors() / 8;
  sizes.add({set.name, static_cast<double>(8 * sizeof(Word)), static_cast<double>(view.rows),
             static_cast<double>(view.vectors()),
             static_cast<double>(view.atoms.size_bytes()) / 1e6,
             plain / static_cast<double>(view.atoms.size_bytes()),
             static_cast<double>(set.roaring.bytes()) / 1e6, seconds});
  run_queries(settings, times, set, "OR",
              or_queries(set.bitmap, settings.columns, settings.queries));
  run_queries(settings, times, set, "AND of ORs",
              and_queries(set.bitmap, settings.columns, settings.queries));
}

void run(Program& program, Settings& settings) {
  if (program.repeats() < 2) throw UsageError("--repeats must be at least 2");
  settings.repeats = static_cast<std::uint32_t>(program.repeats());
  Report& report = program.report();
  report.fact("CPU library", roaring_version().empty() ? "none" : roaring_version());
  Table& sizes = report.table({"wah-sizes",
                               "The indexes",
                               {"data", "bits", "rows", "vectors", "WAH MB", "ratio", "CRoaring MB",
                                "s to generate and build"},
                               {}});
  Table& times =
      report.table({"wah-cpu-queries",
                    "Queries in one thread, us",
                    {"data", "query", "bits", "WAH, run by run", "WAH, plain groups", "CRoaring"},
                    {}});
  for (const BitmapShape& shape : wah_data_sets(settings.scale)) {
    if (!program.wants(shape.name)) continue;
    run_set<std::uint32_t>(settings, shape, sizes, times);
    run_set<std::uint64_t>(settings, shape, sizes, times);
  }
}

}  // namespace
}  // namespace gannet::bench

int main(int argc, char** argv) {
  using namespace gannet::bench;
  Settings settings;
  Program program("bench_wah", "The bitmap index of the WAH paper on the CPU, CRoaring beside it.");
  program.repeats(6)
      .parts({"kddcup", "linkage", "BPA", "Zipf"})
      .option("scale", settings.scale, "rows, relative to the paper's")
      .option("columns", settings.columns, "vectors of a query")
      .option("queries", settings.queries, "different queries")
      .option("threads", settings.threads, "threads that build");
  return program.main(argc, argv, [&] { run(program, settings); });
}
