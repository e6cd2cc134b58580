// The processes of a job, as mpirun starts them ("ranks"), and how they fail together.
//
// Whatever goes wrong on one rank ends all of them, each by an exception, so that each tidies up
// behind itself and none waits for one that will not come. For this, every exchange between ranks
// lies behind an agree(); who cannot go on comes to the next one with a failure instead of its
// part. Between an agree() and the exchange behind it nothing may throw.
#pragma once

#include <boost/mpi/communicator.hpp>
#include <mpi.h>

#include <exception>
#include <functional>
#include <stop_token>
#include <string>
#include <string_view>
#include <vector>

#include "tools/commands/guarded.hpp"

namespace gannet::tools {

/// On every rank, what one of them failed with; the message says which one.
class JobFailed : public std::exception {
 public:
  explicit JobFailed(Failure failure) : failure_(std::move(failure)) {}
  const Failure& failure() const { return failure_; }
  const char* what() const noexcept override { return failure_.message.c_str(); }

 private:
  Failure failure_;
};

/// Used by the thread that initialised MPI alone.
class Ranks {
 public:
  /// Collective.
  Ranks();
  int rank() const { return world_.rank(); }
  int size() const { return world_.size(); }
  /// It writes what the job writes and says what there is to say.
  bool is_first() const { return rank() == 0; }
  const boost::mpi::communicator& world() const { return world_; }
  /// This rank's number among those of its host.
  int number_on_host() const { return number_on_host_; }

  /// Waits for all ranks, without keeping a core busy. Throws JobFailed if one of them has failed.
  void agree();
  /// Takes this rank's failure to where the others agree next, and returns the job's.
  Failure fail(const Failure& failure);

  /// Runs `work` on a thread of its own and waits until it has ended on all ranks, as agree() does.
  /// Its token is stopped by `stop`, and as soon as the work of another rank has failed.
  void work(const std::stop_token& stop, const std::function<void(std::stop_token)>& work);

 private:
  Failure exchange(const Failure& mine);
  void tell_failure();
  bool hears_failure();
  void take_notices(const std::vector<int>& tellers);

  boost::mpi::communicator world_;
  int number_on_host_ = 0;
  std::vector<MPI_Request> told_;  ///< notices to others that may be under way
  std::vector<bool> heard_;        ///< whose notice was taken
};

/// Runs a step in which ranks wait for one another, so that none can fail by itself: what it throws
/// ends the whole job at once, with a message and an exit code.
void run_or_abort(const Ranks& ranks, const std::function<void()>& step);

/// Runs a command on all ranks, which returns an exit code. The first prints its errors, `who`
/// before them. Returns the same exit code everywhere.
int run_job(Ranks& ranks, std::string_view who, bool json, const std::function<int()>& work);

}  // namespace gannet::tools
