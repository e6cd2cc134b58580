// The options of a search, from Python's keyword arguments: those of `gannet search`.
#pragma once

#include <memory>
#include <optional>
#include <span>
#include <stop_token>
#include <string>
#include <vector>

#include "query/options/expansion.hpp"
#include "query/paging.hpp"
#include "query/searcher.hpp"
#include "tools/python/common.hpp"

namespace gannet::python {

/// What another thread ends a search with, as that of a coroutine which is cancelled.
struct Stop {
  std::stop_source source = {};
};

struct SearchRequest {
  query::Query query = {};  ///< but for its text
  query::PageRequest page = {};
  bool plain = false;         ///< texts are words, without operators
  bool quick = false;         ///< takes milliseconds: not worth a thread that Ctrl-C can stop
  bool total = false;         ///< all documents that match are counted, beside the hits
  std::stop_token stop = {};  ///< of a Stop, by which another thread ends it
  std::optional<query::Expansion> expansion = {};
  query::SearchOptions search = {};
};

/// Reads them from a dict with all names (gannet/_options.py). Throws UsageError.
SearchRequest search_request(const nb::dict& options, const index::Index& index,
                             std::shared_ptr<const query::Synonyms> synonyms = nullptr);

/// Runs `work(stop token)` as interruptible() does; the request's Stop ends it, too.
template <class Work>
auto stoppable(const SearchRequest& request, const Work& work) {
  return interruptible([&](const std::stop_token& cancelled) {
    std::stop_source stop;
    const auto end = [&] { stop.request_stop(); };
    const std::stop_callback by_signal(cancelled, end);
    const std::stop_callback by_request(request.stop, end);
    return work(stop.get_token());
  });
}

/// Plans of these queries or texts, expanded if that is asked for.
std::vector<query::Plan> planned(const query::Searcher& searcher, const SearchRequest& request,
                                 std::span<const query::Query> queries,
                                 const query::SearchOptions& search);
std::vector<query::Plan> planned(const query::Searcher& searcher, const SearchRequest& request,
                                 std::span<const std::string> texts,
                                 const query::SearchOptions& search);
/// Of a request: texts, or dicts of terms that are not analysed, with their weights.
std::vector<query::Query> queries_of(const SearchRequest& request, const nb::list& given);

/// How many documents match each plan.
std::vector<std::uint64_t> totals_of(const query::Searcher& searcher,
                                     std::span<const query::Plan> plans,
                                     const query::SearchOptions& search);

/// What a search did, as Python has it.
nb::dict dict_of(const query::Report& report);
/// What a batch found: arrays over the results, which they keep.
nb::dict dict_of(const std::shared_ptr<query::Results>& results);

}  // namespace gannet::python
