// libFuzzer: opening and decoding a column file.
#include "bench/fuzz/column_file_target.hpp"

extern "C" int LLVMFuzzerTestOneInput(const std::uint8_t* data, std::size_t size) {
  gannet::fuzz::try_column_file({data, size});
  return 0;
}
