// What the decoders of both versions of ORC's run-length encoding have.
#pragma once

#include "codecs/core/lanes.hpp"
#include "codecs/streams/strip_format.hpp"

namespace gannet::codecs::orc {

/// A decoder of runs of `Value`; the version's own next() takes one from a stream.
template <class Value>
class RunDecoder {
 public:
  using Symbol = RunSymbol<Value>;
  RunDecoder() = default;
  GANNET_HD explicit RunDecoder(bool is_signed) : is_signed_(is_signed) {}

  template <class Output>
  GANNET_HD static bool write(const Symbol& symbol, Output& output) {
    return write_symbol(symbol, output);
  }

 protected:
  bool is_signed_ = false;  ///< values are zigzag-coded
};

}  // namespace gannet::codecs::orc
