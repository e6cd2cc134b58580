// Whether the bytes of a mapped file are those that were written, told block by block: each is
// hashed when it is used for the first time, so that nobody waits for more than what is read.
#pragma once

#include <atomic>
#include <cstdint>
#include <memory>
#include <optional>
#include <span>
#include <string>
#include <vector>

#include "index/files/checksum.hpp"
#include "index/files/format.hpp"
#include "index/files/mapped_file.hpp"

namespace gannet::index {

/// A page: damage of disks and memory seldom reaches less, and hashing it costs what mapping it
/// does.
inline constexpr std::uint64_t kFileBlock = 4096;

struct SectionRow {
  /// Who does not know the section must not read the file.
  static constexpr std::uint32_t kRequired = 1;

  Tag id;
  std::uint32_t flags;
  std::uint64_t offset;
  std::uint64_t length;
  std::uint64_t checksum;
};
static_assert(sizeof(SectionRow) == 32);

/// Checksums of the blocks of a file that is being written. 8 bytes per block are in memory. Not
/// thread-safe.
class BlockHasher {
 public:
  void update(std::span<const std::byte> bytes);
  /// Those of all bytes so far; the last block may be shorter. Once, at the end.
  std::vector<std::uint64_t> finish();

 private:
  void end_block();

  Hasher hasher_;
  std::uint64_t filled_ = 0;  ///< bytes of the block that is not full
  std::vector<std::uint64_t> checksums_;
};

/// The blocks of a mapped file. What is known of them is all that changes: two threads may hash one
/// block at a time, and find the same. Any number of threads may use it.
///
/// A block may hold bytes of several sections. Where one is damaged, the sections' own checksums
/// say whose bytes these are, so that the others can still be used.
class FileBlocks {
 public:
  /// `sections`, `checksums`: in the file. There is a checksum for each block in front of the
  /// checksums; `checksum`: what theirs must be.
  FileBlocks(MappedFile file, std::span<const SectionRow> sections,
             std::span<const std::uint64_t> checksums, std::uint64_t checksum);

  /// Whether all blocks of bytes of the file were found to be sound. Costs a bit per block.
  template <class T>
  bool are_known(std::span<const T> values) const {
    if (values.empty()) return true;
    const std::uint64_t begin = offset_of(values.data());
    const std::uint64_t last = (begin + values.size_bytes() - 1) / kFileBlock;
    for (std::uint64_t block = begin / kFileBlock; block <= last; ++block) {
      if (!is_known(block)) return false;
    }
    return true;
  }

  /// What is wrong with bytes of a section; nothing if they are those that were written. Hashes the
  /// blocks that are not known.
  template <class T>
  std::optional<std::string> problem(std::span<const T> values) const {
    if (values.empty()) return std::nullopt;
    return problem(offset_of(values.data()), values.size_bytes());
  }

  /// Of bytes with a problem, those in the first block that is damaged.
  std::span<const std::byte> damaged_part(std::span<const std::byte> bytes) const;

  /// Nothing is a problem from now on, or things are again: who saves what is whole of a damaged
  /// file reads some of it as it stands.
  void set_lenient(bool lenient) const { lenient_.store(lenient, std::memory_order_relaxed); }

  /// Whether the checksums themselves are those that were written.
  bool checksums_are_sound() const;

 private:
  enum class State : std::uint8_t { kUnknown, kSound, kDamaged };

  std::uint64_t offset_of(const void* value) const {
    return static_cast<std::uint64_t>(static_cast<const std::byte*>(value) - file_.bytes().data());
  }
  bool is_known(std::uint64_t block) const {
    return (known_[block / 64].load(std::memory_order_relaxed) >> block % 64 & 1) != 0;
  }
  std::optional<std::string> problem(std::uint64_t offset, std::uint64_t length) const;
  bool is_sound(std::uint64_t block) const;
  /// Whether the section that these bytes are of is as it was written, to the last byte.
  bool is_section_sound(std::size_t section) const;
  std::size_t section_of(std::uint64_t offset) const;
  std::string describe(std::size_t section, std::uint64_t block) const;

  MappedFile file_;
  std::span<const SectionRow> sections_;
  std::span<const std::uint64_t> checksums_;
  std::uint64_t checksum_;
  std::uint64_t end_;  ///< of the last block
  mutable std::atomic<bool> lenient_{false};
  mutable std::atomic<State> checksums_state_{State::kUnknown};
  std::unique_ptr<std::atomic<std::uint64_t>[]> known_;  ///< a bit per block
  std::unique_ptr<std::atomic<State>[]> section_states_;
};

}  // namespace gannet::index
