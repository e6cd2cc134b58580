// Codecs that break their contract: none of these may compile. CMakeLists.txt compiles this file
// once for each BREAK_..., and once without, to see that nothing else is wrong.
#include "codecs/columns/raw_chunks.hpp"
#include "codecs/core/concepts.hpp"
#include "codecs/lists/gpu_vbyte.hpp"

namespace gannet::codecs {

// gpu-vbyte128 with forms of its own, and one that it does not have.
struct Tiles : GpuVbyte<128> {
#if defined(BREAK_MISTYPED_TRAIT)
  static constexpr TileTraits traits{.gaps = true, .full_tiles = true, .wyde = true};
#elif defined(BREAK_UNDECLARED_FORM)
  static constexpr TileTraits traits{.gaps = true, .full_tiles = true, .boundaries = true};
#elif defined(BREAK_NO_BOUNDARIES)
  static constexpr TileTraits traits{.gaps = true, .full_tiles = true, .wide = true};
#else
  static constexpr TileTraits traits{
      .gaps = true, .full_tiles = true, .boundaries = true, .wide = true, .sums = true};
#endif

#if !defined(BREAK_NO_BOUNDARIES)
  static std::uint32_t boundary(ListView, std::uint32_t) { return 0; }
  static Extent extent_between(ListView, std::uint32_t, std::uint32_t, std::uint32_t) { return {}; }
#endif

#if defined(BREAK_MISSPELT_WIDE)
  static void next_wide() = delete;  // hides that of gpu-vbyte
  template <class Lanes>
  static void next_wyde(Lanes, const StagedTiles&, std::uint32_t,
                        typename Lanes::template Var<WideQuads>&) {}
#else
  template <class Lanes>
  static void next_wide(Lanes, const StagedTiles&, std::uint32_t,
                        typename Lanes::template Var<WideQuads>&) {}
#endif

#if !defined(BREAK_NO_BOUNDARIES)
  template <class Lanes>
#if defined(BREAK_SUM_SIGNATURE)
  static void sum_groups(Lanes, const StagedTiles&, std::uint32_t,
                         typename Lanes::template Var<std::uint64_t>&) {
  }
#else
  static void sum_groups(Lanes, const StagedTiles&, std::uint32_t, bool,
                         typename Lanes::template Var<std::uint64_t>&) {
  }
#endif
#endif

#if defined(BREAK_NO_VALIDATE)
  static void validate() = delete;
#endif
#if defined(BREAK_BLOCK_FAULT)
  static bool block_fault(WordView, std::uint32_t, std::uint32_t) { return false; }
#endif
#if defined(BREAK_CURSOR)
  struct Cursor {
    std::vector<std::uint32_t> words;
  };
#endif
#if defined(BREAK_UNKNOWN_NAME)
  static constexpr CodecId id = id_of(CodecKind::kTiles, "gpu-vbite128");
#elif defined(BREAK_RETIRED_NAME)
  static constexpr CodecId id = id_of(CodecKind::kTiles, "varint-gb");
#endif
};
static_assert(is_tile_codec<Tiles>());

struct Chunks : RawChunks {
#if defined(BREAK_NO_DECODE_CHUNK)
  static void decode_chunk() = delete;
#endif
#if defined(BREAK_CHUNK_FAULT)
  template <class T>
  static Fault chunk_fault(WordView, std::uint32_t) {
    return nullptr;
  }
#endif
};
static_assert(is_chunk_codec<Chunks>());

}  // namespace gannet::codecs
