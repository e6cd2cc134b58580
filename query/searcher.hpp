// Searching an index: a Searcher plans queries and runs the plans.
#pragma once

#include <memory>
#include <optional>
#include <span>
#include <string>
#include <vector>

#include "index/index.hpp"
#include "query/options/search_options.hpp"
#include "query/options/searcher_options.hpp"
#include "query/plan/plan.hpp"
#include "query/plan/query.hpp"
#include "query/results/results.hpp"

namespace gannet::query {

struct Expansion;        // query/options/expansion.hpp
struct ExpansionReport;  // query/results/expansion_report.hpp
struct SearcherParts;    // query/searching/searcher_parts.hpp

/// Plans queries and runs plans on one index. Any number of threads may call the const members of
/// one searcher at the same time. Each call uses several threads for a batch, so a single caller
/// with large batches keeps all cores or the GPU busy.
class Searcher {
 public:
  /// Makes the back end that `options` choose, and keeps the index alive. The CUDA back end copies
  /// the index to the device before the constructor returns. kAuto takes the CPU back end if making
  /// the CUDA back end throws any CudaError (no usable GPU, too little memory); Report::reason then
  /// has the message of that error.
  ///
  /// Throws UsageError for a null index, for options out of range of a back end that is made, and
  /// for a device number that does not exist if there is a usable GPU. Options of a back end that
  /// is not made are not checked. kCuda also throws NoDeviceError if there is no usable GPU or this
  /// build has no CUDA code, DeviceMemoryError if the index does not fit, and other CudaErrors.
  explicit Searcher(std::shared_ptr<const index::Index> index, SearcherOptions options = {});
  ~Searcher();
  Searcher(Searcher&&) noexcept;
  Searcher& operator=(Searcher&&) noexcept;

  const index::Index& index() const;
  /// index() as a shared pointer, which may outlive the searcher.
  std::shared_ptr<const index::Index> shared_index() const;
  std::string backend_name() const;

  /// Opens the index directory again and returns a searcher with equal options for its current
  /// state; std::nullopt if the index has not changed. This searcher is not changed and may be used
  /// during the call: a server holds a `std::atomic<std::shared_ptr<const Searcher>>` and stores
  /// the new searcher in it. The two searchers share unchanged segments and the copies of these
  /// segments in device memory. The caches of the new searcher (list bounds, filters, decoded
  /// columns) start empty.
  ///
  /// Throws UsageError for an index that was not opened from a directory, and what Index::open()
  /// and the constructor throw.
  std::optional<Searcher> refresh() const;

  /// Plans one query on the calling thread. make_plan() describes `plain`. Of `options`, only the
  /// stop token and the deadline count. Throws what make_plan() throws, CancelledError after a stop
  /// request, DeadlineError after the deadline.
  Plan plan(const Query& query, bool plain = false, const SearchOptions& options = {}) const;

  /// Plans a batch in parallel: plan i belongs to query i. Equal queries are planned once. Each
  /// query is compared only with the first query of the same text; one that differs from it is
  /// planned on its own. If several queries cannot be
  /// planned, the function throws the error of the one with the smallest number. Throws
  /// CancelledError after a stop request, DeadlineError after the deadline. `report` is overwritten
  /// if the call succeeds.
  std::vector<Plan> plan(std::span<const Query> queries, bool plain = false,
                         const SearchOptions& options = {}, PlanReport* report = nullptr) const;

  /// Plans and runs one query of the query language. Planning and searching together must end
  /// before the deadline. Throws what plan() and the other search() throw.
  Result search(const Query& query, const SearchOptions& options = {}) const;

  /// Runs a batch of plans: result i belongs to plan i. A plan may have been made for another
  /// index; its terms are then looked up in index(), and its scores follow from the statistics in
  /// the plan. Deleted documents of index() are never found. `report` is overwritten,
  /// even if the call throws.
  ///
  /// Throws UsageError for a plan whose filter has fields or values that the schema of index()
  /// does not allow, FormatError for damaged lists or columns, CancelledError after a stop request,
  /// DeadlineError after the deadline, CudaError if a CUDA call fails. The searcher can be used
  /// after any of these errors.
  Results search(std::span<const Plan> plans, Report* report = nullptr,
                 const SearchOptions& options = {}) const;

  /// Expands a batch of plans that were made for this index. A first pass searches for the best
  /// documents of each plan. The result has one plan for each input plan, with terms of these
  /// documents added and with new weights (options/expansion.hpp has the formulas). The caller runs
  /// the expanded plans as the second pass:
  ///
  ///     const std::vector<Plan> expanded = searcher.expand(plans, parse_expansion("rm3"));
  ///     const Results results = searcher.search(expanded);
  ///
  /// Expansion reads posting lists only; the index needs no stored texts. All new terms are terms
  /// of the main text. A query without operators stays a disjunction and also matches documents
  /// that have only new terms. A query with AND, +, - or NOT, or in mode AND, matches the documents
  /// that it matched before, and the new terms change only the ranking. A term that the query
  /// excludes or gives the weight 0 is not added. A query without hits is returned unchanged.
  /// Expanded plans are equal to the bit on every back end, for any number of threads and in
  /// batches of any size.
  ///
  /// The call costs a search for `expansion.documents` hits per plan. It also costs one pass over
  /// the lists for the whole batch, which takes about as long as decoding the index once; a batch
  /// whose documents have more than 2^25 tokens together takes several passes. So expansion suits
  /// batches of a thousand queries, and is slow for single queries on large indexes.
  ///
  /// Throws UsageError for an expansion_problem(), for plans that want counts or docids, for plans
  /// with words() (BM25F over several texts), and for plans whose number of documents or tokens
  /// differs from this index; also what search() throws. `report` is overwritten,
  /// even if the call throws.
  std::vector<Plan> expand(std::span<const Plan> plans, const Expansion& expansion,
                           ExpansionReport* report = nullptr,
                           const SearchOptions& options = {}) const;

 private:
  friend SearcherParts& parts_of(const Searcher& searcher);

  std::unique_ptr<SearcherParts> parts_;
};

}  // namespace gannet::query
