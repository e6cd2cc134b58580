// Strings that were made to meet in one place of a hash table: whoever knows the hash without its
// seed makes no table slow. What a search goes through is counted, since time tells little.
#include <gtest/gtest.h>
#include <xxhash.h>

#include <algorithm>
#include <cstdint>
#include <cstring>
#include <functional>
#include <string>
#include <unordered_map>
#include <vector>

#include "index/inversion/id_set.hpp"
#include "index/lexicon/term_dictionary.hpp"
#include "index/text/words/seeded_hash.hpp"
#include "index/text/words/token_cache.hpp"

namespace gannet::index {
namespace {

/// The first `count` strings of `length` bytes that `meets` says yes to.
std::vector<std::string> made(std::size_t count, std::size_t length,
                              const std::function<bool(const std::string&)>& meets) {
  std::vector<std::string> found;
  for (std::uint64_t i = 0; found.size() < count; ++i) {
    std::string text(length, 'a');
    std::uint64_t rest = i;
    for (std::size_t at = 0; rest != 0; ++at, rest /= 26) {
      text[at] = static_cast<char>('a' + rest % 26);
    }
    if (meets(text)) found.push_back(std::move(text));
  }
  return found;
}

std::uint64_t plain_hash(const std::string& text) { return XXH3_64bits(text.data(), text.size()); }

/// The hash of short tokens that stood in the source without a seed.
std::uint64_t plain_mix(const std::string& token) {
  std::uint64_t first = 0;
  std::uint64_t second = 0;
  std::memcpy(&first, token.data(), sizeof first);
  std::memcpy(&second, token.data() + token.size() - sizeof second, sizeof second);
  std::uint64_t hash = (first ^ token.size()) * 0x9e3779b97f4a7c15u;
  hash = (hash ^ (hash >> 29) ^ second) * 0xbf58476d1ce4e5b9u;
  return hash ^ (hash >> 32);
}

TEST(MadeCollisions, AreSpreadInTheCacheOfTokens) {
  constexpr std::size_t kTokens = 300;  // a third of the first slots
  const auto meets_short = [](const std::string& text) { return plain_mix(text) % 1024 == 5; };
  const auto meets_long = [](const std::string& text) { return plain_hash(text) % 1024 == 5; };
  for (const auto& tokens : {made(kTokens, 12, meets_short), made(kTokens, 20, meets_long)}) {
    TokenCache cache(std::uint64_t{1} << 20);
    for (const std::string& token : tokens) cache.insert(token);
    for (const std::string& token : tokens) EXPECT_NE(cache.find(token), nullptr);
    EXPECT_LT(cache.longest_run(), 60u);
  }
}

TEST(MadeCollisions, AreSpreadInTheDictionary) {
  // Of one shard, and with the last bits of its first thousand slots.
  const auto meets = [](const std::string& text) {
    const std::uint64_t hash = plain_hash(text);
    return hash >> 58 == 9 && hash % 512 == 5;
  };
  TermDictionary dictionary;
  const std::vector<std::string> terms = made(150, 12, meets);
  std::unordered_map<TermNumber, std::string> numbers;
  for (const std::string& term : terms) numbers.emplace(dictionary.number_of(term), term);
  EXPECT_EQ(numbers.size(), terms.size());
  for (const auto& [number, term] : numbers) EXPECT_EQ(dictionary.term(number), term);
  EXPECT_LT(dictionary.longest_run(), 40u);
}

TEST(MadeCollisions, AreSpreadInTheSetOfIds) {
  const auto meets = [](const std::string& text) {
    const XXH128_hash_t hash = XXH3_128bits(text.data(), text.size());
    return hash.low64 % 256 == 9 && hash.low64 >> 55 == 77;
  };
  IdSet ids;
  const std::vector<std::string> made_ids = made(150, 12, meets);
  for (std::size_t i = 0; i < made_ids.size(); ++i) {
    EXPECT_FALSE(ids.insert(IdSet::hash_of(made_ids[i]), static_cast<Docid>(i)));
  }
  for (std::size_t i = 0; i < made_ids.size(); ++i) {
    EXPECT_EQ(ids.find(IdSet::hash_of(made_ids[i])), static_cast<Docid>(i));
  }
  EXPECT_LT(ids.longest_run(), 40u);
}

/// Containers of the standard library hash without a seed, and chain what meets in one bucket.
TEST(MadeCollisions, AreSpreadInContainers) {
  constexpr std::size_t kBuckets = 1024;
  const auto meets = [](const std::string& text) {
    return std::hash<std::string>()(text) % kBuckets == 5;
  };
  std::vector<std::size_t> buckets(kBuckets);
  for (const std::string& text : made(300, 12, meets)) ++buckets[SeededHash()(text) % kBuckets];
  EXPECT_LT(*std::max_element(buckets.begin(), buckets.end()), 20u);
}

TEST(MadeCollisions, TheSeedIsOneNumberAProcess) {
  EXPECT_EQ(hash_seed(), hash_seed());
  EXPECT_NE(seeded_hash("a"), plain_hash("a"));
  EXPECT_EQ(seeded_hash("a"), seeded_hash("a"));
}

}  // namespace
}  // namespace gannet::index
