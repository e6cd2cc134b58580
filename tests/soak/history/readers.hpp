// Threads that ask an index while it is written: they refresh, keep old snapshots, and hold every
// answer to the documents that its snapshot had.
#pragma once

#include <atomic>
#include <cstdint>
#include <deque>
#include <memory>
#include <mutex>
#include <optional>
#include <string>
#include <thread>
#include <vector>

#include "query/searcher.hpp"
#include "tests/soak/history/commits.hpp"
#include "tests/soak/model/snapshot.hpp"

namespace gannet::soak {

class Readers {
 public:
  /// `commits` and `archive` must stay.
  Readers(Commits& commits, const Archive& archive, unsigned threads, unsigned seed);
  ~Readers();
  Readers(const Readers&) = delete;
  Readers& operator=(const Readers&) = delete;

  /// Throws Failure with what a thread has found wrong.
  void check() const;
  /// Ends the threads; throws what check() throws.
  void finish();
  std::uint64_t questions() const { return questions_; }
  std::uint64_t refreshes() const { return refreshes_; }

 private:
  /// A searcher and what its index had when it was opened.
  struct Held {
    query::Searcher searcher;
    Snapshot snapshot;
    std::uint64_t life;
  };
  using HeldPointer = std::shared_ptr<const Held>;
  static constexpr std::size_t kMaxHeld = 5;

  void read(unsigned seed);
  void step(std::mt19937& random);
  /// The index as it is now, by refreshing a searcher or opening it.
  void look_again(std::mt19937& random);
  HeldPointer any(std::mt19937& random) const;

  Commits& commits_;
  const Archive& archive_;
  std::atomic<bool> stop_ = false;
  std::atomic<std::uint64_t> questions_ = 0, refreshes_ = 0;
  mutable std::mutex mutex_;
  std::deque<HeldPointer> held_;  ///< the newest last
  std::optional<std::string> failure_;
  std::vector<std::thread> threads_;
};

}  // namespace gannet::soak
