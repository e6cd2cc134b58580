#include "codecs/registry.hpp"

#include <array>
#include <utility>

#include "codecs/describe.hpp"
#include "codecs/tile_codecs.hpp"

namespace gannet::codecs {
namespace {

template <class... C>
constexpr auto describe_all(std::tuple<C...>*) {
  return std::array<ListCodec, sizeof...(C)>{describe_list_codec<C>()...};
}

constexpr auto kListCodecs = describe_all(static_cast<TileCodecs*>(nullptr));

}  // namespace

std::span<const ListCodec> all_list_codecs() { return kListCodecs; }

const ListCodec& list_codec_named(std::string_view name) {
  for (const ListCodec& codec : kListCodecs) {
    if (codec.name == name) return codec;
  }
  throw UsageError("no codec is called '" + std::string(name) + "'; there are " +
                   list_codec_names());
}

const ListCodec& list_codec_with(CodecId id) {
  for (const ListCodec& codec : kListCodecs) {
    if (codec.id == id) return codec;
  }
  throw FormatError("unknown codec id " + std::to_string(static_cast<std::uint32_t>(id)));
}

std::string list_codec_names() {
  std::string names;
  for (const ListCodec& codec : kListCodecs) {
    if (!names.empty()) names += ", ";
    names += codec.name;
  }
  return names;
}

}  // namespace gannet::codecs
