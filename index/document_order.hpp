// Orders of the documents of an index.
#pragma once

#include <cstdint>
#include <functional>
#include <string>
#include <string_view>

namespace gannet::index {

/// An order of the documents of an index, for reorder_index(). Documents with equal keys keep their
/// relative order.
struct DocumentOrder {
  enum class Key {
    kId,         ///< by external id, bytewise; docids in decimal count as ids if there are none
    kField,      ///< by the value of a field; documents without the field come last
    kUrl,        ///< by URL: the host's labels from the last to the first, then the port and path
    kRandom,     ///< a permutation that depends on the seed and the number of documents alone
    kBisection,  ///< documents with common terms are neighbours, so that gaps in lists are small
    kList,       ///< in the order of a list of ids
  };
  Key key = Key::kId;
  /// kField: the field's name. kUrl: the name of a keyword or stored field with URLs; empty: the
  /// ids are URLs. Documents without a URL come last.
  std::string field = {};
  /// kField: true orders from the greatest value to the smallest, and by the greatest value of a
  /// document that has several; false by the smallest.
  bool descending = false;
  std::uint64_t seed = 1;  ///< kRandom
  /// kList: the file of ids that parse_order() was given. The library does not read it: its name is
  /// for `next_id` of the caller and for messages.
  std::string file = {};
  /// kList: sets `id` to the next id and returns true, or returns false at the end. The list must
  /// have the id of every document that is not deleted exactly once. Empty ids are ignored.
  std::function<bool(std::string& id)> next_id = {};
};

/// Parses the name of an order: `id`, `field:NAME`, `field:NAME:asc`, `field:NAME:desc`, `url`,
/// `url:NAME`, `random`, `random:SEED`, `bisection` or `file:PATH`. The caller sets next_id for
/// `file:PATH`. Throws UsageError, which lists the names, for other texts.
DocumentOrder parse_order(std::string_view text);

}  // namespace gannet::index
