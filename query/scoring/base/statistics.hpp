// What a scorer knows of a collection and of a term.
#pragma once

#include <compare>
#include <cstdint>

namespace gannet::query {

/// Statistics of a whole collection, however many segments or shards it has.
struct CollectionStatistics {
  std::uint64_t documents = 0;
  /// Sum of the document lengths.
  std::uint64_t tokens = 0;
  /// Documents that the mean length is taken over: of a text field, those that have it. 0: all.
  std::uint64_t having = 0;
  /// Mean document length; 0 for an empty collection.
  double average_length() const {
    const std::uint64_t among = having == 0 ? documents : having;
    return among == 0 ? 0 : static_cast<double>(tokens) / static_cast<double>(among);
  }
};

/// Statistics of a term in a whole collection.
struct TermStatistics {
  /// Documents that have it; at most CollectionStatistics::documents.
  std::uint64_t documents = 0;
  /// How often it occurs; at least `documents`.
  std::uint64_t occurrences = 0;
  auto operator<=>(const TermStatistics&) const = default;
};

}  // namespace gannet::query
