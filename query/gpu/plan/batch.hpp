// A batch of queries as the kernels see it: plain structs in device memory, filled in by
// assign.cpp.
#pragma once

#include <cstdint>

#include "codecs/core/codec.hpp"
#include "query/plan/making/expression.hpp"
#include "query/plan/page.hpp"
#include "query/scoring/scorer.hpp"

namespace gannet::query::cuda {

/// The index in device memory; not owned.
struct IndexView {
  /// Lists are at offsets from here. If the index is larger than its share of the device's memory,
  /// some offsets lead to page-locked host memory, which is in the same address space.
  const std::uint32_t* words;
  const std::uint32_t* skips;        ///< last docid of each tile of all lists
  const std::uint32_t* max_freqs;    ///< largest term frequency of each tile
  const std::uint32_t* min_lengths;  ///< shortest document of each tile
  const std::uint32_t* lengths;      ///< tokens of each document, text by text: TextOffsets
  std::uint32_t documents;
  codecs::CodecId docid_codec;
  codecs::CodecId freq_codec;
  /// Lists at this offset or above are in host memory.
  std::uint64_t device_words = ~std::uint64_t{0};
  /// Bytes of lists in host memory that kernels have read, approximately. May be null if there are
  /// no such lists.
  unsigned long long* host_bytes_read = nullptr;
};

/// Where kernels read a list.
struct ListLocation {
  const std::uint32_t* docid_words;
  const std::uint32_t* freq_words;
  const std::uint32_t* skips;  ///< last docid of each tile
  std::uint32_t count;         ///< postings, >= 1
  std::uint32_t on_host;       ///< 1: in host memory, 0: in device memory
};

/// Stands for no cache slot, no driver, no superblock.
inline constexpr std::uint32_t kNone = 0xffffffffu;

/// One list of a query: a plan term that the index has.
struct BatchTerm {
  std::uint64_t docid_words;  ///< where its docids start in IndexView::words
  std::uint64_t freq_words;   ///< where its frequencies start
  std::uint64_t first_tile;   ///< where its tiles start in skips, max_freqs and min_lengths
  std::uint64_t lengths;      ///< where the lengths of its text start in IndexView::lengths
  std::uint32_t count;        ///< postings, >= 1
  PlanConstants scoring;
  TermConstants constants;
  std::uint32_t slot;      ///< cache slot for its current tile, or kNone
  std::uint32_t required;  ///< whether every match has it
};

/// How a query decides whether a document matches.
enum class Match : std::uint32_t {
  kAny,         ///< it has at least one of the terms, all of which are scored
  kAll,         ///< it has all terms
  kExpression,  ///< the postfix expression holds for the set of terms that it has (at most 32)
};

/// One plan of the batch in the batch's segment.
struct BatchQuery {
  std::uint32_t first_term;
  std::uint32_t terms;
  std::uint32_t first_node;
  std::uint32_t nodes;
  Match match;
  std::uint32_t driver;      ///< the required term with the fewest postings, or kNone
  std::uint32_t visits_all;  ///< 1: documents without any of the terms match too
  std::uint32_t k;
  std::uint32_t first_item;
  std::uint32_t items;
  std::uint64_t first_finalist;  ///< of its finalists; k for each item
  /// Rank keys of results are below: PageStart::below, with docids of the segment.
  std::uint64_t below = kNoBound;
};

/// A part of a query's work: the documents [begin, end). One warp runs it.
struct Item {
  std::uint32_t query;
  std::uint32_t begin;
  std::uint32_t end;
};

/// Everything that a scoring launch needs.
struct BatchView {
  IndexView index;
  const BatchQuery* queries;
  const BatchTerm* terms;
  const Node* nodes;
  const Item* items;
  const std::uint32_t* order;  ///< item numbers in the order in which they are handed out
  std::uint32_t items_begin;   ///< this launch runs order[items_begin .. items_end)
  std::uint32_t items_end;
  std::uint32_t* next;  ///< the queue's head; items_begin before the launch

  std::uint64_t* thresholds;  ///< per query: a rank key that k documents reach; 0 at first
  std::uint64_t* candidates;  ///< per warp of the launch: `capacity` rank keys
  std::uint32_t max_warps;    ///< warps that have memory for candidates
  std::uint32_t capacity;
  std::uint64_t* finalists;           ///< per query: the best candidates of its items, in any order
  std::uint32_t* finalist_counts;     ///< per query; 0 before the launch
  unsigned long long* tiles_decoded;  ///< one counter for the launch

  std::uint32_t window;     ///< documents in a window, a multiple of 128
  std::uint32_t max_terms;  ///< of any query in the launch
  std::uint32_t slots;      ///< cache slots of each warp
};

}  // namespace gannet::query::cuda
