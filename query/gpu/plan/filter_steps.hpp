// A filter of a segment as steps that kernels evaluate for a few documents at a time: plain structs
// in device memory.
#pragma once

#include <cstdint>

#include "query/gpu/plan/code_sets.hpp"
#include "query/gpu/plan/views.hpp"

namespace gannet::query::cuda {

/// A set of codes: one interval, or any number of them (>= 1), ascending, apart from each other.
struct CodeChoice {
  CodeInterval hull;              ///< from the first interval's begin to the last one's end
  const CodeInterval* intervals;  ///< not read if there is one, which is `hull`
  const std::uint32_t* table;     ///< a bit for each code of the hull, or null
  std::uint32_t count;            ///< of intervals

  GANNET_HD bool has(std::uint32_t code) const {
    if (count == 1) return hull.has(code);
    if (table != nullptr) return CodeTable{table, hull}.has(code);
    return ManyIntervals{intervals, count}.has(code);
  }
  /// Whether it has none of the codes least .. greatest, which the ends of the hull decide.
  GANNET_HD bool misses(std::uint32_t least, std::uint32_t greatest) const {
    return greatest < hull.first || least > hull.first + hull.span;
  }
  /// Whether it has all of the codes least .. greatest, if it is one interval; else false.
  GANNET_HD bool covers(std::uint32_t least, std::uint32_t greatest) const {
    return count == 1 && hull.has(least) && hull.has(greatest);
  }
};

/// What a step does with a stack of sets of documents.
enum class FilterOperation : std::uint32_t {
  kAll,     ///< pushes all documents
  kCodes,   ///< pushes those that have the field, of at most one value, with a code of the set
  kValues,  ///< pushes those one of whose values has a code of the set
  kWords,   ///< pushes those of a bitmap
  kAnd,     ///< the two sets on top become one
  kOr,
  kNot,  ///< the documents that are not in the set on top
};

/// A step. The steps of a filter are in postfix order.
struct FilterStep {
  FilterOperation operation;
  CodesView codes;              ///< kCodes, kValues
  const std::uint32_t* starts;  ///< kValues: FieldView::starts
  const std::uint64_t* words;   ///< kWords: the bitmap; kCodes: FieldView::present
  CodeChoice set;               ///< kCodes, kValues
};

/// Sets that a filter's stack may have. A filter needs more only if ANDs and ORs alternate over
/// more than 2^(kFilterDepth - 1) predicates.
inline constexpr std::uint32_t kFilterDepth = 8;

/// A filter whose bitmap is to be made.
struct FilterTarget {
  const FilterStep* steps;
  std::uint32_t count;    ///< of steps
  std::uint64_t* words;   ///< bitmap_room() words
  std::uint16_t* ranges;  ///< FilterView::ranges
};

/// Filters over `documents` documents of one segment.
struct FilterSearch {
  const FilterTarget* targets;
  std::uint32_t count;
  std::uint32_t documents;
  unsigned long long* passing;  ///< by filter: the number of documents that pass is added
};

/// Filters that a thread block evaluates, at most.
inline constexpr std::uint32_t kFiltersAtOnce = 64;

}  // namespace gannet::query::cuda
