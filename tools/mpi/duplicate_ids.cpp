#include "tools/mpi/duplicate_ids.hpp"

#include <fmt/format.h>
#include <mpi.h>

#include <algorithm>
#include <cstdint>
#include <optional>
#include <span>
#include <string>
#include <utility>
#include <vector>

#include "codecs/base/error.hpp"
#include "index/files/checksum.hpp"
#include "index/index.hpp"
#include "index/shard_set.hpp"
#include "tools/terminal/print.hpp"

namespace gannet::tools {
namespace {

using index::Docid;
using index::Index;

/// Hashes that a rank sends in a round, at most: MPI counts elements in an int.
constexpr std::size_t kRound = std::size_t{1} << 24;

struct Entry {
  std::uint64_t hash;
  std::uint64_t document;  ///< of all shards
};

void sort(std::vector<Entry>& entries) {
  std::ranges::sort(entries, {}, [](const Entry& e) { return std::pair(e.hash, e.document); });
}

std::uint64_t hash_of(const std::string& id) { return index::xxh3(std::as_bytes(std::span(id))); }

/// The rank that compares a hash.
std::size_t owner_of(std::uint64_t hash, int ranks) {
  return static_cast<std::size_t>(hash >> 32) * static_cast<std::size_t>(ranks) >> 32;
}

std::vector<Entry> entries_of(const Index& shard, std::uint64_t base) {
  std::vector<Entry> entries;
  const auto documents = static_cast<Docid>(shard.statistics().documents);
  entries.reserve(documents);
  for (Docid d = 0; d < documents; ++d) {
    entries.push_back({hash_of(shard.document_id(d)), base + d});
  }
  sort(entries);
  return entries;
}

/// Sends each rank the entries that it compares, in rounds, and adds what comes to `mine`.
void exchange(const Ranks& ranks, const std::vector<Entry>& entries, std::vector<Entry>& mine) {
  const auto size = static_cast<std::size_t>(ranks.size());
  std::uint64_t rounds = (entries.size() + kRound - 1) / kRound;
  MPI_Allreduce(MPI_IN_PLACE, &rounds, 1, MPI_UINT64_T, MPI_MAX, ranks.world());
  for (std::uint64_t round = 0; round < rounds; ++round) {
    const std::size_t begin = std::min<std::size_t>(round * kRound, entries.size());
    const std::size_t end = std::min(begin + kRound, entries.size());
    std::vector<int> sent(size), from(size), received(size), to(size);
    // Sorted by hash, they are sorted by owner too.
    for (std::size_t i = begin; i < end; ++i) sent[owner_of(entries[i].hash, ranks.size())] += 2;
    MPI_Alltoall(sent.data(), 1, MPI_INT, received.data(), 1, MPI_INT, ranks.world());
    for (std::size_t r = 1; r < size; ++r) {
      from[r] = from[r - 1] + sent[r - 1];
      to[r] = to[r - 1] + received[r - 1];
    }
    const std::size_t before = mine.size();
    mine.resize(before + static_cast<std::size_t>(to.back() + received.back()) / 2);
    MPI_Alltoallv(entries.data() + begin, sent.data(), from.data(), MPI_UINT64_T,
                  mine.data() + before, received.data(), to.data(), MPI_UINT64_T, ranks.world());
  }
}

/// The shards' indexes, opened when they are asked for.
class Shards {
 public:
  Shards(std::filesystem::path directory, std::vector<std::uint64_t> bases)
      : directory_(std::move(directory)), bases_(std::move(bases)), opened_(bases_.size()) {}

  std::string id_of(std::uint64_t document) {
    const auto behind = std::ranges::upper_bound(bases_, document);
    const auto shard = static_cast<std::size_t>(behind - bases_.begin()) - 1;
    auto& index = opened_[shard];
    if (!index) index.emplace(Index::open(directory_ / index::shard_name(shard)));
    return index->document_id(static_cast<Docid>(document - bases_[shard]));
  }

 private:
  std::filesystem::path directory_;
  std::vector<std::uint64_t> bases_;
  std::vector<std::optional<Index>> opened_;
};

/// Throws for the first two documents in `entries`, sorted, that have the same id, not only hash.
void compare(const std::vector<Entry>& entries, Shards& shards) {
  for (std::size_t i = 0; i < entries.size(); ++i) {
    for (std::size_t j = i + 1; j < entries.size() && entries[j].hash == entries[i].hash; ++j) {
      const std::string id = shards.id_of(entries[i].document);
      if (id != shards.id_of(entries[j].document)) continue;
      throw InputError(fmt::format(
          "documents {} and {} (counted from 0) both have the id '{}'; ids must be unique",
          entries[i].document, entries[j].document, printable(id)));
    }
  }
}

/// Where the documents of each rank's shard begin in the whole.
std::vector<std::uint64_t> bases_of(const Ranks& ranks, std::uint64_t documents) {
  std::vector<std::uint64_t> bases(static_cast<std::size_t>(ranks.size()));
  MPI_Allgather(&documents, 1, MPI_UINT64_T, bases.data(), 1, MPI_UINT64_T, ranks.world());
  std::uint64_t sum = 0;
  for (std::uint64_t& base : bases) sum += std::exchange(base, sum);
  return bases;
}

}  // namespace

void check_ids(Ranks& ranks, const std::filesystem::path& directory) {
  if (ranks.size() == 1) return;
  const auto number = static_cast<std::size_t>(ranks.rank());
  const Index shard = Index::open(directory / index::shard_name(number));
  ranks.agree();
  const std::vector<std::uint64_t> bases = bases_of(ranks, shard.statistics().documents);
  std::vector<Entry> mine;
  const std::vector<Entry> entries = entries_of(shard, bases[number]);
  ranks.agree();
  run_or_abort(ranks, [&] { exchange(ranks, entries, mine); });
  sort(mine);
  Shards shards(directory, bases);
  compare(mine, shards);
  ranks.agree();
}

}  // namespace gannet::tools
