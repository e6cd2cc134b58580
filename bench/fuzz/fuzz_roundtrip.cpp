// libFuzzer: encode, validate, decode, every codec of columns, every type.
#include "bench/fuzz/roundtrip_target.hpp"

extern "C" int LLVMFuzzerTestOneInput(const std::uint8_t* data, std::size_t size) {
  gannet::fuzz::try_roundtrip({data, size});
  return 0;
}
