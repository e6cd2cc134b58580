#include "index/files/container/file_blocks.hpp"

#include <algorithm>
#include <utility>

namespace gannet::index {

void BlockHasher::end_block() {
  checksums_.push_back(hasher_.digest());
  hasher_.reset();
  filled_ = 0;
}

void BlockHasher::update(std::span<const std::byte> bytes) {
  while (!bytes.empty()) {
    const auto size =
        static_cast<std::size_t>(std::min<std::uint64_t>(kFileBlock - filled_, bytes.size()));
    if (size == kFileBlock) {
      checksums_.push_back(xxh3(bytes.first(size)));
    } else {
      hasher_.update(bytes.first(size));
      filled_ += size;
      if (filled_ == kFileBlock) end_block();
    }
    bytes = bytes.subspan(size);
  }
}

std::vector<std::uint64_t> BlockHasher::finish() {
  if (filled_ != 0) end_block();
  return std::exchange(checksums_, {});
}

FileBlocks::FileBlocks(MappedFile file, std::span<const SectionRow> sections,
                       std::span<const std::uint64_t> checksums, std::uint64_t checksum)
    : file_(std::move(file)),
      sections_(sections),
      checksums_(checksums),
      checksum_(checksum),
      end_(offset_of(checksums.data())),
      known_(new std::atomic<std::uint64_t>[checksums.size() / 64 + 1]()),
      section_states_(new std::atomic<State>[sections.size()]()) {}

bool FileBlocks::checksums_are_sound() const {
  State state = checksums_state_.load(std::memory_order_relaxed);
  if (state == State::kUnknown) {
    state = xxh3(bytes_of(checksums_)) == checksum_ ? State::kSound : State::kDamaged;
    checksums_state_.store(state, std::memory_order_relaxed);
  }
  return state == State::kSound;
}

bool FileBlocks::is_sound(std::uint64_t block) const {
  if (is_known(block)) return true;
  const std::uint64_t begin = block * kFileBlock;
  const auto bytes = file_.bytes().subspan(begin, std::min(kFileBlock, end_ - begin));
  if (!checksums_are_sound() || xxh3(bytes) != checksums_[block]) return false;
  known_[block / 64].fetch_or(std::uint64_t{1} << block % 64, std::memory_order_relaxed);
  return true;
}

std::size_t FileBlocks::section_of(std::uint64_t offset) const {
  const auto holds = [&](const SectionRow& row) {
    return offset >= row.offset && offset - row.offset < row.length;
  };
  return static_cast<std::size_t>(std::ranges::find_if(sections_, holds) - sections_.begin());
}

bool FileBlocks::is_section_sound(std::size_t section) const {
  State state = section_states_[section].load(std::memory_order_relaxed);
  if (state == State::kUnknown) {
    const SectionRow& row = sections_[section];
    const bool sound = xxh3(file_.bytes().subspan(row.offset, row.length)) == row.checksum;
    state = sound ? State::kSound : State::kDamaged;
    section_states_[section].store(state, std::memory_order_relaxed);
  }
  return state == State::kSound;
}

std::string FileBlocks::describe(std::size_t section, std::uint64_t block) const {
  const std::string name = "section '" + to_string(sections_[section].id) + "': ";
  if (!checksums_are_sound()) return name + "the checksum is wrong";
  const std::uint64_t begin = block * kFileBlock;
  return name + "the checksum of bytes " + std::to_string(begin) + " to " +
         std::to_string(std::min(begin + kFileBlock, end_) - 1) + " of the file is wrong";
}

std::span<const std::byte> FileBlocks::damaged_part(std::span<const std::byte> bytes) const {
  if (!checksums_are_sound()) return bytes;
  const std::uint64_t begin = offset_of(bytes.data());
  const std::uint64_t end = begin + bytes.size();
  for (std::uint64_t at = begin; at < end; at = (at / kFileBlock + 1) * kFileBlock) {
    if (is_sound(at / kFileBlock)) continue;
    return bytes.subspan(at - begin, std::min(end, (at / kFileBlock + 1) * kFileBlock) - at);
  }
  return bytes;
}

std::optional<std::string> FileBlocks::problem(std::uint64_t offset, std::uint64_t length) const {
  const std::uint64_t last = (offset + length - 1) / kFileBlock;
  if (lenient_.load(std::memory_order_relaxed)) return std::nullopt;
  for (std::uint64_t block = offset / kFileBlock; block <= last; ++block) {
    if (is_sound(block)) continue;
    const std::size_t section = section_of(offset);
    if (is_section_sound(section)) return std::nullopt;
    return describe(section, block);
  }
  return std::nullopt;
}

}  // namespace gannet::index
