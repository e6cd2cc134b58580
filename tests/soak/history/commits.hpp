// Where the index of a history is, and which documents each of its generations has: what the writer
// tells its readers.
#pragma once

#include <algorithm>
#include <condition_variable>
#include <cstdint>
#include <filesystem>
#include <map>
#include <mutex>
#include <optional>
#include <shared_mutex>
#include <utility>

#include "tests/soak/model/versions.hpp"

namespace gannet::soak {

/// Thread-safe. The index moves when the machine has crashed: then its life ends, and another one
/// begins in another folder, with generations of its own.
class Commits {
 public:
  struct Place {
    std::filesystem::path index;
    std::uint64_t life = 0;
  };

  /// The generations up to this one, from the last that was told, have these documents: merging
  /// after a commit changes none.
  void publish(std::uint64_t generation, const Documents& documents) {
    const std::lock_guard lock(mutex_);
    for (std::uint64_t g = std::min(last_ + 1, generation); g <= generation; ++g) {
      documents_[{life_, g}] = documents;
    }
    last_ = generation;
    changed_.notify_all();
  }
  /// What a generation has, as soon as it is told; nothing once stop() was called, or if nobody
  /// knows any more.
  std::optional<Documents> wait_for(std::uint64_t life, std::uint64_t generation) const {
    std::unique_lock lock(mutex_);
    const auto key = std::pair(life, generation);
    changed_.wait(lock, [&] { return stopped_ || life + 1 < life_ || documents_.contains(key); });
    const auto found = documents_.find(key);
    if (found == documents_.end()) return std::nullopt;
    return found->second;
  }
  void stop() {
    const std::lock_guard lock(mutex_);
    stopped_ = true;
    changed_.notify_all();
  }

  /// Who opens an index holds this, shared, so that its folder stays meanwhile.
  std::shared_lock<std::shared_mutex> stay() const { return std::shared_lock(moving_); }
  /// Needs stay(). Nothing while there is no index.
  std::optional<Place> place() const {
    const std::lock_guard lock(mutex_);
    if (last_ == 0) return std::nullopt;
    return Place{index_, life_};
  }
  /// Waits until nobody opens an index, and lets nobody, while `work` puts another one there.
  template <class Work>
  void move(const std::filesystem::path& index, Work work) {
    const std::unique_lock moving(moving_);
    work();
    const std::lock_guard lock(mutex_);
    index_ = index;
    ++life_;
    last_ = 0;
    std::erase_if(documents_, [&](const auto& entry) { return entry.first.first + 1 < life_; });
    changed_.notify_all();
  }

 private:
  mutable std::shared_mutex moving_;
  mutable std::mutex mutex_;
  mutable std::condition_variable changed_;
  std::filesystem::path index_;
  std::uint64_t life_ = 0;
  std::uint64_t last_ = 0;
  std::map<std::pair<std::uint64_t, std::uint64_t>, Documents> documents_;  ///< by life, generation
  bool stopped_ = false;
};

}  // namespace gannet::soak
