// Bytes to whoever takes them when they like: pipes, terminals, devices.
#pragma once

#include <stop_token>
#include <string_view>

#include "index/files/atomic_file.hpp"

namespace gannet::corpora {

/// Writes all of `bytes` to an open descriptor. Throws IoError that calls it `name`. With a token
/// that can be stopped, throws CancelledError once it is, also while nobody takes the bytes of a
/// pipe or terminal; some of them may have been written then.
void write_bytes(int descriptor, std::string_view name, std::string_view bytes,
                 const std::stop_token& stop = {});

/// Output that is no file to be replaced: index::OutputTarget::in_place. Not thread-safe.
class ByteSink {
 public:
  /// Opens what the target names; a descriptor is shared with whoever has it, so that its position
  /// is. Throws IoError. Here and in write(), CancelledError is thrown once `stop` asks for it,
  /// also while nobody reads a pipe.
  explicit ByteSink(index::OutputTarget target, std::stop_token stop = {});
  ~ByteSink();
  ByteSink(const ByteSink&) = delete;
  ByteSink& operator=(const ByteSink&) = delete;

  /// Throws IoError.
  void write(std::string_view bytes) const;

 private:
  index::OutputTarget target_;
  std::stop_token stop_;
  int descriptor_;
};

}  // namespace gannet::corpora
