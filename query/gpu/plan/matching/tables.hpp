// A batch of counts or docids as the kernel sees it: plain structs in device memory, filled in by
// match_compiler.cpp and match_batch.cpp.
//
// A thread block evaluates one query in one window of documents, in steps. A step marks posting
// lists in rows of bits in shared memory, then combines rows and bitmaps word by word.
#pragma once

#include <cstdint>

#include "query/gpu/plan/batch.hpp"
#include "query/plan/node.hpp"

namespace gannet::query::cuda {

/// A list that is decoded: its documents are set in a row.
struct MatchList {
  ListLocation list;
  std::uint32_t row;
};

/// How the operands of a step are combined.
enum class MatchShape : std::uint32_t {
  kAny,      ///< OR of all nodes, which are operands
  kAll,      ///< AND of all nodes, which are operands; of none: all documents
  kFormula,  ///< the nodes are a postfix expression
};

/// A step of a query. Numbers are relative to those of the query.
///
/// Operands among its nodes are rows (Node::Kind::kTerm) and bitmaps (Node::Kind::kPredicate). The
/// documents that are left are masked: by row 0 if the step is guarded, else by the query's filter.
struct MatchStep {
  std::uint32_t first_list;
  std::uint32_t lists;
  std::uint32_t first_node;
  std::uint32_t nodes;
  MatchShape shape;
  std::uint32_t to;       ///< the row that gets the documents; kNone: they are the query's matches
  std::uint32_t guarded;  ///< 1: only documents of row 0 matter; tiles without one are not decoded
  std::uint32_t stops;    ///< 1: without a document here, no document of the window matches
  std::uint64_t cleared;  ///< rows that are emptied before lists are marked, a bit each
};

/// One plan of the batch in the batch's segment.
struct MatchQuery {
  std::uint64_t first_list;
  std::uint64_t first_node;
  std::uint64_t first_bitmap;
  std::uint64_t first_step;
  std::uint32_t steps;
  std::uint32_t rows;           ///< that its steps use
  const std::uint64_t* filter;  ///< documents that pass; null: all do
};

/// What a launch needs. Queries of a launch have windows of one size.
struct MatchView {
  IndexView index;
  const MatchQuery* queries;
  const MatchStep* steps;
  const MatchList* lists;
  const Node* nodes;
  const std::uint64_t* const* bitmaps;

  std::uint32_t first_query;
  std::uint32_t query_count;
  std::uint32_t rows;        ///< of a window, at most
  std::uint32_t words;       ///< of 64 documents in a window
  std::uint32_t windows;     ///< of a query
  std::uint64_t first_item;  ///< items (query and window) are numbered query by query from here

  unsigned long long* counts;          ///< by query: matches
  std::uint32_t* item_counts;          ///< by item, 0 before the launch; null: not asked for
  unsigned long long* tiles_decoded;   ///< one counter
  const std::uint64_t* docid_offsets;  ///< by item: where docids go, and the end; null: count
  std::uint64_t first_offset;          ///< docid_offsets of the first docid in `docids`
  std::uint32_t* docids;
  std::uint64_t items_begin;  ///< only if docids are written: items [begin, end) run
  std::uint64_t items_end;
};

}  // namespace gannet::query::cuda
