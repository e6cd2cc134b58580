#include "codecs/core/unpack.hpp"

#include <array>
#include <bit>
#include <cstring>
#include <utility>

#include "codecs/core/bits.hpp"
#include "codecs/core/unpack_kernels.hpp"

namespace gannet::codecs {
namespace {

static_assert(std::endian::native == std::endian::little);

/// Value `Index` of a packed run: all positions and shifts are known at compile time.
template <std::uint32_t Width, std::uint32_t Index>
std::uint32_t value_at(const std::uint32_t* packed) {
  if constexpr (Width == 0) {
    return 0;
  } else {
    constexpr std::uint32_t word = Index * Width / 32;
    constexpr std::uint32_t shift = Index * Width % 32;
    if constexpr (shift + Width <= 32) {
      return packed[word] >> shift & low_mask(Width);
    } else {
      return (packed[word] >> shift | packed[word + 1] << (32 - shift)) & low_mask(Width);
    }
  }
}

template <std::uint32_t Width>
void unpack_run(const std::uint32_t* __restrict packed, std::uint32_t* __restrict out) {
  [&]<std::uint32_t... I>(std::integer_sequence<std::uint32_t, I...>) {
    ((out[I] = value_at<Width, I>(packed)), ...);
  }
  (std::make_integer_sequence<std::uint32_t, 32>{});
}

template <std::uint32_t Width>
void unpack_runs(const std::uint32_t* __restrict packed, std::uint32_t* __restrict out) {
  for (std::uint32_t i = 0; i < 4; ++i) unpack_run<Width>(packed + i * Width, out + 32 * i);
}

using Unpacker = void (*)(const std::uint32_t*, std::uint32_t*);

template <std::uint32_t... Width>
constexpr std::array<Unpacker, 33> unpackers32(std::integer_sequence<std::uint32_t, Width...>) {
  return {unpack_run<Width>...};
}

template <std::uint32_t... Width>
constexpr std::array<Unpacker, 33> unpackers128(std::integer_sequence<std::uint32_t, Width...>) {
  return {unpack_runs<Width>...};
}

constexpr std::make_integer_sequence<std::uint32_t, 33> kWidths;
constexpr auto kUnpackers32 = unpackers32(kWidths);
constexpr auto kUnpackers128 = unpackers128(kWidths);

/// Total bytes of the four values that a byte of selectors stands for.
constexpr std::array<std::uint8_t, 256> group_bytes() {
  std::array<std::uint8_t, 256> bytes{};
  for (std::uint32_t s = 0; s < 256; ++s) {
    bytes[s] = static_cast<std::uint8_t>(4 + (s & 3) + (s >> 2 & 3) + (s >> 4 & 3) + (s >> 6));
  }
  return bytes;
}
constexpr auto kGroupBytes = group_bytes();
constexpr std::array<std::uint32_t, 4> kByteMasks{0xff, 0xffff, 0xffffff, 0xffffffff};

std::uint32_t load(const unsigned char* bytes) {
  std::uint32_t word;
  std::memcpy(&word, bytes, sizeof(word));
  return word;
}

/// Four lanes: the compiler has instructions for them, or does without.
using Four = std::uint32_t __attribute__((vector_size(16)));

void unpack128_portable(const std::uint32_t* packed, std::uint32_t width, std::uint32_t* out) {
  kUnpackers128[width](packed, out);
}

std::uint32_t sum128_portable(std::uint32_t* values, std::uint32_t step, std::uint32_t previous) {
  const Four zero{};
  const Four steps = zero + step;
  Four carry = zero + previous;
  for (std::uint32_t i = 0; i < 128; i += 4) {
    Four x;
    std::memcpy(&x, values + i, sizeof(x));
    x += steps;
    x += __builtin_shufflevector(zero, x, 0, 4, 5, 6);
    x += __builtin_shufflevector(zero, x, 0, 1, 4, 5);
    x += carry;
    std::memcpy(values + i, &x, sizeof(x));
    carry = __builtin_shufflevector(x, x, 3, 3, 3, 3);
  }
  return carry[0];
}

/// Chosen before main(); until then nothing is decoded.
const UnpackKernels kBestKernels = unpack_kernels(best_simd_level());

}  // namespace

void unpack32(const std::uint32_t* packed, std::uint32_t width, std::uint32_t* out) {
  kUnpackers32[width](packed, out);
}

std::uint32_t unpack_bytes128(const std::uint32_t* selectors, const unsigned char* bytes,
                              std::uint32_t* out) {
  const unsigned char* const first = bytes;
  for (std::uint32_t word = 0; word < 8; ++word) {
    for (std::uint32_t shift = 0; shift < 32; shift += 8, out += 4) {
      const std::uint32_t mine = selectors[word] >> shift & 0xff;
      const unsigned char* at = bytes;
      for (std::uint32_t i = 0; i < 4; ++i) {
        const std::uint32_t selector = mine >> (2 * i) & 3;
        out[i] = load(at) & kByteMasks[selector];
        at += selector + 1;
      }
      bytes += kGroupBytes[mine];
    }
  }
  return static_cast<std::uint32_t>(bytes - first);
}

void unpack128(const std::uint32_t* packed, std::uint32_t width, std::uint32_t* out) {
  kBestKernels.unpack128(packed, width, out);
}

std::uint32_t sum128(std::uint32_t* values, std::uint32_t step, std::uint32_t previous) {
  return kBestKernels.sum128(values, step, previous);
}

namespace detail {
const UnpackKernels kPortableUnpack{unpack128_portable, sum128_portable};
}  // namespace detail

const UnpackKernels& unpack_kernels(SimdLevel level) {
#if GANNET_X86_SIMD
  switch (level) {
    case SimdLevel::kAvx512:
      return detail::kAvx512Unpack;
    case SimdLevel::kAvx2:
      return detail::kAvx2Unpack;
    case SimdLevel::kPortable:
      break;
  }
#else
  static_cast<void>(level);
#endif
  return detail::kPortableUnpack;
}

}  // namespace gannet::codecs
