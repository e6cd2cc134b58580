// An open index and what searches it, as Python holds them.
#pragma once

#include <memory>
#include <string>

#include "query/plan/synonyms.hpp"
#include "query/searcher.hpp"
#include "tools/python/common.hpp"

namespace gannet::python {

/// Throws UsageError for a back end that there is not.
query::SearcherOptions searcher_options(const std::string& backend, int device, unsigned threads,
                                        double bounds_bits);

/// Immutable; any number of threads may use one.
struct IndexHandle {
  IndexHandle(const std::string& path, const std::string& backend, int device, unsigned threads,
              double bounds_bits);
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

/// A value of a field as Python has it: int, float, bool, else str.
nb::object value_of(const index::FieldSpec& field, const std::string& text);

}  // namespace gannet::python
