// libFuzzer: bytes as deflate streams, against zlib.
#include "bench/fuzz/deflate_target.hpp"

extern "C" int LLVMFuzzerTestOneInput(const std::uint8_t* data, std::size_t size) {
  gannet::fuzz::try_deflate({data, size});
  return 0;
}
