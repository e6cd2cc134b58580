// The problems that a check finds, gathered from many threads, and how far it has come.
#pragma once

#include <algorithm>
#include <atomic>
#include <cstdint>
#include <functional>
#include <map>
#include <mutex>
#include <stop_token>
#include <string>
#include <tuple>
#include <utility>
#include <vector>

#include "codecs/base/cancellation.hpp"

namespace gannet::index {

/// Keeps the first `most` problems in the order of their places, whichever order they come in.
/// Thread-safe.
class ProblemList {
 public:
  explicit ProblemList(std::size_t most) : most_(most) {}

  /// The problems that follow belong to the next segment. Not to be called beside add().
  void next_segment() {
    const std::lock_guard lock(mutex_);
    ++segment_;
  }

  /// Segment, `area` and `place` order the problems; one is kept for each such triple.
  void add(std::uint32_t area, std::uint64_t place, std::string text) {
    const std::lock_guard lock(mutex_);
    found_.emplace(std::tuple(segment_, area, place), std::move(text));
    if (found_.size() > most_) found_.erase(std::prev(found_.end()));
  }

  /// In their order. What several checks found, such as a missing file, is said once.
  std::vector<std::string> take() {
    std::vector<std::string> texts;
    for (auto& [where, text] : found_) {
      if (std::find(texts.begin(), texts.end(), text) == texts.end()) {
        texts.push_back(std::move(text));
      }
    }
    return texts;
  }

 private:
  std::size_t most_;
  std::mutex mutex_;
  std::uint64_t segment_ = 0;
  std::map<std::tuple<std::uint64_t, std::uint32_t, std::uint64_t>, std::string> found_;
};

/// Counts what is done and tells it to one callback, by one thread at a time. Thread-safe.
class Progress {
 public:
  using Callback = std::function<void(std::uint64_t done, std::uint64_t total)>;
  Progress(const Callback& callback, std::uint64_t total, std::stop_token stop = {})
      : callback_(callback), total_(total), stop_(std::move(stop)) {}

  /// Throws CancelledError if the work is to stop.
  void add(std::uint64_t amount) {
    throw_if_stopped(stop_);
    const std::uint64_t now = std::min(done_.fetch_add(amount) + amount, total_);
    if (!callback_) return;
    const std::unique_lock lock(mutex_, std::try_to_lock);
    if (lock.owns_lock() && now > told_) callback_(told_ = now, total_);
  }

  const std::stop_token& stop() const { return stop_; }

  /// Tells that all is done, whatever was counted.
  void finish() {
    const std::lock_guard lock(mutex_);
    if (callback_ && told_ < total_) callback_(told_ = total_, total_);
  }

 private:
  const Callback& callback_;
  std::uint64_t total_;
  std::stop_token stop_;
  std::uint64_t told_ = 0;
  std::atomic<std::uint64_t> done_{0};
  std::mutex mutex_;
};

}  // namespace gannet::index
