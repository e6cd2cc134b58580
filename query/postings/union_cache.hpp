// Lists of unions of terms and of phrases, kept for the next query.
#pragma once

#include <cstddef>
#include <cstdint>
#include <list>
#include <memory>
#include <mutex>
#include <unordered_map>
#include <utility>
#include <vector>

#include "query/postings/made_list.hpp"

namespace gannet::query {

/// The lists that were asked for last, of any segments, within a number of bytes; the one that was
/// asked for longest ago goes first. Plans keep the lists that they use. A segment never changes,
/// so a list stays right as long as its segment lives; no segment is kept alive. Any number of
/// threads may use it; no lock is held while a list is made, so two threads may make the same.
class UnionCache {
 public:
  static constexpr std::size_t kBytes = std::size_t{256} << 20;

  explicit UnionCache(std::size_t bytes = kBytes) : limit_(bytes) {}

  /// The list that MadeList makes, which may be empty. Throws what that throws.
  std::shared_ptr<const MadeList> of(const std::shared_ptr<const index::Segment>& segment,
                                     ListRecipe recipe, std::uint32_t text);
  /// Of a union.
  std::shared_ptr<const MadeList> of(const std::shared_ptr<const index::Segment>& segment,
                                     std::vector<index::TermId> terms, std::uint32_t text) {
    return of(segment, ListRecipe{.terms = std::move(terms)}, text);
  }
  /// Memory of the lists that are kept.
  std::size_t bytes() const;

 private:
  struct Key {
    const index::Segment* segment;
    ListRecipe recipe;
    bool operator==(const Key&) const = default;
  };
  struct Hash {
    std::size_t operator()(const Key& key) const;
  };
  struct Entry {
    Key key;
    /// Tells another segment at the address of one that is gone.
    std::weak_ptr<const index::Segment> segment;
    std::shared_ptr<const MadeList> list;
    std::size_t bytes() const;
  };
  using Entries = std::list<Entry>;

  std::shared_ptr<const MadeList> find(const std::shared_ptr<const index::Segment>& segment,
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
