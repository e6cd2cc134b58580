// The commands that the ranks of a job run together.
#pragma once

#include "tools/commands/command.hpp"
#include "tools/mpi/ranks.hpp"

namespace gannet::tools {

/// Every rank builds a shard of its share of the input's files, which follow one another as the
/// shards do: the set is that of one index of all, cut between files. The first rank makes it a
/// set. The folders must be the same on all hosts. Collective: all ranks call it with the same
/// arguments, as they do the other one. Returns the exit code of all.
int index_job(Ranks& ranks, Args args);

/// Every rank answers all topics from its share of the shards, with the statistics of all; the
/// first reads the topics, and writes what all have found. Returns the exit code of all.
int topics_job(Ranks& ranks, Args args);

}  // namespace gannet::tools
