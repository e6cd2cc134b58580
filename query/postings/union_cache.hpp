// Lists of unions of terms, kept for the next query.
#pragma once

#include <cstddef>
#include <cstdint>
#include <list>
#include <memory>
#include <mutex>
#include <unordered_map>
#include <vector>

#include "query/postings/union_list.hpp"

namespace gannet::query {

/// The lists that were asked for last, of any segments, within a number of bytes; the one that was
/// asked for longest ago goes first. Plans keep the lists that they use. A segment never changes,
/// so a list stays right as long as its segment lives; no segment is kept alive. Any number of
/// threads may use it; no lock is held while a list is made, so two threads may make the same.
class UnionCache {
 public:
  static constexpr std::size_t kBytes = std::size_t{256} << 20;

  explicit UnionCache(std::size_t bytes = kBytes) : limit_(bytes) {}

  /// The list of `terms`, which are distinct and ascending; see UnionList. Throws what that throws.
  std::shared_ptr<const UnionList> of(const std::shared_ptr<const index::Segment>& segment,
                                      const std::vector<index::TermId>& terms, std::uint32_t text,
                                      UnionFrequency frequency = UnionFrequency::kSum);
  /// Memory of the lists that are kept.
  std::size_t bytes() const;

 private:
  struct Key {
    const index::Segment* segment;
    std::vector<index::TermId> terms;
    UnionFrequency frequency;
    bool operator==(const Key&) const = default;
  };
  struct Hash {
    std::size_t operator()(const Key& key) const;
  };
  struct Entry {
    Key key;
    /// Tells another segment at the address of one that is gone.
    std::weak_ptr<const index::Segment> segment;
    std::shared_ptr<const UnionList> list;
    std::size_t bytes() const;
  };
  using Entries = std::list<Entry>;

  std::shared_ptr<const UnionList> find(const std::shared_ptr<const index::Segment>& segment,
                                        const Key& key);
  void erase(Entries::iterator entry);

  const std::size_t limit_;
  mutable std::mutex mutex_;
  Entries entries_;  ///< the last one used first
  std::unordered_map<Key, Entries::iterator, Hash> places_;
  std::size_t bytes_ = 0;
};

/// That of all plans of the process.
UnionCache& union_cache();

}  // namespace gannet::query
