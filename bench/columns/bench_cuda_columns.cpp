// Columns of fields on the device: filters to bitmaps, facet counts, the first documents in the
// order of a column. Every result is compared with a loop's.
#include <fmt/format.h>
#include <tbb/task_arena.h>

#include <algorithm>
#include <bit>
#include <chrono>
#include <cmath>
#include <functional>
#include <memory>
#include <stdexcept>
#include <string>
#include <utility>
#include <vector>

#include "bench/columns/made_column.hpp"
#include "bench/frame/data.hpp"
#include "bench/frame/program.hpp"
#include "query/gpu/device/columns/column_launches.hpp"
#include "query/gpu/device/columns/device_field.hpp"
#include "query/gpu/device/matches/column_pass.hpp"
#include "query/gpu/device/memory/arena.hpp"
#include "query/gpu/plan/filter_programs.hpp"
#include "query/gpu/plan/pruned/tables.hpp"
#include "tools/measure/device/timing.hpp"

namespace gannet::bench {
namespace {

namespace cuda = query::cuda;
using codecs::cuda::check;
using codecs::cuda::DeviceArray;

/// Copies of a column together, so that each is read from memory and not from the L2 cache.
constexpr std::uint64_t kRotated = std::uint64_t{256} << 20;
constexpr std::uint32_t kDays = 7305;

/// Codes of the columns that issue figures are asked for: a keyword of 100 values and one of
/// 100,000, a uniform integer, a day that grows with the docid, give or take 30 days.
std::vector<MadeColumn> make_columns(std::uint64_t documents) {
  const auto uniform = [&](std::uint64_t seed, std::uint64_t values) {
    return generated(documents, [=](std::uint64_t i) {
      return corpora::mix64(i * 0x9e3779b97f4a7c15u + seed) % values;
    });
  };
  std::vector<MadeColumn> made;
  made.emplace_back("keyword of 100", uniform(1, 100));
  made.emplace_back("keyword of 100,000", uniform(2, 100000));
  made.emplace_back("uniform, 32 bits", uniform(3, 0xffffffff));
  made.emplace_back("day", generated(documents, [&](std::uint64_t i) {
                      return i * kDays / documents + corpora::mix64(i) % 60;
                    }));
  return made;
}

/// Several copies of a column on the device.
std::vector<std::shared_ptr<const cuda::DeviceField>> copies_of(const MadeColumn& column) {
  tbb::task_arena arena;
  std::vector<std::shared_ptr<const cuda::DeviceField>> copies;
  std::uint64_t bytes = 0;
  while (bytes < kRotated) {
    copies.push_back(std::make_shared<const cuda::DeviceField>(column, arena, std::stop_token()));
    bytes += copies.back()->bytes();
  }
  return copies;
}

/// Filters of one column that are made together: each an interval of the same length.
class FiltersTogether {
 public:
  FiltersTogether(const MadeColumn& column, const cuda::DeviceField& field, std::uint32_t count,
                  double share, std::uint64_t* words, std::uint16_t* ranges) {
    const auto limit = static_cast<double>(column.code_limit());
    const cuda::FilterSources from{[&](const auto&) { return &field.view(); }, {}};
    cuda::FilterPrograms programs;
    for (std::uint32_t i = 0; i < count; ++i) {
      const auto first = static_cast<std::uint64_t>(limit * (1 - share) * i / count);
      const auto end =
          std::max<std::uint64_t>(first + 1, first + static_cast<std::uint64_t>(limit * share));
      ends_.emplace_back(first, end);
      query::SegmentFilter filter{.kind = query::SegmentFilter::Kind::kCodes, .column = &column};
      filter.codes = query::CodeSet({{first, end}});
      programs.add(filter, from);
    }
    const std::uint32_t documents = column.documents();
    arena_.reset(programs.room<cuda::Arena>() + cuda::Arena::room<cuda::FilterTarget>(count) +
                 cuda::Arena::room<unsigned long long>(count));
    programs.put(arena_);
    std::vector<cuda::FilterTarget> targets;
    for (std::uint32_t i = 0; i < count; ++i) {
      targets.push_back({programs.steps(i), programs.count(i),
                         words + i * cuda::bitmap_room(documents),
                         ranges + std::size_t{i} * cuda::padded_superblocks(documents)});
    }
    const cuda::FilterTarget* const there =
        arena_.put(std::span<const cuda::FilterTarget>(targets));
    search_ = {there, count, documents, arena_.put_zeroes<unsigned long long>(count)};
  }

  void send(cudaStream_t stream) { arena_.send(stream); }
  void launch(cudaStream_t stream) const { cuda::launch_find_filters(search_, stream); }
  /// The codes that pass filter i: first .. second - 1.
  std::pair<std::uint64_t, std::uint64_t> interval(std::size_t i) const { return ends_[i]; }

 private:
  cuda::Arena arena_;
  cuda::FilterSearch search_{};
  std::vector<std::pair<std::uint64_t, std::uint64_t>> ends_;
};

/// `count` filters together, whose times are given for one.
void measure_filters(Program& program, Table& table, const MadeColumn& column,
                     const std::vector<std::shared_ptr<const cuda::DeviceField>>& copies,
                     double share, std::uint32_t count) {
  const std::uint32_t documents = column.documents();
  const codecs::cuda::OwnedStream stream;
  DeviceArray<std::uint64_t> words(count * cuda::bitmap_room(documents));
  DeviceArray<std::uint16_t> ranges(std::size_t{count} * cuda::padded_superblocks(documents));
  std::vector<std::unique_ptr<FiltersTogether>> filters;
  for (const auto& copy : copies) {
    filters.push_back(std::make_unique<FiltersTogether>(column, *copy, count, share, words.data(),
                                                        ranges.data()));
    filters.back()->send(stream);
  }
  check(cudaMemsetAsync(words.data(), 0xa5, words.bytes(), stream), "cudaMemsetAsync");
  const auto launch = [&](int i) {
    filters[static_cast<std::size_t>(i) % filters.size()]->launch(stream);
  };
  const double seconds = measure::time_each(stream, program.repeats(), launch) / count;
  const double queued = measure::time_in_a_row(stream, program.repeats(), 8, launch) / count;
  stream.wait();
  std::uint64_t passing = 0;
  std::vector<std::uint64_t> found(cuda::bitmap_room(documents));
  for (const std::uint32_t f : {0u, count - 1}) {
    check(cudaMemcpy(found.data(), words.data() + f * found.size(), 8 * found.size(),
                     cudaMemcpyDeviceToHost),
          "cudaMemcpy from the device");
    const auto [first, end] = filters[0]->interval(f);
    for (std::uint32_t d = 0; d < documents; ++d) {
      const bool expected = column.values()[d] >= first && column.values()[d] < end;
      const bool passes = (found[d / 64] >> d % 64 & 1) != 0;
      if (passes != expected) throw std::runtime_error("a filter finds other documents");
      passing += expected ? 1 : 0;
    }
  }
  const auto bytes = static_cast<double>(copies[0]->bytes()) / count;
  const double written = documents / 8.0 + documents / 512.0;
  table.add({column.spec().name, static_cast<double>(count),
             8.0 * static_cast<double>(copies[0]->bytes()) / documents,
             100.0 * static_cast<double>(passing) / documents / 2, seconds * 1e6, queued * 1e6,
             (bytes + written) / queued / program.device().read_bytes_per_second});
}

/// A bitmap of about `share` of the documents, scattered.
std::vector<std::uint64_t> scattered(std::uint32_t documents, double share) {
  std::vector<std::uint64_t> words(cuda::bitmap_room(documents));
  const auto below = static_cast<std::uint64_t>(std::ldexp(share, 53));
  for (std::uint32_t d = 0; d < documents; ++d) {
    if (corpora::mix64(d + 77u) >> 11 < below) words[d / 64] |= std::uint64_t{1} << d % 64;
  }
  return words;
}

double seconds_of(const std::function<void(std::size_t)>& work, int repeats) {
  std::vector<double> samples;
  for (int i = -3; i < repeats; ++i) {
    const auto start = std::chrono::steady_clock::now();
    work(static_cast<std::size_t>(i + 3));
    const std::chrono::duration<double> taken = std::chrono::steady_clock::now() - start;
    if (i >= 0) samples.push_back(taken.count());
  }
  return measure::median(samples);
}

/// Matches on the device.
struct Matches {
  std::vector<std::uint64_t> words;
  DeviceArray<std::uint64_t> there;
  std::uint64_t count = 0;

  explicit Matches(std::vector<std::uint64_t> bits)
      : words(std::move(bits)), there(codecs::cuda::upload(std::span<const std::uint64_t>(words))) {
    for (const std::uint64_t word : words) count += static_cast<unsigned>(std::popcount(word));
  }
  bool has(std::uint32_t d) const { return (words[d / 64] >> d % 64 & 1) != 0; }
};

using Copies = std::vector<std::shared_ptr<const cuda::DeviceField>>;

/// A pass over the columns of matches, with the way to the host, of copies of a column in turn.
struct Passes {
  Passes(const Copies& of, query::ColumnWork wanted, const Matches& in)
      : work(std::move(wanted)), matches(in) {
    for (const auto& copy : of) {
      cuda::SegmentFields& made = fields.emplace_back();
      made.counted.assign(work.counted.size(), copy);
      for (const query::CountsWanted& counted : work.counted) {
        made.repeated.push_back(counted.codes == 0 ? repeated.of(copy) : nullptr);
      }
      made.totals.assign(work.totals.size(), copy);
      if (work.first) made.first = {copy};
    }
  }

  double seconds(int repeats) {
    return seconds_of(
        [&](std::size_t i) {
          const cuda::SegmentFields& of = fields[i % fields.size()];
          const std::uint32_t documents = documents_of(of);
          found = pass.run(of, work, {matches.there.data(), documents, matches.count});
        },
        repeats);
  }
  static std::uint32_t documents_of(const cuda::SegmentFields& of) {
    const auto& fields =
        !of.first.empty() ? of.first : (of.totals.empty() ? of.counted : of.totals);
    return fields.front()->view().documents;
  }

  query::ColumnWork work;
  const Matches& matches;
  cuda::RepeatedCodesCache repeated;
  std::vector<cuda::SegmentFields> fields;
  codecs::cuda::OwnedStream stream;
  cuda::ColumnPass pass{stream};
  query::SegmentFindings found;
};

constexpr std::uint32_t kListed = 100;  ///< values of a facet

void measure_facet(Program& program, Table& table, const MadeColumn& column, const Copies& copies,
                   const Matches& matches) {
  Passes passes(copies, {.counted = {{0, kListed}}}, matches);
  const double wall = passes.seconds(program.repeats());
  const auto& found = passes.found.counted[0];
  if (!found) throw std::runtime_error("a facet is not counted");
  std::vector<std::uint64_t> numbers;
  for (std::uint32_t d = 0; d < column.documents(); ++d) {
    if (matches.has(d)) numbers.push_back(column.values()[d]);
  }
  std::sort(numbers.begin(), numbers.end());
  std::vector<query::NumberCount> all;
  for (const std::uint64_t number : numbers) {
    if (all.empty() || all.back().number != number) all.push_back({number, 0});
    ++all.back().count;
  }
  if (found->distinct != all.size() || found->total != numbers.size()) {
    throw std::runtime_error("a facet counts otherwise");
  }
  const auto before = [](const auto& a, const auto& b) {
    return a.count != b.count ? a.count > b.count : a.number < b.number;
  };
  std::sort(all.begin(), all.end(), before);
  auto listed = found->counts;
  std::sort(listed.begin(), listed.end(), before);
  const std::size_t n = std::min<std::size_t>(kListed, all.size());
  if (listed.size() < n ||
      !std::equal(all.begin(), all.begin() + static_cast<std::ptrdiff_t>(n), listed.begin())) {
    throw std::runtime_error("other values are first in a facet");
  }
  table.add({column.spec().name, static_cast<double>(matches.count), wall * 1e6});
}

void measure_totals(Program& program, Table& table, const MadeColumn& column, const Copies& copies,
                    const Matches& matches) {
  Passes sums(copies, {.totals = {0}}, matches);
  const double wall = sums.seconds(program.repeats());
  Passes numbers(copies, {.counted = {{0, 0}}, .totals = {0}}, matches);
  const double with_distinct = numbers.seconds(program.repeats());
  std::uint64_t sum = 0;
  for (std::uint32_t d = 0; d < column.documents(); ++d) {
    if (matches.has(d)) sum += column.values()[d];
  }
  for (const Passes* passes : {&sums, &numbers}) {
    const auto& found = passes->found.totals[0];
    if (!found || found->sum != sum || found->values != matches.count) {
      throw std::runtime_error("values add up otherwise");
    }
  }
  table.add(
      {column.spec().name, static_cast<double>(matches.count), wall * 1e6, with_distinct * 1e6});
}

void measure_first(Program& program, Table& table, const MadeColumn& column, const Copies& copies,
                   const Matches& matches, std::uint32_t k) {
  Passes passes(copies, {.first = query::FirstWanted{{query::OrderKey{}}, k}}, matches);
  const double wall = passes.seconds(program.repeats());
  const auto& found = passes.found.first;
  if (!found || found->size() != k) throw std::runtime_error("the first ones are not found");
  std::vector<std::uint64_t> all;
  for (std::uint32_t d = 0; d < column.documents(); ++d) {
    if (matches.has(d)) all.push_back(std::uint64_t{column.values()[d]} << 32 | d);
  }
  std::nth_element(all.begin(), all.begin() + k, all.end());
  std::sort(all.begin(), all.begin() + k);
  for (std::uint32_t i = 0; i < k; ++i) {
    if (all[i] != ((*found)[i].codes[0] << 32 | (*found)[i].document)) {
      throw std::runtime_error("others are first");
    }
  }
  table.add(
      {column.spec().name, static_cast<double>(k), static_cast<double>(matches.count), wall * 1e6});
}

void run(Program& program, std::uint32_t documents) {
  program.device();
  Report& report = program.report();
  report.fact("documents", static_cast<double>(documents));
  Table& filters = report.table(
      {"filters",
       "Filters to bitmaps, with their ranges and counts, some at a time: microseconds of one. A "
       "read of the column counts once for all; in a row: eight launches, one behind the other; "
       "the ceiling is that of reading",
       {"column", "filters", "bits/document", "percent passing", "us", "in a row us",
        "of read ceiling in a row"},
       {}});
  Table& facets = report.table({"facets",
                                "The hundred codes that occur most often among matches, scattered "
                                "over the documents, with the way to the host",
                                {"column", "matches", "wall us"},
                                {}});
  Table& totals = report.table({"totals",
                                "Number, extremes and sum of the codes of matches, and with the "
                                "number of different ones besides, with the way to the host",
                                {"column", "matches", "wall us", "with distinct wall us"},
                                {}});
  Table& first = report.table({"first",
                               "The first k in the order of the column, with the way to the host",
                               {"column", "k", "matches", "wall us"},
                               {}});
  const Matches many(scattered(documents, 0.4));
  const Matches some(scattered(documents, 0.088));
  for (const MadeColumn& column : make_columns(documents)) {
    const auto copies = copies_of(column);
    for (const double share : {0.5, 0.1, 0.01}) {
      for (const std::uint32_t count : {1u, 16u, 64u}) {
        measure_filters(program, filters, column, copies, share, count);
      }
    }
    for (const Matches* matches : {&many, &some}) {
      measure_facet(program, facets, column, copies, *matches);
      measure_totals(program, totals, column, copies, *matches);
    }
    for (const std::uint32_t k : {10u, 1000u}) {
      measure_first(program, first, column, copies, many, k);
    }
  }
}

}  // namespace
}  // namespace gannet::bench

int main(int argc, char** argv) {
  std::uint32_t documents = 25'000'000;
  gannet::bench::Program program(
      "bench_cuda_columns",
      "Filters, facets and sorting by columns of fields on the device, by the kernels of the "
      "query layer.");
  program.repeats(25).option("documents", documents, "documents that have the fields");
  return program.main(argc, argv, [&] { gannet::bench::run(program, documents); });
}
