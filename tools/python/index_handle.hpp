// An open index and what searches it, as Python holds them.
#pragma once

#include <memory>
#include <string>

#include "query/plan/synonyms.hpp"
#include "query/searcher.hpp"
#include "tools/output/positions_size.hpp"
#include "tools/python/common.hpp"

namespace gannet::python {

/// Reads them from a dict of the keyword arguments of Index.open(); those that it lacks, or that
/// are None, are as standard. Throws UsageError.
query::SearcherOptions searcher_options(const nb::dict& options);

/// Immutable; any number of threads may use one.
struct IndexHandle {
  IndexHandle(const std::string& path, const nb::dict& options);
  explicit IndexHandle(query::Searcher opened);
  /// Before the handle is used by several threads.
  void use_synonyms(const std::string& path);

  std::shared_ptr<const index::Index> index;
  std::unique_ptr<const query::Searcher> searcher;
  std::string synonyms_path;
  std::shared_ptr<const query::Synonyms> synonyms;  ///< null: none
};

/// A plan that Python keeps for snippets and explanations, with the index that it was made for.
struct PlanHandle {
  std::shared_ptr<const index::Index> index;
  query::Plan plan;
};

/// The docids of all documents that match the query and pass the filter, to be deleted; an empty
/// text is none. Searched by the CPU. Throws UsageError. Touches no Python.
std::vector<index::Docid> matches_of(const std::shared_ptr<const index::Index>& index,
                                     const std::string& query, const std::string& filter,
                                     const std::stop_token& stop);

/// number, bytes and bits_per_position; None of an index without positions.
nb::object dict_of(const tools::PositionsSize& size);

/// A value of a field as Python has it: int, float, bool, else str.
nb::object value_of(const index::FieldSpec& field, const std::string& text);

}  // namespace gannet::python
