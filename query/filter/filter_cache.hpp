// Bitmaps of filters, shared by the queries of a batch and kept for the next.
#pragma once

#include <cstddef>
#include <cstdint>
#include <list>
#include <memory>
#include <mutex>
#include <unordered_map>

#include "index/index.hpp"
#include "query/filter/filter_bitmap.hpp"

namespace gannet::query {

/// What an index's filters let pass, by segment and filter. Beyond `bytes`, those that were not
/// used for the longest time are thrown away, but none that somebody uses. Any number of threads
/// may use it.
class FilterCache {
 public:
  FilterCache(std::shared_ptr<const index::Index> index, std::uint64_t bytes);

  /// The documents of a segment that pass a filter: those that are known, or new ones, to be found
  /// out when they are first asked for. Throws UsageError for a filter with fields or values that
  /// the index has not.
  std::shared_ptr<FilterBitmap> of(std::size_t segment, const Filter& filter);

  /// Throws away what there is no room for and nobody uses any more.
  void trim();

  /// What those that are kept take.
  std::uint64_t bytes() const;
  /// Filters of segments that were bound since it was made.
  std::uint64_t misses() const;

 private:
  struct Key {
    std::size_t segment;
    Filter filter;
    bool operator==(const Key&) const = default;
  };
  struct Hash {
    std::size_t operator()(const Key& key) const { return key.filter.hash() * 31 + key.segment; }
  };
  struct Entry {
    Key key;
    std::shared_ptr<FilterBitmap> bitmap;
  };
  using Entries = std::list<Entry>;

  std::shared_ptr<FilterBitmap> find(const Key& key);
  Entries::iterator erase(Entries::iterator entry);
  void make_room();

  std::shared_ptr<const index::Index> index_;
  std::uint64_t room_;
  mutable std::mutex mutex_;
  Entries entries_;  ///< the last one used first
  std::unordered_map<Key, Entries::iterator, Hash> known_;
  std::uint64_t bytes_ = 0;
  std::uint64_t misses_ = 0;
};

}  // namespace gannet::query
