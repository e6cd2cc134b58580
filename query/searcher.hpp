// The public way to search: open an index, give it queries, get hits.
#pragma once

#include <array>
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

/// Runs queries over an index. Any number of threads may use one searcher at the same time; a batch
/// is parallel by itself, so one thread keeps a machine busy if it has many queries at hand.
class Searcher {
 public:
  /// kCuda throws NoDeviceError where there is no GPU; kAuto takes the GPU if there is one that can
  /// be used and the index fits, else (any CudaError while it is made ready) the CPU, and the
  /// reports say why.
  explicit Searcher(std::shared_ptr<const index::Index> index, SearcherOptions options = {});
  ~Searcher();
  Searcher(Searcher&&) noexcept;
  Searcher& operator=(Searcher&&) noexcept;

  const index::Index& index() const;
  /// index() as a shared pointer, which may outlive the searcher.
  std::shared_ptr<const index::Index> shared_index() const;
  std::string backend_name() const;

  /// A searcher, with the same options, for the index in its directory as it is now; nothing if
  /// that did not change. This one keeps what it has, and may be used meanwhile: a server holds a
  /// `std::atomic<std::shared_ptr<const Searcher>>` and puts the new one in its place. Segments
  /// that are still there are shared, also their copies on the device, if this one lives that long.
  /// Throws what Index::open() and the constructor throw, UsageError for an index that was not
  /// opened from a directory.
  std::optional<Searcher> refresh() const;

  /// Plans one query. `plain`: see make_plan(). Throws what that throws, CancelledError after a
  /// stop request, DeadlineError once the deadline has passed.
  Plan plan(const Query& query, bool plain = false, const SearchOptions& options = {}) const;

  /// Plans a batch in parallel: plan i belongs to query i. Equal queries are planned once. Throws
  /// what the first query that cannot be planned gives by itself, CancelledError after a stop
  /// request, DeadlineError once the deadline has passed.
  std::vector<Plan> plan(std::span<const Query> queries, bool plain = false,
                         const SearchOptions& options = {}, PlanReport* report = nullptr) const;

  /// Plans and runs one query of the query language, both before the deadline.
  Result search(const Query& query, const SearchOptions& options = {}) const;

  /// Runs a batch of plans, made for this index or another: result i belongs to plan i. Throws
  /// FormatError for a damaged list, CancelledError after a stop request, DeadlineError once the
  /// deadline has passed, CudaError. After any of them the next search works as ever.
  Results search(std::span<const Plan> plans, Report* report = nullptr,
                 const SearchOptions& options = {}) const;

  /// Expands a batch of plans that were made for this index: searches for each one's best
  /// documents, and gives plans with the terms of these added (options/expansion.hpp has the
  /// formulas), to be run as a second pass:
  ///
  ///     const std::vector<Plan> expanded = searcher.expand(plans, parse_expansion("rm3"));
  ///     const Results results = searcher.search(expanded);
  ///
  /// It needs nothing but the index. A query without operators stays a bag of words and finds what
  /// has any of the new terms; one with AND, +, - or NOT (or in mode AND) finds what it found, and
  /// the new terms change the ranking. What is excluded or has the weight 0 is not added. A query
  /// that finds nothing stays as it is. Plans are the same to the bit on every back end, with any
  /// number of threads, and in a batch of any size.
  ///
  /// Costs a search for `expansion.documents` hits and, once a batch, about as much as decoding the
  /// index once (gather_document_vectors()): batches of a thousand queries pay, single queries are
  /// slow on large indexes.
  ///
  /// Throws UsageError for an expansion_problem(), for plans that want counts or docids, and for
  /// plans of an index with other statistics; else what search() throws.
  std::vector<Plan> expand(std::span<const Plan> plans, const Expansion& expansion,
                           ExpansionReport* report = nullptr,
                           const SearchOptions& options = {}) const;

 private:
  friend SearcherParts& parts_of(const Searcher& searcher);

  std::unique_ptr<SearcherParts> parts_;
};

}  // namespace gannet::query
