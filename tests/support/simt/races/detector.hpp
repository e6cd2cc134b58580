// Finds accesses of two threads of a block to the same memory, one of them a write, that nothing
// orders: on hardware either may come first, whatever the order was here.
//
// It sees the accesses of code that is compiled with -fsanitize=thread, of which only the calls are
// used: tsan_calls.cpp has them, no sanitizer is linked. Memory of all kinds is watched, but
// threads of different blocks are not compared.
#pragma once

#include <cstddef>
#include <cstdint>
#include <optional>
#include <string>

#include "tests/support/simt/races/knowledge.hpp"
#include "tests/support/simt/races/shadow.hpp"
#include "tests/support/simt/running.hpp"

namespace gannet::simt {

class RaceDetector {
 public:
  void begin_block(std::uint32_t threads) {
    shadow_.forget_if_large();
    knowledge_.begin(threads);
  }
  /// Forgets all accesses: memory may have been given back since.
  void begin_launch() { shadow_.clear(); }

  Knowledge& knowledge() { return knowledge_; }

  /// An earlier access that races with the current one: no barrier or atomic orders the two.
  struct Conflict {
    Access other;
    bool other_writes;
  };
  /// Records an access of a thread. Returns the earlier access that it races with, if there is one.
  std::optional<Conflict> note(std::uint32_t thread, const MemoryAccess& access);
  /// The error message for a race.
  static std::string text(std::uint32_t thread, const MemoryAccess& access,
                          const Conflict& conflict);

 private:
  bool is_conflict(std::uint32_t thread, const MemoryAccess& access, const Access& other,
                   bool other_writes) const;
  std::optional<Conflict> conflict_in(const Cell& cell, std::uint32_t thread,
                                      const MemoryAccess& access) const;
  void record(Cell& cell, std::uint32_t thread, const MemoryAccess& access) const;
  std::optional<Conflict> note_word(std::uintptr_t word, std::uint32_t thread,
                                    const MemoryAccess& access);
  std::optional<Conflict> note_byte(std::uintptr_t byte, std::uint32_t thread,
                                    const MemoryAccess& access);

  Shadow shadow_;
  Knowledge knowledge_;
};

}  // namespace gannet::simt
