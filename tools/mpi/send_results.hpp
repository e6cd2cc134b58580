// Results of a batch, from rank to rank.
#pragma once

#include "query/results/results.hpp"
#include "tools/mpi/ranks.hpp"

namespace gannet::tools {

void send_results(const Ranks& ranks, int to, const query::Results& results);
query::Results receive_results(const Ranks& ranks, int from);

}  // namespace gannet::tools
