// libFuzzer: whatever validate() accepts can be decoded in every way without leaving the list.
// Input: a byte for the codec, two for the number of values, then the words.
#include <cstddef>
#include <cstdint>
#include <cstring>
#include <memory>

#include "gannet/codecs/registry.hpp"

namespace {

using namespace gannet;

void decode_all(const codecs::Codec& codec, codecs::ListView list) {
  const std::unique_ptr<std::uint32_t[]> out(new std::uint32_t[list.count]);
  codec.decode(list, out.get());
  codec.decode_docids(list, out.get());
  const std::unique_ptr<std::uint32_t[]> tile_out(new std::uint32_t[codecs::kTile]);
  for (std::uint32_t tile = 0; tile < codecs::tile_count(list.count); ++tile) {
    codec.decode_tile(list, tile, tile_out.get());
    codec.decode_docid_tile(list, tile, 0, tile_out.get());
  }
}

}  // namespace

extern "C" int LLVMFuzzerTestOneInput(const std::uint8_t* data, std::size_t size) {
  if (size < 3) return 0;
  const codecs::Codec& codec = codecs::all_codecs()[data[0] % codecs::all_codecs().size()];
  const auto count = static_cast<std::uint32_t>(data[1] | data[2] << 8);
  // A copy of exact size on the heap, in which the sanitizer sees every read beyond the end.
  const std::size_t words = (size - 3) / 4;
  const std::unique_ptr<std::uint32_t[]> list(new std::uint32_t[words]);
  std::memcpy(list.get(), data + 3, words * 4);
  try {
    codec.validate({list.get(), words}, count);
  } catch (const FormatError&) {
    return 0;
  }
  decode_all(codec, {list.get(), count});
  return 0;
}
