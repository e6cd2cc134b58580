// libFuzzer: bitmap indexes that no builder wrote, of both widths of atoms.
#include "bench/fuzz/bitmap_target.hpp"

extern "C" int LLVMFuzzerTestOneInput(const std::uint8_t* data, std::size_t size) {
  if (size == 0) return 0;
  const std::span<const std::uint8_t> input(data + 1, size - 1);
  if (data[0] % 2 == 0) {
    gannet::fuzz::try_bitmap<std::uint32_t>(input);
  } else {
    gannet::fuzz::try_bitmap<std::uint64_t>(input);
  }
  return 0;
}
