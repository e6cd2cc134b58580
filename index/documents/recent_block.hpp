// The block of a file that was decoded last: whoever reads documents in order decodes each block
// once, and not once a document.
#pragma once

#include <cstdint>
#include <memory>
#include <mutex>
#include <string>
#include <utility>

namespace gannet::index {

/// Any number of threads may use one.
class RecentBlock {
 public:
  /// Block `number`, which is made by `decode()` unless it was the last one asked for.
  template <class Decode>
  std::shared_ptr<const std::string> get(std::uint64_t number, Decode&& decode) {
    {
      const std::lock_guard lock(mutex_);
      if (block_ != nullptr && number_ == number) return block_;
    }
    auto made = std::make_shared<const std::string>(std::forward<Decode>(decode)());
    const std::lock_guard lock(mutex_);
    number_ = number;
    block_ = made;
    return made;
  }

 private:
  std::mutex mutex_;
  std::uint64_t number_ = 0;
  std::shared_ptr<const std::string> block_;
};

}  // namespace gannet::index
