// Makes what the ranked search by windows needs of a plan: the lists that score, in order, and the
// steps that decide. Host code; needs no GPU.
#pragma once

#include <cstdint>
#include <span>
#include <vector>

#include "query/gpu/plan/matching/match_compiler.hpp"
#include "query/gpu/plan/ranked/tables.hpp"

namespace gannet::query::cuda {

/// The list of a term in the segment; `list.count` is 0 if there is none. Pointers are of device
/// memory.
struct RankOperand {
  ListLocation list{};
  const std::uint32_t* lengths = nullptr;
  const std::uint32_t* max_freqs = nullptr;    ///< null: unknown
  const std::uint32_t* min_lengths = nullptr;  ///< null: unknown
};

/// Tables of some plans.
struct RankTables {
  MatchTables match;
  std::vector<RankQuery> queries;
  std::vector<RankKind> kinds;       ///< by query
  std::vector<std::uint64_t> costs;  ///< by query: postings that are read, about
  std::vector<RankList> lists;

  void clear();
};

/// Whether each term of a plan is part of scores.
std::vector<char> scoring_terms(const Plan& plan);

/// Whether every document with a score matches, as far as the form of the expression shows it: all
/// terms that `scores` and the segment has are operands of an OR that is the whole expression. Then
/// their lists need not be read for the expression. Takes as many steps as the expression has
/// nodes.
bool scores_decide(const Plan& plan, std::span<const char> scores);

/// A plan in a segment.
struct RankRequest {
  const Plan* plan;
  std::span<const RankOperand> operands;  ///< by term; of terms that score nothing there are none
  /// scores_decide(). The MatchRequest has no operands of scoring terms then.
  bool by_score;
  std::uint32_t documents;  ///< of the segment
  index::Docid docid_base;  ///< of the segment
};

/// Compiles plans. The memory is kept from plan to plan. Not thread-safe.
class RankCompiler {
 public:
  /// Appends the query of a plan, which wants hits, to the tables. `match.use` is set here. False,
  /// and nothing appended, if nothing can match.
  bool add(const RankRequest& request, MatchRequest match, RankTables& tables);

 private:
  static void add_lists(const RankRequest& request, RankTables& tables);
  static void add_words(const RankRequest& request, RankTables& tables);

  MatchCompiler matching_;
};

}  // namespace gannet::query::cuda
