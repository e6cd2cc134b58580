// Encodings on the device that break their contract: as broken_codec.cpp.
#include "codecs/device/encode/device_encoding.hpp"
#include "codecs/lists/gpu_bp.hpp"

namespace gannet::codecs::cuda {

struct Encoding {
  using Codec = GpuBp<128>;
#if !defined(BREAK_NO_POLICY)
  static constexpr EncodePolicy policy{8, 4};
#endif
  static constexpr std::uint32_t kScratchWords = kUnit;
  struct Plan {
    std::uint32_t width;
  };

  static std::uint64_t max_words(std::uint64_t count) { return count; }
#if defined(BREAK_ASIDE_WORDS)
  static std::uint32_t aside_words(std::uint64_t) { return 0; }
#else
  static std::uint64_t aside_words(std::uint64_t) { return 0; }
#endif

  static Plan plan(Unit&, std::uint32_t*) { return {}; }
  static Sizes sizes(const Plan&) { return {}; }
  static void pack(const Unit&, const Plan&, std::uint32_t*) {}
#if defined(BREAK_STORE_SIGNATURE)
  static void store(const Unit&, const Plan&, Streams, const std::uint32_t*) {}
#else
  static void store(const Unit&, const Plan&, OutputPosition, const std::uint32_t*) {}
#endif
#if !defined(BREAK_NO_FINISH)
  static Sizes finish(const Unit&, Sizes total, Streams) { return total; }
#endif
};
static_assert(is_device_encoding<Encoding>());

}  // namespace gannet::codecs::cuda
