// The builder's progress, told to a Python callable by the thread that called from Python.
#pragma once

#include <cstdint>
#include <functional>
#include <mutex>
#include <string>
#include <string_view>

#include "tools/python/common.hpp"

namespace gannet::python {

/// Takes a stage and its progress.
using Tell = std::function<void(std::string_view stage, std::uint64_t done, std::uint64_t total)>;

class ProgressRelay {
 public:
  /// `told` takes (stage, done, total), or is None.
  explicit ProgressRelay(nb::object told) : told_(std::move(told)) {}

  /// For the builder: keeps what was said last. The relay must outlive the build.
  Tell callback() {
    return [this](std::string_view stage, std::uint64_t done, std::uint64_t total) {
      const std::lock_guard lock(mutex_);
      stage_ = stage;
      done_ = done;
      total_ = total;
    };
  }

  /// Tells it, with the interpreter lock.
  void report() {
    if (told_.is_none()) return;
    std::string stage;
    std::uint64_t done = 0;
    std::uint64_t total = 0;
    {
      const std::lock_guard lock(mutex_);
      stage = stage_;
      done = done_;
      total = total_;
    }
    if (!stage.empty()) told_(stage, done, total);
  }

 private:
  nb::object told_;
  std::mutex mutex_;
  std::string stage_;
  std::uint64_t done_ = 0, total_ = 0;
};

/// Runs `work(stop token, Tell)` as interruptible() does, and `meanwhile` beside it; the Python
/// callable `told`, or None, hears of its progress in each round.
template <class Work>
auto told_work(const nb::object& told, const Work& work,
               const std::function<bool()>& meanwhile = {}) {
  ProgressRelay relay(told);
  return interruptible([&](const std::stop_token& stop) { return work(stop, relay.callback()); },
                       [&] {
                         const bool more = meanwhile && meanwhile();
                         relay.report();
                         return more;
                       });
}

}  // namespace gannet::python
