// How a fuzz target says that something does not hold; libFuzzer keeps the input then.
#pragma once

#include <stdexcept>
#include <string>

namespace gannet::fuzz {

/// Throws std::logic_error, which no parser throws, unless `holds`.
inline void need(bool holds, const char* what) {
  if (!holds) throw std::logic_error(what);
}

}  // namespace gannet::fuzz
