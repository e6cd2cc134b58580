// Tables 1 to 4 and figure 3 of Mallia, Siedlaczek, Suel, Zahran, "GPU-Accelerated Decoding of
// Integer Lists" (CIKM 2019), with the CPU codecs that the paper compares with. Without a GPU its
// columns stay empty.
#include <fmt/format.h>

#include <iostream>
#include <map>
#include <unordered_set>

#include "bench/frame/program.hpp"
#include "bench/papers/cikm19/cikm19_methods.hpp"
#include "codecs/base/cuda/device.hpp"
#include "codecs/docids.hpp"
#include "corpora/lists/ds2i.hpp"
#include "corpora/synthetic/synthetic.hpp"
#include "corpora/topics/topics.hpp"

namespace gannet::bench {
namespace {

constexpr std::uint64_t kUniverse = 1u << 29;
constexpr std::uint64_t kSparse = 16;
constexpr std::uint64_t kDense = 25;
/// Lists of one length are made until they have so many values together.
constexpr std::uint64_t kSample = 1u << 21;

struct Options {
  std::uint64_t longest = kDense;
  std::string collection;
  std::string queries;
  std::uint64_t postings = 200'000'000;
};

Lists synthetic_gaps(corpora::ListModel model, std::uint64_t log_length, std::uint64_t total) {
  Lists lists;
  const std::uint64_t length = std::uint64_t{1} << log_length;
  for (std::uint64_t i = 0; i < std::max<std::uint64_t>(1, total / length); ++i) {
    lists.push_back(codecs::gaps_of(corpora::synthetic_list(model, length, kUniverse, 100 + i)));
  }
  return lists;
}

void table1(Report& report, const std::vector<Method>& methods, std::uint64_t dense) {
  Table& table = report.table(
      {"table1",
       fmt::format("Table 1: bits per integer; sparse = 2^{}, dense = 2^{} "
                   "ids of [0, 2^29)",
                   kSparse, dense),
       {"method", "uniform sparse", "uniform dense", "clustered sparse", "clustered dense"},
       {}});
  std::map<std::string, std::vector<Cell>> rows;
  for (const auto model : {corpora::ListModel::kUniform, corpora::ListModel::kClustered}) {
    for (const std::uint64_t length : {kSparse, dense}) {
      const Lists lists = synthetic_gaps(model, length, kSample);
      for (const Method& method : methods) {
        rows[method.name].push_back(bits_per_integer(method, lists));
      }
    }
  }
  for (const Method& method : methods) {
    std::vector<Cell> row{method.name};
    row.insert(row.end(), rows[method.name].begin(), rows[method.name].end());
    table.add(std::move(row));
  }
}

using Curves = std::map<std::string, std::map<std::uint64_t, double>>;

/// Figure 3, for single lists: the returned curves are million integers/s by method and length.
Curves figure3(Report& report, const std::vector<Method>& methods, std::uint64_t longest) {
  Figure& figure = report.figure({"cikm19-fig3",
                                  "Figure 3: decoding one list, uniform",
                                  "list length",
                                  "million integers/s",
                                  true,
                                  true,
                                  {},
                                  {}});
  Curves curves;
  for (std::uint64_t length = kSparse; length <= longest; ++length) {
    std::cerr << "figure 3: 2^" << length << '\n';
    const Lists list = synthetic_gaps(corpora::ListModel::kUniform, length, 0);
    for (const Method& method : methods) {
      if (method.gpu && !codecs::cuda::available()) continue;
      const Speeds speeds = method.measure(list);
      const double at = static_cast<double>(std::uint64_t{1} << length);
      curves[method.name][length] = speeds.launch;
      figure.add(method.name, at, speeds.launch);
      if (speeds.graph > 0) figure.add(method.name + ", graph", at, speeds.graph);
    }
  }
  return curves;
}

/// The CPU codec that the paper compares a GPU codec with: first the plain one, then the SIMD one.
std::vector<std::string> baselines_of(const std::string& gpu_codec) {
  return gpu_codec.starts_with("gpu-bp") ? std::vector<std::string>{"bp32", "simd-bp128"}
                                         : std::vector<std::string>{"varint-gb", "stream-vbyte"};
}

void table3(Report& report, const std::vector<Method>& methods, const Curves& curves) {
  if (!codecs::cuda::available()) return;
  Table& table = report.table({"table3",
                               "Table 3: speedup of one GPU launch over one CPU thread",
                               {"method", "against"},
                               {}});
  const auto& lengths = curves.begin()->second;
  for (const auto& [length, speed] : lengths) table.columns.push_back(fmt::format("2^{}", length));
  for (const Method& method : methods) {
    if (!method.gpu) continue;
    for (const std::string& baseline : baselines_of(method.name)) {
      if (curves.count(baseline) == 0) continue;
      std::vector<Cell> row{method.name, baseline};
      for (const auto& [length, speed] : curves.at(method.name)) {
        row.emplace_back(speed / curves.at(baseline).at(length));
      }
      table.add(std::move(row));
    }
  }
}

/// Numbers of the collection's lists that the queries name; all lists without queries.
std::vector<std::uint64_t> chosen_lists(const index::InvertedSource& source,
                                        const std::string& queries) {
  std::vector<std::uint64_t> chosen;
  std::unordered_set<std::string> terms;
  if (!queries.empty()) {
    for (const corpora::Topic& topic : corpora::read_topics(queries)) {
      std::size_t begin = 0;
      while ((begin = topic.text.find_first_not_of(' ', begin)) != std::string::npos) {
        const std::size_t end = std::min(topic.text.find(' ', begin), topic.text.size());
        terms.insert(topic.text.substr(begin, end - begin));
        begin = end;
      }
    }
  }
  for (std::uint64_t i = 0; i < source.lists(); ++i) {
    if (queries.empty() || terms.count(source.term(i)) > 0) chosen.push_back(i);
  }
  return chosen;
}

/// The docids (as gaps) and frequencies (less 1) of lists until `most` postings are reached.
void read_lists(const index::InvertedSource& source, const std::vector<std::uint64_t>& chosen,
                std::uint64_t most, Lists& gaps, Lists& freqs) {
  std::uint64_t postings = 0;
  std::vector<std::uint32_t> docids;
  std::vector<std::uint32_t> counts;
  for (const std::uint64_t i : chosen) {
    source.list(i, docids, counts);
    if (docids.empty()) continue;
    postings += docids.size();
    if (postings > most) return;
    gaps.push_back(codecs::gaps_of(docids));
    for (std::uint32_t& count : counts) --count;
    freqs.push_back(counts);
  }
}

/// Tables 2 and 4 for one collection: sizes and speeds of docids and frequencies.
void tables24(Report& report, const std::vector<Method>& methods, const Options& options) {
  if (options.collection.empty()) return;
  Lists gaps;
  Lists freqs;
  const auto source = corpora::open_ds2i(options.collection);
  read_lists(*source, chosen_lists(*source, options.queries), options.postings, gaps, freqs);
  if (gaps.empty()) throw UsageError("no list of the collection is named by the queries");
  report.fact("lists of tables 2 and 4", static_cast<double>(gaps.size()));
  report.fact("their postings", static_cast<double>(total_values(gaps)));
  Table& sizes =
      report.table({"table2", "Table 2: bits per integer", {"method", "docids", "freqs"}, {}});
  Table& speeds = report.table({"table4",
                                "Table 4: million integers/s (GPU: all lists in one launch)",
                                {"method", "docids", "freqs"},
                                {}});
  for (const Method& method : methods) {
    std::cerr << "tables 2 and 4: " << method.name << '\n';
    sizes.add({method.name, bits_per_integer(method, gaps), bits_per_integer(method, freqs)});
    if (method.gpu && !codecs::cuda::available()) continue;
    speeds.add({method.name, method.measure(gaps).launch, method.measure(freqs).launch});
  }
}

void run(Program& program, const Options& options) {
  if (options.longest < kSparse || options.longest > 27) {
    throw UsageError("--longest must be from 16 to 27");
  }
  Report& report = program.report();
  const std::vector<Method> methods = all_methods(program.repeats());
  if (codecs::cuda::available()) {
    program.device();
  } else {
    report.fact("device", "none");
  }
  if (program.wants("1")) table1(report, methods, options.longest);
  if (program.wants("3")) table3(report, methods, figure3(report, methods, options.longest));
  if (program.wants("2")) tables24(report, methods, options);
}

}  // namespace
}  // namespace gannet::bench

int main(int argc, char** argv) {
  using namespace gannet::bench;
  Options options;
  Program program("bench_cikm19",
                  "Tables 1 to 4 and figure 3 of \"GPU-Accelerated Decoding of Integer Lists\" "
                  "(CIKM 2019); the "
                  "parts are table 1, tables 2 and 4, figure 3 with table 3.");
  program.repeats(25)
      .parts({"1", "2", "3"})
      .option("longest", options.longest, "longest list is 2^N, N = 16..27")
      .option("collection", options.collection,
              "ds2i collection (BASE.docs, BASE.freqs) for tables 2 and 4")
      .option("queries", options.queries, "only the lists of these queries' terms")
      .option("postings", options.postings, "stop reading lists at so many postings");
  return program.main(argc, argv, [&] { run(program, options); });
}
