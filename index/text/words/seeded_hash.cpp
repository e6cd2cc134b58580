#include "index/text/words/seeded_hash.hpp"

#include <sys/random.h>
#include <unistd.h>
#include <xxhash.h>

#include <chrono>

namespace gannet::index {
namespace {

std::uint64_t random_seed() {
  std::uint64_t seed = 0;
  if (::getrandom(&seed, sizeof seed, 0) == static_cast<ssize_t>(sizeof seed)) return seed;
  // No source of random numbers: a number that is at least hard to guess.
  const auto now = std::chrono::high_resolution_clock::now().time_since_epoch().count();
  const auto place = reinterpret_cast<std::uintptr_t>(&seed);
  return (static_cast<std::uint64_t>(now) ^ place << 20) * 0x9e3779b97f4a7c15u +
         static_cast<std::uint64_t>(::getpid());
}

}  // namespace

std::uint64_t hash_seed() {
  static const std::uint64_t seed = random_seed();
  return seed;
}

std::uint64_t seeded_hash(std::string_view bytes) {
  return XXH3_64bits_withSeed(bytes.data(), bytes.size(), hash_seed());
}

}  // namespace gannet::index
