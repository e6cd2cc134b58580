// A term of a plan as the pruned search sees it.
#pragma once

#include <cstdint>

#include "query/cpu/pruned/decoded_list.hpp"
#include "query/cpu/pruned/dense_list.hpp"

namespace gannet::query {

/// A term with its list, which has bounds or is decoded as a whole. Of a plan of words, one for
/// each word and text.
struct PrunedTerm {
  /// From this weight on the smallest code gives 1 when its product is rounded down.
  static constexpr std::uint16_t kWholeWeight = 256;

  DenseList dense;
  DecodedList decoded;
  Contribution contribution;
  const std::uint32_t* lengths = nullptr;  ///< of its text, by document
  const ListBounds* bounds = nullptr;      ///< null: decoded as a whole
  /// No contribution is larger.
  double largest = 0;
  /// The documents of the current range that have it.
  std::uint64_t map = 0;
  std::uint32_t number = 0;  ///< in the plan
  std::uint32_t count = 0;   ///< postings of the list
  /// Of the codes of a list with bounds: code * weight / 256 is the whole number that stands for a
  /// bound, rounded up if the weight is below kWholeWeight, else down.
  std::uint16_t weight = 0;
  /// Of a list that is decoded as a whole: its bit in what is known of each range. The eighth and
  /// all that follow share one.
  std::uint8_t flag = 0;
  /// So many of the part's clauses have their last term here, in the order of `scored`.
  std::uint32_t closes = 0;
  /// It is in one of the clauses by which a range is narrowed.
  bool required = false;
  bool scored = false;

  /// Goes to a range; returns its bound as a whole number, 0 if it has no posting there. `flags`:
  /// those of the lists that have, if they are decoded as a whole: most have none, and are not
  /// asked.
  std::uint32_t bound(std::uint32_t range, std::uint32_t flags) {
    if (bounds != nullptr) return whole_bound(dense.code(range));
    if ((flags & flag) == 0) return 0;
    decoded.enter(range);
    return decoded.code();
  }

  /// The whole number that stands for a code; 0 if and only if that is.
  std::uint32_t whole_bound(std::uint32_t code) const {
    return (code * weight + (weight < kWholeWeight ? 255u : 0u)) >> 8;
  }

  void load_map(std::uint32_t range, const PrunedKernels& kernels) {
    map = 0;
    if (bounds == nullptr) {
      decoded.enter(range);
      map = decoded.map();
    } else if (dense.code(range) != 0) {
      map = dense.map(range, kernels);
    }
  }

  /// The term frequencies of postings of the current range, given as contribute() has them. Of a
  /// list that is decoded as a whole: needs that frequencies were kept.
  void frequencies(const std::uint8_t* ranks, std::uint32_t n, std::uint32_t* out) {
    if (bounds != nullptr) return dense.frequencies(ranks, n, out);
    for (std::uint32_t i = 0; i < n; ++i) out[i] = decoded.frequency(ranks[i]);
  }

  /// What documents of the current range that have the term get, as run.scores. Each is given by
  /// how many others are before it in the map, and by its length in `run`.
  void contribute(const std::uint8_t* ranks, std::uint32_t n, ScoreRun& run) {
    if (bounds == nullptr) {
      for (std::uint32_t i = 0; i < n; ++i) run.scores[i] = decoded.contribution(ranks[i]);
    } else {
      dense.frequencies(ranks, n, run.frequencies);
      contribution.score(run, n);
    }
  }
};

}  // namespace gannet::query
