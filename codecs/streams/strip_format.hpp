// What a codec gives to be decoded strip by strip (strips.hpp).
#pragma once

#include <concepts>
#include <cstdint>
#include <span>
#include <type_traits>
#include <vector>

#include "codecs/core/faults.hpp"
#include "codecs/streams/streams.hpp"

namespace gannet::codecs {

/// A run: init, init + delta, ...; a literal is a run of one.
template <class Value>
struct RunSymbol {
  Value init;
  Value delta;
  Value length;
};

/// Writes a symbol; it is never the last one.
template <class Value, class Output>
GANNET_HD bool write_symbol(const RunSymbol<Value>& symbol, Output& output) {
  using T = typename Output::Type;
  if (symbol.length == 1) {
    output.write_value(static_cast<T>(symbol.init));
  } else {
    output.write_run(static_cast<T>(symbol.init), static_cast<std::uint32_t>(symbol.length),
                     static_cast<T>(symbol.delta));
  }
  return true;
}

/// What decoders calculate with for values of type T.
template <class T>
using StripValue = std::conditional_t<sizeof(T) == 8, std::uint64_t, std::uint32_t>;

/// What a codec gives for its strips. It is a StripCodec (strip_codec.hpp) besides.
template <class C>
concept StripFormat = requires(std::span<const std::int64_t> values, bool is_signed,
                               std::vector<std::uint8_t>& bytes, const std::uint8_t* stream,
                               std::uint32_t size, std::uint32_t count) {
  requires std::same_as<decltype(C::order), const BitOrder>;
  /// Appends the stream of a strip.
  { C::encode_strip(values, is_signed, bytes) } -> std::same_as<void>;
  /// No fault if decoding `count` values takes exactly these `size` bytes, or what is wrong. Both
  /// processors.
  { C::strip_fault(stream, size, count) } -> std::same_as<Fault>;
  /// Its symbols are runs; a decoder begins with whether the values are signed. One that starts at
  /// the beginning of a chunk or of a strip decodes from any input.
  requires std::constructible_from < typename C::template Decoder<std::uint32_t>,
  bool > ;
  requires std::same_as<typename C::template Decoder<std::uint64_t>::Symbol,
                        RunSymbol<std::uint64_t>>;
  requires StreamDecoder<typename C::template Decoder<std::uint32_t>, MemoryInput<C::order>,
                         Output<std::uint32_t, SerialLanes>>;
  requires StreamDecoder<typename C::template Decoder<std::uint64_t>, PositionInput<C::order>,
                         Output<std::uint8_t, SerialLanes>>;
};

}  // namespace gannet::codecs
