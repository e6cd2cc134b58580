// Which of the wanted fields the documents of a collection have, to find names that are mistyped.
#pragma once

#include <algorithm>
#include <atomic>
#include <cstddef>
#include <mutex>
#include <string>
#include <string_view>
#include <vector>

namespace gannet::corpora {

/// Sources write to it, who opened them reads it afterwards. Thread-safe.
class FieldUse {
 public:
  /// Of ReaderOptions::fields.
  explicit FieldUse(std::size_t fields) : had_(fields) {}

  /// A document has field number `field`.
  void note(std::size_t field) {
    if (!had_[field].load(std::memory_order_relaxed)) had_[field] = true;
  }
  bool had(std::size_t field) const { return had_[field]; }

  /// A document has a member called so. The first kMembers names are kept.
  void see(std::string_view member) {
    const std::lock_guard lock(mutex_);
    if (members_.size() < kMembers && std::ranges::count(members_, member) == 0) {
      members_.emplace_back(member);
    }
  }
  std::vector<std::string> members() const {
    const std::lock_guard lock(mutex_);
    return members_;
  }

 private:
  static constexpr std::size_t kMembers = 64;

  std::vector<std::atomic<bool>> had_;
  mutable std::mutex mutex_;
  std::vector<std::string> members_;
};

}  // namespace gannet::corpora
