// Queries over a synthetic collection: batches on every back end that there is.
#include <benchmark/benchmark.h>
#include <unistd.h>

#include <filesystem>
#include <memory>
#include <optional>
#include <string>
#include <vector>

#include "bench/frame/benchmark_main.hpp"
#include "corpora/synthetic/synthetic.hpp"
#include "query/searcher.hpp"

namespace gannet::bench {
namespace {

constexpr std::size_t kTopics = 1000;

/// An index in a temporary folder, and topics for it; removed at the end of the program.
class Collection {
 public:
  Collection()
      : folder_(std::filesystem::temp_directory_path() /
                ("gannet-bench-" + std::to_string(getpid()))) {
    corpora::SyntheticText shape;
    shape.documents = 100000;
    shape.vocabulary = 50000;
    const auto source = corpora::synthetic_documents(shape);
    index::build_index(*source, folder_, {});
    index_ = std::make_shared<const index::Index>(index::Index::open(folder_));
    const corpora::TextGenerator generator(shape);
    for (std::size_t i = 0; i < kTopics; ++i) topics_.push_back(generator.topic(i).text);
  }
  ~Collection() {
    index_.reset();
    std::error_code ignored;
    std::filesystem::remove_all(folder_, ignored);
  }
  Collection(const Collection&) = delete;
  Collection& operator=(const Collection&) = delete;

  std::shared_ptr<const index::Index> index() const { return index_; }
  const std::vector<std::string>& topics() const { return topics_; }

 private:
  std::filesystem::path folder_;
  std::shared_ptr<const index::Index> index_;
  std::vector<std::string> topics_;
};

struct Case {
  query::BackendChoice backend;
  query::Query query;  ///< without text
  std::size_t batch;
  std::string name;
};

void run(benchmark::State& state, const Collection& collection, const Case& the_case) {
  query::SearcherOptions options;
  options.backend = the_case.backend;
  query::Searcher searcher(collection.index(), options);
  std::vector<query::Plan> plans;
  query::Query query = the_case.query;
  for (const std::string& topic : collection.topics()) {
    query.text = topic;
    plans.push_back(searcher.plan(query, /*plain=*/true));
  }
  std::size_t first = 0;
  std::uint64_t queries = 0, postings = 0;
  for (auto _ : state) {
    query::Report report;
    benchmark::DoNotOptimize(
        searcher.search(std::span(plans).subspan(first, the_case.batch), &report));
    queries += report.queries;
    postings += report.postings;
    first = (first + the_case.batch) % plans.size();
  }
  state.SetItemsProcessed(static_cast<std::int64_t>(queries));
  state.counters["postings/s"] =
      benchmark::Counter(static_cast<double>(postings), benchmark::Counter::kIsRate);
}

std::vector<Case> all_cases() {
  std::vector<std::pair<query::BackendChoice, std::string>> backends{
      {query::BackendChoice::kCpu, "cpu"}};
  if (query::cuda_available()) backends.emplace_back(query::BackendChoice::kCuda, "cuda");
  std::vector<Case> cases;
  for (const auto& [backend, name] : backends) {
    for (const auto mode : {query::Mode::kOr, query::Mode::kAnd}) {
      for (const std::uint32_t k : {10u, 1000u}) {
        for (const std::size_t batch : {std::size_t{1}, kTopics}) {
          query::Query query;
          query.mode = mode;
          query.k = k;
          cases.push_back({backend, query, batch,
                           name + (mode == query::Mode::kOr ? "/or" : "/and") +
                               "/k:" + std::to_string(k) + "/batch:" + std::to_string(batch)});
        }
      }
    }
  }
  return cases;
}

}  // namespace
}  // namespace gannet::bench

int main(int argc, char** argv) {
  std::optional<gannet::bench::Collection> collection;
  return gannet::bench::run_benchmarks(argc, argv, [&] {
    collection.emplace();
    for (const auto& the_case : gannet::bench::all_cases()) {
      const auto run = [&collection, the_case](benchmark::State& state) {
        gannet::bench::run(state, *collection, the_case);
      };
      // The back end's own threads work too: wall time counts.
      benchmark::RegisterBenchmark(the_case.name.c_str(), run)->UseRealTime();
    }
  });
}
