// Every form of the library's deflate decoder as the host runs it, between fences.
#pragma once

#include <gtest/gtest.h>

#include <array>
#include <cstdint>
#include <memory>
#include <string>

#include "codecs/deflate/deflate.hpp"
#include "tests/support/codecs/deflate_streams.hpp"
#include "tests/support/codecs/fenced_words.hpp"

namespace gannet::test {

/// Inflates words[0 .. count) to out[0 .. size); whether that is a stream of exactly `size` bytes.
struct InflateForm {
  const char* name;
  bool (*inflate)(const std::uint32_t* words, std::uint32_t count, std::uint8_t* out,
                  std::uint32_t size);
};

inline bool inflate_serially(const std::uint32_t* words, std::uint32_t count, std::uint8_t* out,
                             std::uint32_t size) {
  const auto tables = std::make_unique<codecs::deflate::Tables>();
  const auto space = std::make_unique<codecs::deflate::HeadSpace>();
  codecs::deflate::ByteOutput output(out);
  return codecs::deflate::inflate_words(words, count, size, *tables, *space, output) != 0 &&
         output.position() == size;
}

template <codecs::deflate::Shape shape>
bool inflate_in_parallel(const std::uint32_t* words, std::uint32_t count, std::uint8_t* out,
                         std::uint32_t size) {
  const auto space = std::make_unique<codecs::deflate::Space<shape>>();
  return codecs::deflate::ParallelInflate<codecs::SerialLanes, shape>({}, words, count, out, size,
                                                                      *space)
      .run();
}

inline constexpr std::array<InflateForm, 4> kInflateForms{{
    {"serial", inflate_serially},
    {"parallel", inflate_in_parallel<codecs::deflate::kUsualShape>},
    {"parallel, a word a segment", inflate_in_parallel<codecs::deflate::Shape{1, 32, 1, 0}>},
    {"parallel, all must agree", inflate_in_parallel<codecs::deflate::Shape{2, 70, 32, 32}>},
}};

/// What a form makes of a stream. Reading beyond the words or writing beyond the bytes is a fault.
struct Inflated {
  bool good;
  Bytes bytes;
};

inline Inflated inflate_fenced(const InflateForm& form, const Words& words, std::uint32_t size) {
  const FencedWords input(words, kBehind);
  const FencedWords output((size + 3) / 4, kBehind);
  auto* out = reinterpret_cast<std::uint8_t*>(output.data() + (size + 3) / 4) - size;
  const bool good = form.inflate(input.data(), static_cast<std::uint32_t>(words.size()), out, size);
  return {good, Bytes(out, out + size)};
}

/// Every form gives `bytes`.
inline void expect_inflates(const Words& words, const Bytes& bytes, const std::string& what) {
  for (const InflateForm& form : kInflateForms) {
    const Inflated inflated = inflate_fenced(form, words, static_cast<std::uint32_t>(bytes.size()));
    EXPECT_TRUE(inflated.good) << what << ": " << form.name;
    ASSERT_EQ(inflated.bytes, bytes) << what << ": " << form.name;
  }
}

/// Every form refuses the stream, whatever room it has.
inline void expect_refused(const Words& words, const std::string& what) {
  for (const InflateForm& form : kInflateForms) {
    for (const std::uint32_t size : {0u, 1u, 3u, 258u, 70000u}) {
      EXPECT_FALSE(inflate_fenced(form, words, size).good) << what << ": " << form.name;
    }
  }
}

}  // namespace gannet::test
