// libFuzzer: opening, reading and verifying an index.
#include "bench/fuzz/index_targets.hpp"

extern "C" int LLVMFuzzerTestOneInput(const std::uint8_t* data, std::size_t size) {
  gannet::fuzz::try_index({data, size});
  return 0;
}
