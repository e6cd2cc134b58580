// Memory in which a read or write outside of a list is a fault.
#pragma once

#include <sys/mman.h>
#include <unistd.h>

#include <algorithm>
#include <cstddef>
#include <cstdint>
#include <span>
#include <stdexcept>
#include <vector>

namespace gannet::test {

using Words = std::vector<std::uint32_t>;

/// Words that end where a page without access begins (or start where one ends): reading or writing
/// one word too many is a segmentation fault, with or without sanitizers.
class FencedWords {
 public:
  enum class Fence { kBehind, kBefore };

  FencedWords(std::size_t size, Fence fence) : size_(size) {
    const auto page = static_cast<std::size_t>(sysconf(_SC_PAGESIZE));
    const std::size_t body = (size * 4 + page - 1) / page * page;
    bytes_ = body + page;
    memory_ = mmap(nullptr, bytes_, PROT_READ | PROT_WRITE, MAP_PRIVATE | MAP_ANONYMOUS, -1, 0);
    if (memory_ == MAP_FAILED) throw std::runtime_error("mmap failed");
    auto* start = static_cast<unsigned char*>(memory_);
    const bool behind = fence == Fence::kBehind;
    mprotect(behind ? start + body : start, page, PROT_NONE);
    unsigned char* first = behind ? start + body - size * 4 : start + page;
    data_ = reinterpret_cast<std::uint32_t*>(first);
  }
  FencedWords(std::span<const std::uint32_t> words, Fence fence)
      : FencedWords(words.size(), fence) {
    std::copy(words.begin(), words.end(), data_);
  }
  ~FencedWords() { munmap(memory_, bytes_); }
  FencedWords(const FencedWords&) = delete;
  FencedWords& operator=(const FencedWords&) = delete;

  std::uint32_t* data() const { return data_; }
  std::span<const std::uint32_t> span() const { return {data_, size_}; }
  Words copy() const { return {data_, data_ + size_}; }

 private:
  void* memory_ = nullptr;
  std::size_t bytes_ = 0;
  std::uint32_t* data_ = nullptr;
  std::size_t size_;
};

inline constexpr auto kBehind = FencedWords::Fence::kBehind;
inline constexpr auto kBefore = FencedWords::Fence::kBefore;

}  // namespace gannet::test
