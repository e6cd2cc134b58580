#include "codecs/base/deadline.hpp"

#include <unistd.h>

#include <atomic>
#include <condition_variable>
#include <cstdint>
#include <map>
#include <mutex>
#include <optional>
#include <thread>

namespace gannet {
// Not anonymous: DeadlineStop::Impl, which has a name, has them as members.
namespace deadlines {

/// Asks for stops when their times have come. Its thread waits for the first of them, and lives as
/// long as the process: threads that begin and end with each search would take longer than short
/// ones do.
class Timekeeper {
 public:
  using Key = std::pair<Deadline, std::uint64_t>;

  /// That of this process: in a forked one the parent's thread is not there, and its locks may be
  /// held for ever. It is never destroyed, since its thread uses it until the process is over.
  static Timekeeper& of_process() {
    static std::atomic<Timekeeper*> last = nullptr;
    Timekeeper* there = last.load(std::memory_order_acquire);
    while (there == nullptr || there->process_ != ::getpid()) {
      auto made = std::make_unique<Timekeeper>();
      if (last.compare_exchange_strong(there, made.get(), std::memory_order_acq_rel)) {
        return *made.release();
      }
    }
    return *there;
  }

  Key add(Deadline deadline, std::stop_source source) {
    const std::lock_guard lock(mutex_);
    if (!running_) {
      std::thread([this] { keep(); }).detach();
      running_ = true;
    }
    const Key key(deadline, next_++);
    waiting_.emplace(key, std::move(source));
    if (waiting_.begin()->first == key) changed_.notify_one();
    return key;
  }

  /// Nothing happens if its time has come already.
  void remove(const Key& key) {
    const std::lock_guard lock(mutex_);
    waiting_.erase(key);
  }

 private:
  void keep() {
    std::unique_lock lock(mutex_);
    while (true) {
      if (waiting_.empty()) {
        changed_.wait(lock);
        continue;
      }
      const auto first = waiting_.begin();
      const Deadline deadline = first->first.first;
      if (std::chrono::steady_clock::now() < deadline) {
        changed_.wait_until(lock, deadline);
        continue;
      }
      std::stop_source source = std::move(first->second);
      waiting_.erase(first);
      lock.unlock();  // callbacks of the token run here
      source.request_stop();
      lock.lock();
    }
  }

  const ::pid_t process_ = ::getpid();
  std::mutex mutex_;
  std::condition_variable changed_;
  std::map<Key, std::stop_source> waiting_;
  std::uint64_t next_ = 0;
  bool running_ = false;
};

/// For a std::stop_callback: hands a request on.
struct ForwardStop {
  std::stop_source source;
  void operator()() noexcept { source.request_stop(); }
};

}  // namespace deadlines

Deadline deadline_after(double seconds) {
  const Deadline now = std::chrono::steady_clock::now();
  const std::chrono::duration<double> left = kNoDeadline - now;
  if (!(seconds < left.count())) return kNoDeadline;
  if (seconds <= 0) return now;
  return now +
         std::chrono::duration_cast<Deadline::duration>(std::chrono::duration<double>(seconds));
}

void fail_deadline() { throw DeadlineError("the deadline passed before the work was done"); }

struct DeadlineStop::Impl {
  Impl(const std::stop_token& stop, Deadline deadline)
      : outer(stop),
        keeper(deadlines::Timekeeper::of_process()),
        forward(stop, deadlines::ForwardStop{source}),
        key(keeper.add(deadline, source)) {}

  std::stop_token outer;
  std::stop_source source;
  deadlines::Timekeeper& keeper;
  std::stop_callback<deadlines::ForwardStop> forward;
  deadlines::Timekeeper::Key key;
};

DeadlineStop::DeadlineStop(const std::stop_token& stop, Deadline deadline) {
  if (std::chrono::steady_clock::now() >= deadline) fail_deadline();
  impl_ = std::make_unique<Impl>(stop, deadline);
}

DeadlineStop::~DeadlineStop() { impl_->keeper.remove(impl_->key); }

std::stop_token DeadlineStop::token() const { return impl_->source.get_token(); }

bool DeadlineStop::passed() const {
  return impl_->source.stop_requested() && !impl_->outer.stop_requested();
}

}  // namespace gannet
