// libFuzzer: reading an index's manifest.
#include "bench/fuzz/manifest_target.hpp"

extern "C" int LLVMFuzzerTestOneInput(const std::uint8_t* data, std::size_t size) {
  gannet::fuzz::try_manifest({data, size});
  return 0;
}
