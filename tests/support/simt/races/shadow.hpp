// Who accessed a word of memory last.
#pragma once

#include <cstddef>
#include <cstdint>
#include <vector>

namespace gannet::simt {

/// Time passes when threads synchronise; 0 was before all launches.
using Time = std::uint32_t;

struct Access {
  Time time = 0;
  std::uint32_t code = 0;  ///< where in the program, from its beginning
  std::uint16_t thread = 0;
  bool atomic = false;
};

/// The last write and the last reads of four bytes, or of one.
struct Cell {
  static constexpr std::size_t kReads = 4;

  Access write;
  Access reads[kReads];
  bool by_bytes = false;  ///< of four bytes: single ones of them have cells of their own
};

/// Cells by address: a hash table with open addressing.
class Shadow {
 public:
  Cell& word(std::uintptr_t address) { return cell(address / 4 * 2); }
  Cell& byte(std::uintptr_t address) { return cell(address * 2 + 1); }

  /// Forgets everything, if that is worth while.
  void forget_if_large() {
    if (used_ > kLarge) clear();
  }
  void clear() {
    slots_.assign(kFirstSlots, {});
    used_ = 0;
  }

 private:
  static constexpr std::size_t kFirstSlots = 1 << 10;
  static constexpr std::size_t kLarge = 1 << 16;
  struct Slot {
    std::uintptr_t key = 0;  ///< plus 1; 0: empty
    Cell cell;
  };

  Cell& cell(std::uintptr_t key) {
    if (4 * used_ >= 3 * slots_.size()) grow();
    Slot& slot = find(key + 1);
    if (slot.key == 0) {
      slot.key = key + 1;
      ++used_;
    }
    return slot.cell;
  }

  Slot& find(std::uintptr_t key) {
    std::size_t at = (key * 0x9e3779b97f4a7c15 >> 20) & (slots_.size() - 1);
    while (slots_[at].key != 0 && slots_[at].key != key) at = (at + 1) & (slots_.size() - 1);
    return slots_[at];
  }

  void grow() {
    std::vector<Slot> old(slots_.empty() ? kFirstSlots : 2 * slots_.size());
    old.swap(slots_);
    for (const Slot& slot : old) {
      if (slot.key != 0) find(slot.key) = slot;
    }
  }

  std::vector<Slot> slots_;
  std::size_t used_ = 0;
};

}  // namespace gannet::simt
