// A team of threads that starts and ends a job together, for measuring.
#pragma once

#include <barrier>
#include <functional>
#include <thread>
#include <vector>

namespace gannet::tools {

class ThreadTeam {
 public:
  /// `threads` >= 1.
  explicit ThreadTeam(unsigned threads)
      : start_(static_cast<std::ptrdiff_t>(threads) + 1),
        end_(static_cast<std::ptrdiff_t>(threads) + 1) {
    for (unsigned i = 0; i < threads; ++i) threads_.emplace_back([this, i] { loop(i); });
  }
  ~ThreadTeam() {
    job_ = nullptr;
    start_.arrive_and_wait();
    for (std::thread& thread : threads_) thread.join();
  }
  ThreadTeam(const ThreadTeam&) = delete;
  ThreadTeam& operator=(const ThreadTeam&) = delete;

  unsigned size() const { return static_cast<unsigned>(threads_.size()); }

  /// Runs job(0) .. job(size() - 1), one on each thread, and waits. `job` must not throw.
  void run(std::function<void(unsigned)> job) {
    job_ = std::move(job);
    start_.arrive_and_wait();
    end_.arrive_and_wait();
  }

 private:
  void loop(unsigned i) {
    for (;;) {
      start_.arrive_and_wait();
      if (!job_) return;
      job_(i);
      end_.arrive_and_wait();
    }
  }

  std::barrier<> start_;
  std::barrier<> end_;
  std::function<void(unsigned)> job_;
  std::vector<std::thread> threads_;
};

}  // namespace gannet::tools
