// Posting lists on their way from wherever they were inverted to the segment writer.
#pragma once

#include <cstdint>
#include <string>
#include <vector>

#include "index/segment/segment.hpp"

namespace gannet::index {

/// A list that is next to be written. What it holds besides the term is its source's business.
struct PendingList {
  std::string term;
  /// How many postings it has, and positions of these that its source gives, or more. Memory is
  /// planned by it.
  std::uint64_t max_values = 0;
  std::uint64_t number = 0;  ///< of the list in its source
  /// Fragments with bases (posting_code.hpp), if the source has read them.
  std::vector<std::uint8_t> coded;
};

/// The postings of a list, decoded.
struct ListPostings {
  std::vector<Docid> docids;
  std::vector<std::uint32_t> freqs;  ///< as many
  /// Of all postings, one behind the other, as many of each as its frequency: places of its
  /// document, ascending (ListPositions). Empty if the source has no positions.
  std::vector<std::uint32_t> positions;

  void clear() {
    docids.clear();
    freqs.clear();
    positions.clear();
  }
};

/// Yields lists in ascending bytewise order of their terms.
class ListSource {
 public:
  virtual ~ListSource() = default;
  /// Moves on to the next list; false at the end. By one thread at a time.
  virtual bool next(PendingList& list) = 0;
  /// Replaces `postings` by those of `list`. Thread-safe, also while next() runs.
  virtual void postings(const PendingList& list, ListPostings& postings) const = 0;
};

/// A source whose lists can be spilled.
class FragmentSource : public ListSource {
 public:
  /// Appends the fragments of `list`, with their bases, to `coded`. Thread-safe like postings().
  virtual void fragments(const PendingList& list, std::vector<std::uint8_t>& coded) const = 0;
};

}  // namespace gannet::index
