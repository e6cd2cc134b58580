#include "tools/mpi/ranks.hpp"

#include <boost/mpi/collectives/all_gather.hpp>
#include <boost/serialization/string.hpp>
#include <fmt/format.h>

#include <algorithm>
#include <chrono>
#include <future>
#include <thread>

#include "tools/terminal/notes.hpp"
#include "tools/terminal/standard_output.hpp"

namespace gannet::tools {
namespace {

using namespace std::chrono_literals;

constexpr int kFailureTag = 1;
/// A rank that waits looks this often without a pause: batches of queries end within it.
constexpr int kQuickLooks = 20'000;

/// MPI's own barrier keeps a core busy for as long as the slowest rank takes.
void wait_for_all(const boost::mpi::communicator& world) {
  MPI_Request request{};
  MPI_Ibarrier(world, &request);
  for (int looks = 0;; ++looks) {
    int done = 0;
    MPI_Test(&request, &done, MPI_STATUS_IGNORE);
    if (done != 0) return;
    if (looks < kQuickLooks) {
      std::this_thread::yield();
    } else {
      std::this_thread::sleep_for(1ms);
    }
  }
}

/// The job's failure: the first rank's that failed by itself, and was not merely interrupted.
Failure choose(const std::vector<int>& codes, const std::vector<std::string>& messages) {
  const auto failed = [](int code) { return code != kOk && code != kInterrupted; };
  auto chosen = std::ranges::find_if(codes, failed);
  if (chosen == codes.end()) {
    chosen = std::ranges::find_if(codes, [](int code) { return code != kOk; });
  }
  const auto rank = static_cast<std::size_t>(chosen - codes.begin());
  const bool all = std::ranges::all_of(
      messages, [&](const std::string& message) { return message == messages[rank]; });
  return {static_cast<ExitCode>(*chosen),
          all ? messages[rank] : fmt::format("rank {}: {}", rank, messages[rank])};
}

}  // namespace

Ranks::Ranks() {
  MPI_Comm host = MPI_COMM_NULL;
  MPI_Comm_split_type(world_, MPI_COMM_TYPE_SHARED, rank(), MPI_INFO_NULL, &host);
  MPI_Comm_rank(host, &number_on_host_);
  MPI_Comm_free(&host);
}

void Ranks::agree() {
  const Failure failure = exchange({kOk, {}});
  if (failure.code != kOk) throw JobFailed(failure);
}

Failure Ranks::fail(const Failure& failure) { return exchange(failure); }

Failure Ranks::exchange(const Failure& mine) {
  wait_for_all(world_);
  std::vector<int> codes;
  boost::mpi::all_gather(world_, static_cast<int>(mine.code), codes);
  if (std::ranges::all_of(codes, [](int code) { return code == kOk; })) return {kOk, {}};
  std::vector<std::string> messages;
  boost::mpi::all_gather(world_, mine.message, messages);
  std::vector<int> tellers;
  boost::mpi::all_gather(world_, told_.empty() ? 0 : 1, tellers);
  take_notices(tellers);
  return choose(codes, messages);
}

void Ranks::work(const std::stop_token& stop, const std::function<void(std::stop_token)>& work) {
  std::stop_source source;
  const std::stop_callback forward(stop, [&] { source.request_stop(); });
  std::future<void> done = std::async(std::launch::async, [&] { work(source.get_token()); });
  while (done.wait_for(10ms) != std::future_status::ready) {
    if (hears_failure()) source.request_stop();
  }
  Failure mine{kOk, {}};
  try {
    done.get();
  } catch (...) {
    mine = failure_of(std::current_exception());
    tell_failure();
  }
  const Failure failure = exchange(mine);
  if (failure.code != kOk) throw JobFailed(failure);
}

void Ranks::tell_failure() {
  for (int other = 0; other < size(); ++other) {
    if (other == rank()) continue;
    MPI_Isend(nullptr, 0, MPI_INT, other, kFailureTag, world_, &told_.emplace_back());
  }
}

bool Ranks::hears_failure() {
  int there = 0;
  MPI_Status status{};
  MPI_Iprobe(MPI_ANY_SOURCE, kFailureTag, world_, &there, &status);
  if (there == 0) return false;
  MPI_Recv(nullptr, 0, MPI_INT, status.MPI_SOURCE, kFailureTag, world_, MPI_STATUS_IGNORE);
  heard_.resize(static_cast<std::size_t>(size()));
  heard_[static_cast<std::size_t>(status.MPI_SOURCE)] = true;
  return true;
}

/// Takes the notices that nobody has listened for, and sees that those of this rank are taken.
void Ranks::take_notices(const std::vector<int>& tellers) {
  heard_.resize(tellers.size());
  for (int other = 0; other < size(); ++other) {
    const auto number = static_cast<std::size_t>(other);
    if (other == rank() || tellers[number] == 0 || heard_[number]) continue;
    MPI_Recv(nullptr, 0, MPI_INT, other, kFailureTag, world_, MPI_STATUS_IGNORE);
  }
  MPI_Waitall(static_cast<int>(told_.size()), told_.data(), MPI_STATUSES_IGNORE);
  told_.clear();
  heard_.clear();
}

void run_or_abort(const Ranks& ranks, const std::function<void()>& step) {
  try {
    step();
  } catch (...) {
    Failure failure = failure_of(std::current_exception());
    failure.message = fmt::format("rank {}: {}", ranks.rank(), failure.message);
    report("gannet", failure, false);
    MPI_Abort(ranks.world(), failure.code);
    throw;
  }
}

int run_job(Ranks& ranks, std::string_view who, bool json, const std::function<int()>& work) {
  set_speaker(who, json);
  Failure failure{kOk, {}};
  int code = kOk;
  try {
    code = work();
    flush_stdout();
    ranks.agree();
  } catch (const JobFailed& job) {
    failure = job.failure();
  } catch (...) {
    failure = ranks.fail(failure_of(std::current_exception()));
  }
  if (failure.code != kOk && ranks.is_first()) report(who, failure, json);
  wait_for_all(ranks.world());  // mpirun ends all when one has ended with an error
  return failure.code == kOk ? code : failure.code;
}

}  // namespace gannet::tools
