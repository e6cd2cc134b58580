#include "tools/mpi/send_results.hpp"

#include <mpi.h>

#include <algorithm>
#include <array>
#include <cstddef>
#include <cstdint>
#include <span>

namespace gannet::tools {
namespace {

constexpr int kSizesTag = 2;
constexpr int kResultsTag = 3;
/// Bytes of a message, at most: MPI counts in an int.
constexpr std::size_t kPiece = std::size_t{1} << 30;

template <class T, class Transfer>
void in_pieces(std::span<T> values, Transfer transfer) {
  auto bytes = std::as_bytes(values);
  while (!bytes.empty()) {
    const auto piece = bytes.first(std::min(bytes.size(), kPiece));
    transfer(piece.data(), static_cast<int>(piece.size()));
    bytes = bytes.subspan(piece.size());
  }
}

template <class T>
void send(const Ranks& ranks, int to, std::span<const T> values) {
  in_pieces(values, [&](const std::byte* data, int bytes) {
    MPI_Send(data, bytes, MPI_BYTE, to, kResultsTag, ranks.world());
  });
}

template <class T>
void receive(const Ranks& ranks, int from, std::span<T> values) {
  in_pieces(values, [&](const std::byte* data, int bytes) {
    MPI_Recv(const_cast<std::byte*>(data), bytes, MPI_BYTE, from, kResultsTag, ranks.world(),
             MPI_STATUS_IGNORE);
  });
}

}  // namespace

void send_results(const Ranks& ranks, int to, const query::Results& results) {
  const std::array<std::uint64_t, 3> sizes{results.counts.size(), results.docids.size(),
                                           results.scores.size()};
  MPI_Send(sizes.data(), 3, MPI_UINT64_T, to, kSizesTag, ranks.world());
  send(ranks, to, std::span(results.counts));
  send(ranks, to, std::span(results.offsets));
  send<std::uint32_t>(ranks, to, results.docids);
  send<float>(ranks, to, results.scores);
}

query::Results receive_results(const Ranks& ranks, int from) {
  std::array<std::uint64_t, 3> sizes{};
  MPI_Recv(sizes.data(), 3, MPI_UINT64_T, from, kSizesTag, ranks.world(), MPI_STATUS_IGNORE);
  query::Results results;
  results.counts.resize(sizes[0]);
  results.offsets.resize(sizes[0] + 1);
  results.docids.resize(sizes[1]);
  results.scores.resize(sizes[2]);
  receive(ranks, from, std::span(results.counts));
  receive(ranks, from, std::span(results.offsets));
  receive<std::uint32_t>(ranks, from, results.docids);
  receive<float>(ranks, from, results.scores);
  return results;
}

}  // namespace gannet::tools
