// In which order documents stand in an index.
#pragma once

#include <cstdint>
#include <functional>
#include <string>
#include <string_view>

namespace gannet::index {

/// An order of the documents of an index, for reorder_index(). Documents that it holds equal keep
/// the order that they have.
struct DocumentOrder {
  enum class Key {
    kId,         ///< the external ids, bytewise
    kField,      ///< the values of a field; documents without it come last
    kUrl,        ///< URLs: the host's labels from the last to the first, then the path
    kRandom,     ///< a permutation that the seed alone decides
    kBisection,  ///< documents with the same terms beside each other: small gaps in the lists
    kList,       ///< a list of ids
  };
  Key key = Key::kId;
  /// kField: its name. kUrl: a keyword or stored field that has the URLs; empty: the ids are URLs.
  std::string field = {};
  /// kField: the greatest values first. Of several values the least counts, or the greatest here.
  bool descending = false;
  std::uint64_t seed = 1;  ///< kRandom
  /// kList: where parse_order() was told to find the ids, and for messages.
  std::string file = {};
  /// kList: the next id, or false at the end. Each document's once; empty ones are passed over.
  std::function<bool(std::string& id)> next_id = {};
};

/// `id`, `field:NAME`, `field:NAME:desc`, `url`, `url:NAME`, `random`, `random:SEED`, `bisection`
/// or `file:PATH` (whose next_id is the caller's). Throws UsageError that lists them.
DocumentOrder parse_order(std::string_view text);

}  // namespace gannet::index
