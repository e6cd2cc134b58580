// How inputs of fuzz targets name a codec: by id, which stays when codecs are added.
#pragma once

#include <cstdint>

#include "codecs/columns.hpp"

namespace gannet::fuzz {

/// The codec with this id, or null.
inline const codecs::Codec* codec_with_id(std::uint8_t id) {
  for (const codecs::Codec& codec : codecs::all_codecs()) {
    if (codec.id == codecs::CodecId{id}) return &codec;
  }
  return nullptr;
}

}  // namespace gannet::fuzz
