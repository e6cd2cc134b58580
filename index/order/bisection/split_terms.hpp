// What one split of documents into halves knows of their terms.
#pragma once

#include <cstdint>
#include <span>
#include <vector>

#include "index/order/bisection/forward_index.hpp"

namespace gannet::index {

/// A document on its way to the left or the right half.
struct Candidate {
  float score;  ///< what is gained if it is on the right and not on the left, in bits
  Docid docid : 31;
  Docid right : 1;  ///< 1: it is there
};

/// Documents of which a split is worth several threads.
inline constexpr std::size_t kParallelSplit = 1u << 12;

/// How many documents of each half have each term, and what moving a document would gain.
///
/// A term that l of n documents on the left have, and r of m on the right, is taken to cost
/// l log2(n / (l + 1)) + r log2(m / (r + 1)) bits: what the gaps of its list take if its documents
/// are spread evenly over each half (Dhulipala et al., KDD 2016).
class SplitTerms {
 public:
  /// Counts the terms of the candidates, the first half of which is on the left. Those of one
  /// candidate, or of all, gain nothing whatever moves: they are dropped from the forward index,
  /// and the others get new numbers there. `terms`: numbers are less than that.
  SplitTerms(ForwardIndex& forward, std::span<const Candidate> candidates, std::uint32_t terms);

  /// Numbers are less.
  std::uint32_t terms() const { return terms_; }
  /// Computes what gain() adds up, for the documents where they are now.
  void find_gains();
  /// Bits gained if a document with these terms moves to the other half.
  float gain(std::span<const std::uint32_t> terms, bool is_right) const;
  /// A document with these terms moves. Several threads may call it in a split of kParallelSplit
  /// candidates or more.
  void move(std::span<const std::uint32_t> terms, bool to_right);

 private:
  void count(const ForwardIndex& forward, std::span<const Candidate> candidates);
  void renumber(ForwardIndex& forward, std::span<const Candidate> candidates);

  std::uint32_t terms_;
  std::uint64_t documents_;
  bool parallel_;
  std::vector<std::uint32_t> left_, right_;    ///< documents that have the term
  std::vector<float> leftwards_, rightwards_;  ///< bits gained by moving one that has it
};

}  // namespace gannet::index
