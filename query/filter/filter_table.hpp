// What is known of filters in segments, by segment and filter.
#pragma once

#include <cstddef>
#include <cstdint>
#include <list>
#include <memory>
#include <unordered_map>
#include <utility>
#include <vector>

#include "query/plan/filter.hpp"

namespace gannet::query {

struct FilterKey {
  std::size_t segment;
  Filter filter;
  bool operator==(const FilterKey&) const = default;
};

/// Keeps values, each of which says what it takes by bytes(). Not thread-safe.
template <class Value>
class FilterTable {
 public:
  /// The value, which becomes the last one used; null if there is none.
  std::shared_ptr<Value> find(const FilterKey& key) {
    const auto found = known_.find(key);
    if (found == known_.end()) return nullptr;
    entries_.splice(entries_.begin(), entries_, found->second);
    return entries_.front().value;
  }

  /// The key must be new.
  void insert(FilterKey key, std::shared_ptr<Value> value) {
    bytes_ += value->bytes();
    entries_.push_front({key, std::move(value)});
    known_.emplace(std::move(key), entries_.begin());
  }

  void erase(const FilterKey& key) {
    const auto found = known_.find(key);
    if (found != known_.end()) erase(found->second);
  }

  /// Takes out what was not used for the longest time, until the rest takes no more than `room`;
  /// but nothing that somebody else holds. Returns it, to be thrown away without the caller's locks
  /// where that takes long.
  [[nodiscard]] std::vector<std::shared_ptr<Value>> trim(std::uint64_t room) {
    std::vector<std::shared_ptr<Value>> out;
    for (auto entry = entries_.end(); bytes_ > room && entry != entries_.begin();) {
      --entry;
      // A batch that remembers it may take it meanwhile: then it is used, but no longer found.
      if (entry->value.use_count() > 1) continue;
      out.push_back(entry->value);
      entry = erase(entry);
    }
    return out;
  }

  /// What the values take.
  std::uint64_t bytes() const { return bytes_; }

 private:
  struct Entry {
    FilterKey key;
    std::shared_ptr<Value> value;
  };
  struct Hash {
    std::size_t operator()(const FilterKey& key) const {
      return key.filter.hash() * 31 + key.segment;
    }
  };
  using Entries = std::list<Entry>;

  typename Entries::iterator erase(typename Entries::iterator entry) {
    bytes_ -= entry->value->bytes();
    known_.erase(entry->key);
    return entries_.erase(entry);
  }

  Entries entries_;  ///< the last one used first
  std::unordered_map<FilterKey, typename Entries::iterator, Hash> known_;
  std::uint64_t bytes_ = 0;
};

}  // namespace gannet::query
