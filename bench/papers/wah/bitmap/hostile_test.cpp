// Bitmap indexes that no builder wrote: refused, or answered in every way with the same counts. The
// inputs are sound indexes and what becomes of them when bytes change.
#include <gtest/gtest.h>

#include <cstdint>
#include <cstring>
#include <random>
#include <vector>

#include "bench/papers/wah/bitmap/hostile_bitmap.hpp"

namespace gannet::wah {
namespace {

using Bytes = std::vector<std::uint8_t>;

/// A sound index as try_bitmap_of() takes it: vectors of runs and random rows.
template <class Word>
Bytes sound_index(std::mt19937& random) {
  const std::uint32_t rows = 1 + static_cast<std::uint32_t>(random() % 2000);
  const std::uint32_t vectors = static_cast<std::uint32_t>(random() % 5);
  std::vector<Word> atoms;
  Bytes bytes{static_cast<std::uint8_t>(rows), static_cast<std::uint8_t>(rows >> 8),
              static_cast<std::uint8_t>(vectors), 0};
  for (std::uint32_t v = 0; v < vectors; ++v) {
    codecs::WahRowWriter<Word> writer(atoms);
    std::uint32_t row = static_cast<std::uint32_t>(random() % 300);
    while (row < rows) {
      writer.set(row);
      row += random() % 8 == 0 ? 1 + static_cast<std::uint32_t>(random() % 500) : 1;
    }
    writer.finish(rows);
    bytes.push_back(static_cast<std::uint8_t>(atoms.size()));
  }
  const std::size_t head = bytes.size();
  bytes.resize(head + atoms.size() * sizeof(Word));
  if (!atoms.empty()) std::memcpy(bytes.data() + head, atoms.data(), atoms.size() * sizeof(Word));
  return bytes;
}

void change(Bytes& bytes, std::mt19937& random) {
  std::uint8_t& byte = bytes[random() % bytes.size()];
  switch (random() % 4) {
    case 0:
      byte = static_cast<std::uint8_t>(random());
      break;
    case 1:
      byte = static_cast<std::uint8_t>(byte ^ (1u << (random() % 8)));
      break;
    case 2:
      byte = static_cast<std::uint8_t>(byte + 1);
      break;
    default:
      bytes.resize(1 + random() % bytes.size());
      break;
  }
}

template <class Word>
void try_many(std::uint32_t seed) {
  std::mt19937 random(seed);
  for (int round = 0; round < 4000; ++round) {
    Bytes bytes = sound_index<Word>(random);
    ASSERT_NO_THROW(try_bitmap_of<Word>(bytes)) << "sound, round " << round;
    for (int i = 0; i < 3; ++i) {
      change(bytes, random);
      ASSERT_NO_THROW(try_bitmap_of<Word>(bytes)) << "changed, round " << round;
    }
  }
}

TEST(BitmapHostile, ChangedIndexesOf32BitAtoms) { try_many<std::uint32_t>(1); }
TEST(BitmapHostile, ChangedIndexesOf64BitAtoms) { try_many<std::uint64_t>(2); }

}  // namespace
}  // namespace gannet::wah
