// Makes the steps by which the GPU finds what a plan matches. Host code; needs no GPU.
#pragma once

#include <cstdint>
#include <optional>
#include <span>
#include <vector>

#include "query/gpu/plan/matching/tables.hpp"
#include "query/plan/plan.hpp"

namespace gannet::query::cuda {

/// A list of the segment, and its bitmap if it has one. Pointers are of device memory.
struct MatchOperand {
  ListLocation list;
  const std::uint64_t* bitmap = nullptr;
};

/// What becomes of the documents that match.
enum class MatchUse : std::uint8_t {
  kMatches,  ///< the last step has them
  kRow,      ///< the last step leaves them in a row; there may be none: it stops then
  /// As kRow, of an expression that documents may match by other means too: lists may be missing,
  /// so that nothing follows from clauses, and no step stops. Row 0 has the documents that pass the
  /// filter, if there is one. Where only other means are left, there is no further step.
  kRest,
};

/// A plan in a segment.
struct MatchRequest {
  const Plan* plan;
  /// The lists of the plan's terms, one term behind the other: those of term t are the ones before
  /// ends[t]. A term that is not in the segment has none; a union has those of its words.
  std::span<const MatchOperand> operands;
  std::span<const std::uint32_t> ends;               ///< one per term
  std::span<const std::uint64_t* const> predicates;  ///< bitmaps, one per predicate of the plan
  const std::uint64_t* filter = nullptr;             ///< null: all documents pass
  std::uint64_t passing = 0;                         ///< the filter; only with a filter
  /// Whether what a clause or the filter rules out need not be decoded. Without, every list is
  /// decoded from end to end, and the expression is evaluated as the plan has it.
  bool guards = true;
  MatchUse use = MatchUse::kMatches;
};

/// Tables of some plans.
struct MatchTables {
  std::vector<MatchQuery> queries;
  std::vector<MatchStep> steps;
  std::vector<MatchList> lists;
  std::vector<Node> nodes;
  std::vector<const std::uint64_t*> bitmaps;

  void clear();
};

/// Compiles plans. The memory is kept from plan to plan. Not thread-safe.
///
/// Lists of an OR are marked in one row. Each other list gets a row of its own, as long as there
/// are rows (tuning::kMaxMatchRows); parts of larger expressions are evaluated in steps of their
/// own, each of which leaves one row. The values that wait on the stack of a postfix expression are
/// no more than kMaxStack, so that any expression can be evaluated.
class MatchCompiler {
 public:
  /// Appends the query of a plan to the tables, unless the number of its matches follows from the
  /// lengths of lists, which is returned then: 0 if nothing can match. Takes steps for each
  /// operand and node; for expressions of more rows than there are, for each pair of them.
  std::optional<std::uint64_t> add(const MatchRequest& request, MatchTables& tables);

 private:
  enum class Kind { kNever, kLeaf, kAny, kAll, kFormula };

  /// A value on the stack of the expression, which is not evaluated yet: the nodes and lists behind
  /// those of the value below. Nodes of kAny and kAll are operands alone.
  struct Part {
    Kind kind;
    std::size_t first_node;
    std::size_t first_list;
    std::uint32_t rows;  ///< that its nodes refer to
    /// kLeaf and kAny: the row of its lists; kNone if there is none.
    std::uint32_t row;
  };

  // What the plan's lists hold:
  bool can_match() const;
  std::span<const MatchOperand> operands_of(std::uint32_t term) const;
  std::optional<std::uint32_t> guarding_clause() const;
  bool filter_guards(std::uint64_t clause_postings) const;

  // The steps of a query:
  bool compile(bool narrow);
  void begin(bool narrow);
  void emit_guard(std::optional<std::uint32_t> clause);
  void push_clauses(std::uint32_t guard);
  void push_expression();
  std::uint32_t emit(std::size_t part, bool save);
  std::uint32_t window_row(std::uint32_t row, std::uint64_t& made);
  std::uint32_t take_row();

  // The stack:
  void push_never();
  void push_terms(std::span<const std::uint32_t> terms);
  void add_operand(const MatchOperand& operand, Part& part);
  void push_bitmap(const std::uint64_t* words);
  void combine(Node::Kind operation);
  bool combine_with_nothing(Node::Kind operation);
  void join(Kind kind);
  void merge_rows(const Part& into, Part& from);
  void negate();
  void pop();
  std::size_t end_of_nodes(std::size_t part) const;
  std::size_t end_of_lists(std::size_t part) const;
  void make_formula(std::size_t part);
  void replace_nodes(std::size_t part, std::span<const Node> nodes);
  void free_rows(std::size_t part);

  // Parts that are evaluated in steps of their own, where rows are short:
  void save_for(Node::Kind operation);
  void save(std::size_t part);
  void save_where_most_wait();
  std::uint32_t saved_rows(std::size_t part) const;

  const MatchRequest* request_ = nullptr;
  MatchTables* tables_ = nullptr;
  MatchQuery query_{};
  std::uint64_t tiles_ = 0;       ///< of all lists that are decoded
  std::uint64_t operands_ = 0;    ///< that were pushed
  std::uint64_t last_count_ = 0;  ///< postings of the last one
  std::vector<Part> parts_;
  std::vector<Node> nodes_, scratch_;
  std::vector<MatchList> lists_;
  /// By the number of a row in nodes_ and lists_: the row of the window, kNone as long as it has
  /// none.
  std::vector<std::uint32_t> rows_;
  std::uint64_t free_ = 0;  ///< rows of the window, a bit each
  std::uint32_t most_rows_ = 0;
  bool guarded_ = false;
  bool narrow_ = false;
};

}  // namespace gannet::query::cuda
