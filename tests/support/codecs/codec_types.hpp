// The codecs of posting lists as the types of typed tests; encoding with one of them.
#pragma once

#include <gtest/gtest.h>

#include <algorithm>
#include <array>
#include <cstdint>
#include <span>
#include <string>
#include <tuple>

#include "codecs/registry.hpp"
#include "codecs/tile_codecs.hpp"
#include "tests/support/codecs/fenced_words.hpp"

namespace gannet::test {

/// testing::Types of the codecs of tile_codecs.hpp.
template <class>
struct TypesOf;
template <class... C>
struct TypesOf<std::tuple<C...>> {
  using type = ::testing::Types<C...>;
};
using CodecTypes = TypesOf<codecs::TileCodecs>::type;

/// Names typed tests after their codec.
struct CodecNames {
  template <class C>
  static std::string GetName(int) {
    std::string name(C::name);
    std::replace(name.begin(), name.end(), '-', '_');
    return name;
  }
};

template <class C>
Words encoded(std::span<const std::uint32_t> values) {
  Words words;
  C::encode(values, words);
  return words;
}

template <class C>
Words encoded_docids(std::span<const std::uint32_t> docids) {
  Words words;
  codecs::list_codec_with(C::id).encode_docids(docids, words);
  return words;
}

/// Scratch memory for a codec's wide forms, filled with arbitrary bits.
template <class C>
class WideScratch {
 public:
  WideScratch() { words_.fill(0xdeadbeefu); }
  std::uint32_t* words() { return words_.data(); }

 private:
  alignas(16) std::array<std::uint32_t, C::traits.scratch_words + 4> words_;
};

}  // namespace gannet::test
