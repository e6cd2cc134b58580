// A thread's copies to shared memory that run beside it. What they bring is seen when it has been
// waited for, and not a moment sooner: a kernel that forgets to wait reads what was there before.
#pragma once

#include <cstddef>
#include <cstring>
#include <vector>

namespace gannet::simt {

class LateCopies {
 public:
  /// Copies `bytes`, of which the last `zeros` are not copied but set to 0.
  void add(void* to, const void* from, std::size_t bytes, std::size_t zeros) {
    copies_.push_back({to, from, bytes, zeros, batch_});
  }
  /// What was added since the last time is a batch.
  void commit() { ++batch_; }

  /// Finishes all batches but the `newer` last ones; done(to, from, bytes) is told of each copy.
  template <class Done>
  void finish(std::size_t newer, Done done_copy) {
    std::size_t done = 0;
    for (; done < copies_.size() && copies_[done].batch + newer < batch_; ++done) {
      const Copy& copy = copies_[done];
      std::memcpy(copy.to, copy.from, copy.bytes - copy.zeros);
      std::memset(static_cast<char*>(copy.to) + copy.bytes - copy.zeros, 0, copy.zeros);
      done_copy(copy.to, copy.from, copy.bytes);
    }
    copies_.erase(copies_.begin(), copies_.begin() + static_cast<std::ptrdiff_t>(done));
  }

  /// What a thread leaves behind is finished when it ends.
  void end() {
    commit();
    finish(0, [](void*, const void*, std::size_t) {});
    batch_ = 0;
  }

 private:
  struct Copy {
    void* to;
    const void* from;
    std::size_t bytes;
    std::size_t zeros;
    std::size_t batch;
  };

  std::vector<Copy> copies_;
  std::size_t batch_ = 0;
};

}  // namespace gannet::simt
