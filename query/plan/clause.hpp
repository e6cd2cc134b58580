// Clauses: what of a plan's terms every match has.
#pragma once

#include <cstddef>
#include <cstdint>
#include <span>
#include <vector>

namespace gannet::query {

/// The clauses of a plan. A clause is a union of lists, given by the numbers of their terms in the
/// plan, ascending and distinct: a document that matches has at least one term of each clause. `w
/// AND x` over a title and a text has the clauses {w, title:w} and {x, title:x}.
///
/// Stored in two flat arrays, so that most plans make them with two allocations.
class Clauses {
 public:
  std::size_t size() const { return ends_.size(); }
  bool empty() const { return ends_.empty(); }
  /// The terms of clause i < size().
  std::span<const std::uint32_t> operator[](std::size_t i) const {
    const std::size_t begin = i == 0 ? 0 : ends_[i - 1];
    return std::span(terms_).subspan(begin, ends_[i] - begin);
  }
  /// Appends a clause: terms, ascending and distinct, one or more.
  void add(std::span<const std::uint32_t> terms) {
    terms_.insert(terms_.end(), terms.begin(), terms.end());
    ends_.push_back(terms_.size());
  }
  bool operator==(const Clauses&) const = default;

 private:
  std::vector<std::uint32_t> terms_;  ///< clause after clause
  std::vector<std::size_t> ends_;     ///< where each clause ends in terms_
};

}  // namespace gannet::query
