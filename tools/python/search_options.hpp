// The options of a search, from Python's keyword arguments: those of `gannet search`.
#pragma once

#include <memory>
#include <optional>
#include <span>
#include <string>
#include <vector>

#include "query/options/expansion.hpp"
#include "query/paging.hpp"
#include "query/searcher.hpp"
#include "tools/python/common.hpp"

namespace gannet::python {

struct SearchRequest {
  query::Query query = {};  ///< but for its text
  query::PageRequest page = {};
  bool plain = false;  ///< texts are words, without operators
  bool quick = false;  ///< takes milliseconds: not worth a thread that Ctrl-C can stop
  std::optional<query::Expansion> expansion = {};
  query::SearchOptions search = {};
};

/// Reads them from a dict with all names (gannet/_options.py). Throws UsageError.
SearchRequest search_request(const nb::dict& options, const index::Index& index,
                             std::shared_ptr<const query::Synonyms> synonyms = nullptr);

/// Plans of these texts, expanded if that is asked for.
std::vector<query::Plan> planned(const query::Searcher& searcher, const SearchRequest& request,
                                 std::span<const std::string> texts,
                                 const query::SearchOptions& search);

/// What a search did, as Python has it.
nb::dict dict_of(const query::Report& report);
/// What a batch found: arrays over the results, which they keep.
nb::dict dict_of(const std::shared_ptr<query::Results>& results);

}  // namespace gannet::python
