// The ChunkCodec concept: a codec of columns of any integer type, cut into chunks that are decoded
// independently, each by one warp. (Codecs of 32-bit tiles: codec.hpp.)
//
//   struct MyCodec {
//     static constexpr std::string_view name;  as users type it
//     static constexpr CodecId id;             id_of(CodecKind::kChunks, name): see ids.hpp
//     template <class T> static constexpr bool takes;    whether it codes values of type T: one of
//                                              the eight of value_type.hpp
//     template <class T> static void encode(std::span<const T> values, Parameters parameters,
//                                           std::vector<std::uint32_t>& words);
//                                              appends the encoded column (up to kMaxListLength
//                                              values); what decoding needs of the parameters is in
//                                              the words. Throws UsageError for bad parameters
//     template <class T> static void validate(std::span<const std::uint32_t> words,
//                                             std::uint32_t count);
//                                              throws FormatError, naming the chunk, unless
//                                              decoding `count` values reads inside `words` and
//                                              writes inside the chunk only, and no word is to
//                                              spare
//     template <class T> static std::uint32_t chunk_values(const std::uint32_t* words);
//                                              GANNET_HD: values in every chunk but the last (>= 1)
//     template <class T> static constexpr std::uint32_t scratch_words;
//                                              words of scratch memory (16-byte aligned) that
//                                              decoding a chunk needs: shared memory of the warp
//     template <class T, class Lanes> static void decode_chunk(
//         Lanes, ListView column, std::uint32_t chunk, std::uint32_t* scratch, T* out);
//                                              GANNET_HD: decodes chunk `chunk` to out[0 .. size of
//                                              the chunk). `out` may be global or shared memory and
//                                              is aligned to 16 bytes if chunk_values is a multiple
//                                              of 16
//     template <class T> static void launch_decode(
//         ListView column, std::uint32_t chunk_values, T* out, cudaStream_t stream);
//                                              optional, under #if defined(__CUDACC__): a launch of
//                                              its own for the whole column (in device memory),
//                                              where that is measurably faster
//   };
//
// Device code is compiled for the unsigned types only: a signed column is decoded as its unsigned
// twin, so decoding must be the same arithmetic, modulo 2^bits, for both; what differs (the
// smallest value of a block, zigzag) is decided by encode and recorded in the words.
// All functions are thread-safe.
#pragma once

#include "codecs/core/codec.hpp"
#include "codecs/core/parameters.hpp"
#include "codecs/value_type.hpp"

namespace gannet::codecs {

/// Number of chunks of a column.
GANNET_HD std::uint32_t chunk_count(std::uint32_t count, std::uint32_t chunk_values) {
  return ceil_div(count, chunk_values);
}

/// Number of values in chunk `chunk`.
GANNET_HD std::uint32_t chunk_size(std::uint32_t count, std::uint32_t chunk_values,
                                   std::uint32_t chunk) {
  const std::uint32_t left = count - chunk * chunk_values;
  return left < chunk_values ? left : chunk_values;
}

}  // namespace gannet::codecs
