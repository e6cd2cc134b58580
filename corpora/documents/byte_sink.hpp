// Bytes to whoever takes them when they like: pipes, terminals, devices.
#pragma once

#include <stop_token>
#include <string_view>

namespace gannet::corpora {

/// Writes all of `bytes` to an open descriptor. Throws IoError that calls it `name`. With a token
/// that can be stopped, throws CancelledError once it is, also while nobody takes the bytes of a
/// pipe or terminal; some of them may have been written then.
void write_bytes(int descriptor, std::string_view name, std::string_view bytes,
                 const std::stop_token& stop = {});

}  // namespace gannet::corpora
