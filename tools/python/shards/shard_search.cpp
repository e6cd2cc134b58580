// Searching some shards of a set for a whole of which they are a part.
#include <algorithm>
#include <memory>
#include <span>

#include "codecs/base/deadline.hpp"
#include "index/shard_set.hpp"
#include "query/plan/batch_statistics.hpp"
#include "query/plan/word_expansions.hpp"
#include "query/results/join_results.hpp"
#include "tools/python/common.hpp"
#include "tools/python/index_handle.hpp"
#include "tools/python/search_options.hpp"

namespace gannet::python {
namespace {

template <class T>
using Array = nb::ndarray<const T, nb::ndim<1>, nb::c_contig, nb::device::cpu>;

template <class T>
std::span<const T> span_of(const Array<T>& array) {
  return {array.data(), array.shape(0)};
}

IndexHandle* open_shards(const std::string& path, std::size_t first, std::size_t last,
                         const nb::dict& arguments) {
  const query::SearcherOptions options = searcher_options(arguments);
  const nb::gil_scoped_release unlocked;
  auto index = std::make_shared<const index::Index>(index::open_shards(path, first, last));
  return new IndexHandle(query::Searcher(std::move(index), options));
}

/// What the inexact words of queries stand for in the whole, for ShardBatch on its shards; None if
/// queries are plain words.
nb::object expand_words(const IndexHandle& whole, const std::vector<std::string>& texts,
                        const nb::dict& options) {
  const SearchRequest request = search_request(options, *whole.index);
  if (request.plain) return nb::none();
  std::vector<query::Query> queries(texts.size(), request.query);
  for (std::size_t i = 0; i < texts.size(); ++i) queries[i].text = texts[i];
  const std::string bytes = stoppable(request, [&](const std::stop_token& stop) {
    query::SearchOptions search = request.search;
    search.stop = stop;
    return within_limits(search, [&](const query::SearchOptions& limited) {
      return query::expand_words(*whole.index, queries, limited.stop).to_bytes();
    });
  });
  return nb::bytes(bytes.data(), bytes.size());
}

/// Takes what expand_words() gave, if anything.
void use_expansions(const nb::object& given, SearchRequest& request) {
  if (given.is_none()) return;
  const auto bytes = nb::cast<nb::bytes>(given);
  request.query.expansions = std::make_shared<const query::WordExpansions>(
      query::WordExpansions::from_bytes({bytes.c_str(), bytes.size()}));
}

/// A batch of queries on some shards. First it is planned; then, with the statistics of all shards,
/// searched. stop() may be called meanwhile, by another thread.
class ShardBatch {
  /// Runs work that Ctrl-C and stop() end.
  template <class Work>
  auto stoppable(Work work) {
    return interruptible([&](const std::stop_token& cancelled) {
      const std::stop_callback forward(cancelled, [&] { stop_.request_stop(); });
      return work();
    });
  }

 public:
  ShardBatch(const IndexHandle& shards, const std::vector<std::string>& texts,
             const nb::dict& options, const nb::object& expansions)
      : searcher_(*shards.searcher), request_(search_request(options, *shards.index)) {
    use_expansions(expansions, request_);
    if (request_.expansion) throw UsageError("expand: terms of shards are not those of the whole");
    request_.search.stop = stop_.get_token();
    plans_ = stoppable([&] { return planned(searcher_, request_, texts, request_.search); });
    statistics_.emplace(plans_);
  }

  nb::any numbers() const {
    const std::span<const std::uint64_t> all = std::as_const(*statistics_).numbers();
    return array_of(std::vector<std::uint64_t>(all.begin(), all.end()));
  }
  std::uint64_t fingerprint() const { return statistics_->fingerprint(); }
  void stop() { stop_.request_stop(); }

  /// What these shards, whose first document is document `base` of the whole, have of its hits;
  /// `numbers` are the sums over all shards.
  nb::dict search(const Array<std::uint64_t>& numbers, std::uint64_t base) {
    query::BatchStatistics whole = *statistics_;
    if (numbers.shape(0) != whole.numbers().size()) {
      throw UsageError("the statistics are of other queries");
    }
    std::ranges::copy(span_of(numbers), whole.numbers().begin());
    const auto results = std::make_shared<query::Results>();
    query::Report report;
    stoppable([&] {
      *results = searcher_.search(whole.apply(plans_), &report, request_.search);
      query::renumber(*results, base);
      return 0;
    });
    nb::dict made = dict_of(results);
    made["report"] = dict_of(report);
    return made;
  }

 private:
  const query::Searcher& searcher_;
  std::stop_source stop_;
  SearchRequest request_;
  std::vector<query::Plan> plans_;
  std::optional<query::BatchStatistics> statistics_;
};

struct Part {
  Array<std::uint32_t> docids;
  Array<float> scores;
  Array<std::uint64_t> offsets;
  Array<std::uint64_t> counts;
};

query::Results results_of(const Part& part) {
  query::Results results;
  results.docids.assign(part.docids.data(), part.docids.data() + part.docids.shape(0));
  results.scores.assign(part.scores.data(), part.scores.data() + part.scores.shape(0));
  results.offsets.assign(part.offsets.data(), part.offsets.data() + part.offsets.shape(0));
  results.counts.assign(part.counts.data(), part.counts.data() + part.counts.shape(0));
  return results;
}

/// What ShardBatch::search() gave on all shards, as the whole finds it.
nb::dict join_results(const IndexHandle& whole, const nb::dict& options, const nb::list& parts) {
  const SearchRequest request = search_request(options, *whole.index);
  std::vector<query::Results> shards;
  for (const nb::handle made : parts) {
    const auto part = nb::cast<nb::dict>(made);
    shards.push_back(results_of({nb::cast<Array<std::uint32_t>>(part["docids"]),
                                 nb::cast<Array<float>>(part["scores"]),
                                 nb::cast<Array<std::uint64_t>>(part["offsets"]),
                                 nb::cast<Array<std::uint64_t>>(part["counts"])}));
  }
  if (shards.empty()) throw UsageError("there are no shards to join");
  const auto joined = std::make_shared<query::Results>();
  interruptible([&](const std::stop_token&) {
    const std::vector<query::Plan> plans(
        shards.front().size(), query::Plan().with_k(request.query.k).with_want(request.query.want));
    std::vector<const query::Results*> all;
    for (const query::Results& shard : shards) all.push_back(&shard);
    *joined = query::join_results(plans, all);
  });
  return dict_of(joined);
}

PlanHandle plan(const IndexHandle& self, const std::string& text, const nb::dict& options) {
  const SearchRequest request = search_request(options, *self.index);
  const nb::gil_scoped_release unlocked;
  return {self.index, planned(*self.searcher, request, {&text, 1}, request.search).front()};
}

}  // namespace

void bind_shard_search(nb::module_& module) {
  module.def("open_shards", open_shards, nb::rv_policy::take_ownership, nb::arg("path"),
             nb::arg("first"), nb::arg("last"), nb::arg("options"));
  module.def("expand_words", expand_words, nb::arg("whole"), nb::arg("queries"),
             nb::arg("options"));
  nb::class_<ShardBatch>(module, "ShardBatch")
      .def(nb::init<const IndexHandle&, const std::vector<std::string>&, const nb::dict&,
                    const nb::object&>(),
           nb::arg("shards"), nb::arg("queries"), nb::arg("options"), nb::arg("expansions").none(),
           nb::keep_alive<1, 2>())
      .def_prop_ro("numbers", &ShardBatch::numbers)
      .def_prop_ro("fingerprint", &ShardBatch::fingerprint)
      .def("search", &ShardBatch::search, nb::arg("numbers"), nb::arg("base"))
      .def("stop", &ShardBatch::stop);
  module.def("join_results", join_results, nb::arg("whole"), nb::arg("options"), nb::arg("parts"));
  module.def("plan", plan, nb::arg("index"), nb::arg("query"), nb::arg("options"));
}

}  // namespace gannet::python
