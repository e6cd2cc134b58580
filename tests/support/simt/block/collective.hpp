// The operations that threads do together, and what each of a warp's lanes gets of them.
#pragma once

#include <cstdint>
#include <cstring>
#include <string>

namespace gannet::simt {

inline constexpr std::uint32_t kWarp = 32;

/// Named as in CUDA; the order of those of a block and those of a warp is relied upon by
/// is_block().
enum class Collective : std::uint8_t {
  kSyncThreads,
  kSyncThreadsCount,
  kSyncThreadsAnd,
  kSyncThreadsOr,
  kSyncWarp,
  kActiveMask,
  kShfl,
  kShflUp,
  kShflDown,
  kShflXor,
  kBallot,
  kAny,
  kAll,
  kMatchAny,
  kMatchAll,
  kReduceAdd,
  kReduceMin,
  kReduceMinSigned,
  kReduceMax,
  kReduceMaxSigned,
  kReduceAnd,
  kReduceOr,
  kReduceXor,
};

constexpr bool is_block(Collective what) { return what <= Collective::kSyncThreadsOr; }

/// Where a program calls something.
struct Place {
  const char* file = "";
  std::uint32_t line = 0;

  bool operator==(const Place& other) const {
    return line == other.line && std::strcmp(file, other.file) == 0;
  }
};

/// A thread's arrival at an operation.
struct Call {
  Collective what;
  std::uint8_t bytes = 4;  ///< of a value that is passed between lanes: 4 or 8
  std::uint32_t mask = 0;  ///< the lanes that take part
  std::uint64_t value = 0;
  std::uint32_t lane = 0;       ///< shuffles: which lane to read, or how far away it is
  std::uint32_t width = kWarp;  ///< shuffles: of the groups of lanes that exchange values
  Place where{};

  /// Calls that meet have the same key. Lanes may come from different places of the program to one
  /// operation, as on processors since Volta; masks, kinds and sizes must agree.
  std::uint64_t key() const {
    const std::uint32_t who = what == Collective::kActiveMask ? where.line : mask;
    return std::uint64_t{who} << 32 | std::uint64_t{bytes} << 8 | static_cast<std::uint64_t>(what);
  }
};

/// As it is written in a program: __ballot_sync(0xffffffff).
std::string description(const Call& call);

/// Computes what the lanes in `present` get of the operation that they all have come to.
void complete(std::uint32_t present, const Call (&calls)[kWarp], std::uint64_t (&results)[kWarp]);

}  // namespace gannet::simt
