// The terms of a build: from bytes to numbers, while many threads invert documents.
#pragma once

#include <cstddef>
#include <cstdint>
#include <memory>
#include <string_view>
#include <vector>

namespace gannet::index {

/// A term's number during a build. Numbers depend on timing; nothing that is written depends on
/// them.
using TermNumber = std::uint32_t;

/// Gives every distinct term a number. Sharded by hash, so that threads seldom wait for each other;
/// by a hash with a seed (index/text/words/seeded_hash.hpp), so that no input makes it slow.
class TermDictionary {
 public:
  TermDictionary();
  ~TermDictionary();
  TermDictionary(const TermDictionary&) = delete;
  TermDictionary& operator=(const TermDictionary&) = delete;

  /// The number of a term of 1 .. 2^32 - 1 bytes, new if it was not seen before. Thread-safe.
  TermNumber number_of(std::string_view term);

  /// One more than the largest number given. Not all numbers below are in use: term() is empty for
  /// those. Not while another thread is in number_of(), like term().
  TermNumber bound() const;
  /// The bytes of a term; valid until clear().
  std::string_view term(TermNumber number) const;

  /// Number of terms, and bytes of memory in use. Thread-safe.
  std::uint64_t size() const;
  std::uint64_t memory() const;

  /// Slots that a search for a term goes through at most. Looks at all of them; not while another
  /// thread is in number_of().
  std::size_t longest_run() const;

  /// Forgets all terms and gives their memory back.
  void clear();

 private:
  struct Shard;
  std::unique_ptr<Shard[]> shards_;
};

}  // namespace gannet::index
