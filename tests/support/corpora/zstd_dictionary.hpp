// zstd files whose first frame has the dictionary of the others.
#pragma once

#include <zdict.h>
#include <zstd.h>

#include <cstdint>
#include <stdexcept>
#include <string>
#include <string_view>
#include <utility>
#include <vector>

#include "tests/support/compression.hpp"

namespace gannet::test {

/// A dictionary trained on texts of its own.
inline std::string zstd_dictionary() {
  std::string samples;
  std::vector<std::size_t> sizes;
  for (int i = 0; i < 1000; ++i) {
    const std::string sample = "WARC-Type: response number " + std::to_string(i * 7919) +
                               " Content-Type: text/html <title>" + std::to_string(i % 37) +
                               "</title> some words and more of them\r\n";
    samples += sample;
    sizes.push_back(sample.size());
  }
  std::string dictionary(4096, '\0');
  const std::size_t size = ZDICT_trainFromBuffer(dictionary.data(), dictionary.size(),
                                                 samples.data(), sizes.data(), 1000);
  if (ZDICT_isError(size) != 0) throw std::runtime_error(ZDICT_getErrorName(size));
  dictionary.resize(size);
  return dictionary;
}

/// The frame with the dictionary, itself compressed if `packed`, and a frame for each text.
inline std::pair<std::string, std::string> with_dictionary(const std::vector<std::string>& texts,
                                                           bool packed) {
  const std::string dictionary = zstd_dictionary();
  const std::string kept = packed ? zstd(dictionary) : dictionary;
  std::string head = "\x5d\x2a\x4d\x18";
  for (int shift = 0; shift < 32; shift += 8) {
    head += static_cast<char>(kept.size() >> shift & 255);
  }
  std::string frames;
  ZSTD_CCtx* const context = ZSTD_createCCtx();
  for (const std::string& text : texts) {
    std::string frame(ZSTD_compressBound(text.size()), '\0');
    frame.resize(ZSTD_compress_usingDict(context, frame.data(), frame.size(), text.data(),
                                         text.size(), dictionary.data(), dictionary.size(), 3));
    frames += frame;
  }
  ZSTD_freeCCtx(context);
  return {head + kept, frames};
}

}  // namespace gannet::test
