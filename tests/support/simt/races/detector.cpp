#include "tests/support/simt/races/detector.hpp"

#include <sstream>

#include "tests/support/simt/races/source_line.hpp"

namespace gannet::simt {
namespace {

std::string thread_text(std::uint32_t thread) {
  return "warp " + std::to_string(thread / kWarp) + ", lane " + std::to_string(thread % kWarp);
}

const char* verb(bool write, bool atomic) {
  if (atomic) return write ? "changes atomically" : "reads as volatile";
  return write ? "writes" : "reads";
}

}  // namespace

bool RaceDetector::is_conflict(std::uint32_t thread, const MemoryAccess& access,
                               const Access& other, bool other_writes) const {
  if (other.time == 0 || (access.atomic && other.atomic)) return false;
  return other_writes ? !knowledge_.knows(thread, other) : !knowledge_.knows_read(thread, other);
}

std::optional<RaceDetector::Conflict> RaceDetector::conflict_in(const Cell& cell,
                                                                std::uint32_t thread,
                                                                const MemoryAccess& access) const {
  if (is_conflict(thread, access, cell.write, true)) return Conflict{cell.write, true};
  if (!access.write) return std::nullopt;
  for (const Access& read : cell.reads) {
    if (is_conflict(thread, access, read, false)) return Conflict{read, false};
  }
  return std::nullopt;
}

void RaceDetector::record(Cell& cell, std::uint32_t thread, const MemoryAccess& access) const {
  const Access mine{knowledge_.now(thread), code_offset(access.code),
                    static_cast<std::uint16_t>(thread), access.atomic};
  if (access.write) {
    cell.write = mine;
    return;
  }
  // The thread's own earlier read, or one that no longer matters, or the oldest.
  Access* slot = cell.reads;
  if (slot->thread == mine.thread && slot->time == mine.time && slot->atomic == mine.atomic) return;
  for (Access& read : cell.reads) {
    if (read.time == 0 || knowledge_.knows(thread, read)) {
      slot = &read;
      break;
    }
    if (read.time < slot->time) slot = &read;
  }
  *slot = mine;
}

std::optional<RaceDetector::Conflict> RaceDetector::note_byte(std::uintptr_t byte,
                                                              std::uint32_t thread,
                                                              const MemoryAccess& access) {
  Cell& word = shadow_.word(byte);
  word.by_bytes = true;
  auto conflict = conflict_in(word, thread, access);
  Cell& cell = shadow_.byte(byte);
  if (!conflict) conflict = conflict_in(cell, thread, access);
  record(cell, thread, access);
  return conflict;
}

std::optional<RaceDetector::Conflict> RaceDetector::note_word(std::uintptr_t word,
                                                              std::uint32_t thread,
                                                              const MemoryAccess& access) {
  Cell& cell = shadow_.word(word);
  auto conflict = conflict_in(cell, thread, access);
  record(cell, thread, access);
  if (!cell.by_bytes) return conflict;
  for (std::uintptr_t byte = word; byte < word + 4 && !conflict; ++byte) {
    conflict = conflict_in(shadow_.byte(byte), thread, access);
  }
  return conflict;
}

std::optional<RaceDetector::Conflict> RaceDetector::note(std::uint32_t thread,
                                                         const MemoryAccess& access) {
  std::uintptr_t at = reinterpret_cast<std::uintptr_t>(access.address);
  const std::uintptr_t end = at + access.bytes;
  std::optional<Conflict> conflict;
  while (at < end && !conflict) {
    const bool whole = at % 4 == 0 && end - at >= 4;
    conflict = whole ? note_word(at, thread, access) : note_byte(at, thread, access);
    at += whole ? 4 : 1;
  }
  return conflict;
}

std::string RaceDetector::text(std::uint32_t thread, const MemoryAccess& access,
                               const Conflict& conflict) {
  std::ostringstream out;
  out << thread_text(thread) << ' ' << verb(access.write, access.atomic) << ' ' << access.bytes
      << " bytes of " << (is_shared(access.address) ? "shared" : "global") << " memory ("
      << access.address << "):\n  " << source_line(code_offset(access.code)) << '\n'
      << thread_text(conflict.other.thread) << ' '
      << verb(conflict.other_writes, conflict.other.atomic) << " there too:\n  "
      << source_line(conflict.other.code)
      << "\nNothing says which comes first. What does: __syncthreads() for a block, __syncwarp() "
         "for its lanes, or atomics, with __threadfence() before what tells others. (Shuffles and "
         "votes order no memory.)";
  return out.str();
}

}  // namespace gannet::simt
