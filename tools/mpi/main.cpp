// gannet-mpi: what `gannet index --mpi` and `gannet run --mpi` go on as. It is a program of its own
// so that gannet needs no MPI.
#include <boost/mpi/environment.hpp>

#include <algorithm>
#include <cstdio>
#include <string>
#include <vector>

#include "tools/commands/guarded.hpp"
#include "tools/mpi/jobs.hpp"
#include "tools/terminal/kernel_loading.hpp"
#include "tools/terminal/print.hpp"
#include "tools/terminal/standard_descriptors.hpp"

int main(int argc, char** argv) {
  using namespace gannet::tools;
  hold_standard_descriptors();
  load_kernels_early();
  ignore_file_size_signal();
  const boost::mpi::environment environment(argc, argv, boost::mpi::threading::funneled);
  Ranks ranks;
  // One rank speaks.
  if (!ranks.is_first() && std::freopen("/dev/null", "w", stdout) == nullptr) return kIo;
  const std::vector<std::string> args(argv + 1, argv + std::max(argc, 1));
  const std::string command = args.empty() ? "" : args[0];
  if (command != "index" && command != "run") {
    if (ranks.is_first()) {
      print(stderr,
            "gannet-mpi: it takes 'index' and 'run'; mpirun -n 4 gannet index --mpi ... starts "
            "it\n");
    }
    return kUsage;
  }
  const Args rest(args.begin() + 1, args.end());
  return run_job(ranks, "gannet " + command, asks_for_json(rest), [&] {
    return command == "index" ? index_job(ranks, rest) : topics_job(ranks, rest);
  });
}
