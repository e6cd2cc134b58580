// The part of TBB's interface that Gannet uses, on standard threads, for builds with the thread
// sanitizer. libtbb is not instrumented: the sanitizer sees none of its synchronisation and would
// call every hand-over from one task to another a race, so that only suppressing all of our own
// code that runs in tasks would silence it. Here tasks are handed over by std::mutex and
// std::thread, which it knows; what races in our code races here too.
#pragma once

#include <algorithm>
#include <any>
#include <array>
#include <atomic>
#include <condition_variable>
#include <cstddef>
#include <exception>
#include <functional>
#include <iterator>
#include <latch>
#include <map>
#include <memory>
#include <mutex>
#include <thread>
#include <type_traits>
#include <utility>
#include <vector>

namespace tbb {

namespace info {
/// More than most machines of continuous integration have: races need threads, not cores.
inline int default_concurrency() { return 4; }
}  // namespace info

class global_control {
 public:
  enum parameter { max_allowed_parallelism, thread_stack_size };
  global_control(parameter, std::size_t) {}
};

namespace detail {

inline thread_local int concurrency = info::default_concurrency();

/// Calls `task` on `threads` threads at once, and rethrows the first exception.
template <class Task>
void run_on_threads(std::size_t threads, const Task& task) {
  std::mutex mutex;
  std::exception_ptr failure;
  std::latch started(static_cast<std::ptrdiff_t>(threads));
  const auto guarded = [&, inherited = concurrency] {
    concurrency = inherited;
    started.arrive_and_wait();  // else the first does all the work
    try {
      task();
    } catch (...) {
      const std::lock_guard lock(mutex);
      if (!failure) failure = std::current_exception();
    }
  };
  std::vector<std::thread> workers;
  for (std::size_t i = 1; i < threads; ++i) workers.emplace_back(guarded);
  guarded();
  for (std::thread& worker : workers) worker.join();
  if (failure) std::rethrow_exception(failure);
}

}  // namespace detail

class task_arena {
 public:
  static constexpr int automatic = -1;
  explicit task_arena(int concurrency = automatic, unsigned = 1)
      : concurrency_(concurrency == automatic ? info::default_concurrency() : concurrency) {}

  int max_concurrency() const { return concurrency_; }

  template <class F>
  decltype(auto) execute(F&& f) {
    struct Restore {
      int before = detail::concurrency;
      ~Restore() { detail::concurrency = before; }
    } restore;
    detail::concurrency = concurrency_;
    return std::forward<F>(f)();
  }

 private:
  int concurrency_;
};

namespace this_task_arena {
inline int max_concurrency() { return detail::concurrency; }
template <class F>
decltype(auto) isolate(F&& f) {
  return std::forward<F>(f)();
}
}  // namespace this_task_arena

template <class Value>
class blocked_range {
 public:
  using const_iterator = Value;
  blocked_range(Value begin, Value end, std::size_t grain = 1)
      : begin_(begin), end_(end), grain_(grain) {}
  Value begin() const { return begin_; }
  Value end() const { return end_; }
  std::size_t grainsize() const { return grain_; }
  std::size_t size() const { return static_cast<std::size_t>(end_ - begin_); }
  bool empty() const { return !(begin_ < end_); }

 private:
  Value begin_, end_;
  std::size_t grain_;
};

template <class Value, class Body, class... Partitioner>
void parallel_for(const blocked_range<Value>& range, const Body& body, Partitioner&&...) {
  const std::size_t size = range.empty() ? 0 : range.size();
  const std::size_t grain = std::max<std::size_t>(range.grainsize(), 1);
  const std::size_t pieces = (size + grain - 1) / grain;
  std::atomic<std::size_t> next{0};
  // Relaxed: who takes a piece after another must not seem to have waited for it.
  const auto take = [&] { return next.fetch_add(1, std::memory_order_relaxed); };
  const auto threads = std::min(pieces, static_cast<std::size_t>(detail::concurrency));
  if (pieces == 0) return;
  detail::run_on_threads(threads, [&] {
    for (std::size_t piece = take(); piece < pieces; piece = take()) {
      const auto first = range.begin() + static_cast<Value>(piece * grain);
      const auto last = piece + 1 == pieces ? range.end() : first + static_cast<Value>(grain);
      body(blocked_range<Value>(first, last, grain));
    }
  });
}

template <class Index, class Body,
          class = std::enable_if_t<std::is_integral_v<Index> && std::is_invocable_v<Body, Index>>>
void parallel_for(Index first, Index last, const Body& body) {
  parallel_for(blocked_range<Index>(first, last), [&](const blocked_range<Index>& range) {
    for (Index i = range.begin(); i != range.end(); ++i) body(i);
  });
}

template <class... Tasks>
void parallel_invoke(const Tasks&... tasks) {
  const std::function<void()> all[] = {tasks...};
  parallel_for(std::size_t{0}, sizeof...(tasks), [&](std::size_t i) { all[i](); });
}

template <class Iterator, class Less = std::less<>>
void parallel_sort(Iterator first, Iterator last, const Less& less = {}) {
  std::sort(first, last, less);
}
template <class Range, class Less = std::less<>>
requires requires(Range& range) { range.begin(); }
void parallel_sort(Range& range, const Less& less = {}) {
  std::sort(range.begin(), range.end(), less);
}

namespace detail {

/// A number that no other thread has while this one lives. What belongs to it passes to the next
/// thread that gets it, in order, as TBB's workers go on with what they have from call to call.
/// (std::thread::id is given again too, but nothing that the sanitizer sees comes between.)
class ThreadNumber {
 public:
  ThreadNumber() {
    for (bool free = false; !taken_[number_].compare_exchange_strong(
             free, true, std::memory_order_acquire, std::memory_order_relaxed);
         free = false) {
      number_ = (number_ + 1) % taken_.size();
    }
  }
  ~ThreadNumber() { taken_[number_].store(false, std::memory_order_release); }
  ThreadNumber(const ThreadNumber&) = delete;
  ThreadNumber& operator=(const ThreadNumber&) = delete;

  static std::size_t own() {
    static thread_local const ThreadNumber number;
    return number.number_;
  }

 private:
  static inline std::array<std::atomic<bool>, 1024> taken_{};
  std::size_t number_ = 0;
};

}  // namespace detail

/// A value a thread, made when it is first asked for.
template <class T>
class enumerable_thread_specific {
 public:
  enumerable_thread_specific() : make_([] { return std::make_unique<T>(); }) {}
  template <class Make, class = std::enable_if_t<std::is_invocable_r_v<T, Make>>>
  explicit enumerable_thread_specific(Make make)
      : make_([make] { return std::unique_ptr<T>(new T(make())); }) {}

  T& local() {
    const std::lock_guard lock(mutex_);
    std::unique_ptr<T>& value = values_[detail::ThreadNumber::own()];
    if (value == nullptr) value = make_();
    return *value;
  }
  template <class F>
  void combine_each(F f) {
    for (auto& [thread, value] : values_) f(*value);
  }
  std::size_t size() const { return values_.size(); }
  bool empty() const { return values_.empty(); }
  void clear() { values_.clear(); }

  class iterator {
   public:
    using Place = typename std::map<std::size_t, std::unique_ptr<T>>::iterator;
    using iterator_category = std::forward_iterator_tag;
    using value_type = T;
    using difference_type = std::ptrdiff_t;
    using pointer = T*;
    using reference = T&;
    explicit iterator(Place place) : place_(place) {}
    T& operator*() const { return *place_->second; }
    T* operator->() const { return place_->second.get(); }
    iterator& operator++() {
      ++place_;
      return *this;
    }
    bool operator==(const iterator&) const = default;

   private:
    Place place_;
  };
  iterator begin() { return iterator(values_.begin()); }
  iterator end() { return iterator(values_.end()); }

 private:
  std::mutex mutex_;
  std::function<std::unique_ptr<T>()> make_;
  std::map<std::size_t, std::unique_ptr<T>> values_;
};

enum class filter_mode { parallel, serial_in_order, serial_out_of_order };

class flow_control {
 public:
  void stop() { stopped_ = true; }
  bool stopped() const { return stopped_; }

 private:
  bool stopped_ = false;
};

namespace detail {

struct Stage {
  filter_mode mode;
  std::function<std::any(std::any, flow_control&)> run;
};

}  // namespace detail

template <class In, class Out>
class filter {
 public:
  explicit filter(std::vector<detail::Stage> stages) : stages_(std::move(stages)) {}
  const std::vector<detail::Stage>& stages() const { return stages_; }

 private:
  std::vector<detail::Stage> stages_;
};

template <class In, class Out, class F>
filter<In, Out> make_filter(filter_mode mode, F f) {
  auto shared = std::make_shared<F>(std::move(f));
  return filter<In, Out>({{mode, [shared](std::any in, flow_control& control) -> std::any {
                             if constexpr (std::is_void_v<In>) {
                               return (*shared)(control);
                             } else if constexpr (std::is_void_v<Out>) {
                               (*shared)(std::any_cast<In>(std::move(in)));
                               return {};
                             } else {
                               return (*shared)(std::any_cast<In>(std::move(in)));
                             }
                           }}});
}

template <class In, class Between, class Out>
filter<In, Out> operator&(const filter<In, Between>& left, const filter<Between, Out>& right) {
  std::vector<detail::Stage> stages = left.stages();
  stages.insert(stages.end(), right.stages().begin(), right.stages().end());
  return filter<In, Out>(std::move(stages));
}

namespace detail {

/// A pipeline: a thread takes a token through all stages, and waits for its turn at serial ones.
class Pipeline {
 public:
  explicit Pipeline(const std::vector<Stage>& stages) : stages_(stages), turn_(stages.size(), 0) {}

  void run(std::size_t tokens) {
    run_on_threads(std::max<std::size_t>(tokens, 1), [this] {
      try {
        while (take_one()) {
        }
      } catch (...) {
        const std::lock_guard lock(mutex_);
        failed_ = true;
        changed_.notify_all();
        throw;
      }
    });
  }

 private:
  bool take_one() {
    std::any token;
    std::size_t number = 0;
    {
      const std::lock_guard input(input_);
      if (control_.stopped() || failed()) return false;
      token = stages_[0].run({}, control_);
      if (control_.stopped()) return false;
      number = count_++;
    }
    for (std::size_t s = 1; s < stages_.size(); ++s) {
      if (stages_[s].mode == filter_mode::parallel) {
        token = stages_[s].run(std::move(token), control_);
        continue;
      }
      if (!wait_for_turn(s, number)) return false;
      token = stages_[s].run(std::move(token), control_);
      const std::lock_guard lock(mutex_);
      ++turn_[s];
      changed_.notify_all();
    }
    return true;
  }

  bool failed() {
    const std::lock_guard lock(mutex_);
    return failed_;
  }

  bool wait_for_turn(std::size_t stage, std::size_t number) {
    std::unique_lock lock(mutex_);
    changed_.wait(lock, [&] { return failed_ || turn_[stage] == number; });
    return !failed_;
  }

  const std::vector<Stage>& stages_;
  std::mutex input_;
  flow_control control_;
  std::size_t count_ = 0;
  std::mutex mutex_;
  std::condition_variable changed_;
  std::vector<std::size_t> turn_;
  bool failed_ = false;
};

}  // namespace detail

inline void parallel_pipeline(std::size_t tokens, const filter<void, void>& chain) {
  const auto threads = std::min(tokens, static_cast<std::size_t>(detail::concurrency));
  detail::Pipeline(chain.stages()).run(threads);
}

}  // namespace tbb
