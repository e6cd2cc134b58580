// libFuzzer: validate and decode, every codec of columns and lists, every type.
#include "bench/fuzz/codecs_target.hpp"

extern "C" int LLVMFuzzerTestOneInput(const std::uint8_t* data, std::size_t size) {
  gannet::fuzz::try_codec({data, size});
  return 0;
}
