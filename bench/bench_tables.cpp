// The hash tables of a build beside those of the standard library and of Abseil (tools/setup.sh
// --peers), on one thread: time an operation, and bytes an entry as the allocator counts them.
#include <benchmark/benchmark.h>
#include <malloc.h>
#include <xxhash.h>

#include <algorithm>
#include <cmath>
#include <cstdint>
#include <deque>
#include <functional>
#include <random>
#include <string>
#include <string_view>
#include <unordered_map>
#include <vector>

#include "bench/frame/benchmark_main.hpp"
#include "index/inversion/id_set.hpp"
#include "index/lexicon/term_dictionary.hpp"
#include "index/text/words/token_cache.hpp"

#ifdef GANNET_HAS_ABSL
#include <absl/container/flat_hash_map.h>
#endif

namespace gannet::bench {
namespace {

constexpr std::size_t kDraws = std::size_t{1} << 22;

/// Words as a text has them: few letters, and the rank-r word with a frequency like 1 / r.
class Words {
 public:
  explicit Words(std::size_t distinct) {
    for (std::size_t i = 0; i < distinct; ++i) {
      std::string word(2 + random_() % 9, ' ');
      for (char& c : word) c = static_cast<char>('a' + random_() % 26);
      vocabulary_.push_back(word + std::to_string(i % 100));
    }
    const double scale = std::log(static_cast<double>(distinct));
    std::uniform_real_distribution<double> uniform(0, scale);
    for (std::size_t i = 0; i < kDraws; ++i) {
      const auto rank = static_cast<std::size_t>(std::exp(uniform(random_)));
      drawn_.push_back(vocabulary_[std::min(rank, distinct) - 1]);
    }
  }

  const std::vector<std::string_view>& drawn() const { return drawn_; }

 private:
  std::mt19937_64 random_{7};
  std::vector<std::string> vocabulary_;
  std::vector<std::string_view> drawn_;
};

/// All maps hash as our tables do, and find views without making strings of them.
struct Hash {
  using is_transparent = void;
  std::size_t operator()(std::string_view text) const {
    return XXH3_64bits(text.data(), text.size());
  }
};
template <template <class...> class Map, class Key, class Value>
using MapOf = Map<Key, Value, Hash, std::equal_to<>>;

std::size_t allocated() {
  const auto info = mallinfo2();
  return info.uordblks + info.hblkhd;
}

/// Puts all words into a new table each time; `entries(table)` says how many there then are.
template <class Table, class Use, class Entries>
void measure(benchmark::State& state, const std::vector<std::string_view>& words, Use use,
             Entries entries) {
  double bytes = 0;
  for (auto _ : state) {
    const std::size_t before = allocated();
    Table table;
    for (const std::string_view word : words) benchmark::DoNotOptimize(use(table, word));
    state.PauseTiming();
    bytes = static_cast<double>(allocated() - before) / static_cast<double>(entries(table));
    state.ResumeTiming();
  }
  state.SetItemsProcessed(state.iterations() * static_cast<std::int64_t>(words.size()));
  state.counters["bytes/entry"] = bytes;
}

constexpr auto kSize = [](const auto& table) { return table.size(); };

// Tokens of which most were seen before: index::TokenCache.

struct Cache : index::TokenCache {
  Cache() : TokenCache(std::uint64_t{1} << 30) {}
  std::size_t size() const { return used; }
  std::size_t used = 0;
};

void token_cache(benchmark::State& state, const Words& words) {
  const auto use = [](Cache& cache, std::string_view word) {
    if (Cache::Slot* slot = cache.find(word)) return slot->term;
    ++cache.used;
    return cache.insert(word).term = 1;
  };
  measure<Cache>(state, words.drawn(), use, kSize);
}

struct TokenInfo {
  std::uint32_t term = 0, batch = 0, local = 0;
};

template <class Map>
void token_map(benchmark::State& state, const Words& words) {
  const auto use = [](Map& map, std::string_view word) {
    const auto found = map.find(word);
    if (found != map.end()) return found->second.term;
    return map[std::string(word)].term = 1;
  };
  measure<Map>(state, words.drawn(), use, kSize);
}

// Numbers of terms: index::TermDictionary, with its locks.

void term_dictionary(benchmark::State& state, const Words& words) {
  const auto use = [](auto& dictionary, std::string_view word) {
    return dictionary.number_of(word);
  };
  measure<index::TermDictionary>(state, words.drawn(), use, kSize);
}

/// A map of the bytes that are kept in chunks of 16 kB, as the dictionary keeps them.
template <class Map>
class Numbers {
 public:
  std::uint32_t number_of(std::string_view word) {
    const auto found = map_.find(word);
    if (found != map_.end()) return found->second;
    if (chunks_.empty() || chunks_.back().size() + word.size() > chunks_.back().capacity()) {
      chunks_.emplace_back().reserve(16u << 10);
    }
    std::string& chunk = chunks_.back();
    const char* const stored = chunk.data() + chunk.size();
    chunk += word;
    const auto number = static_cast<std::uint32_t>(map_.size());
    return map_[std::string_view(stored, word.size())] = number;
  }
  std::size_t size() const { return map_.size(); }

 private:
  Map map_;
  std::deque<std::string> chunks_;
};

template <class Map>
void term_map(benchmark::State& state, const Words& words) {
  const auto use = [](auto& numbers, std::string_view word) { return numbers.number_of(word); };
  measure<Numbers<Map>>(state, words.drawn(), use, kSize);
}

// Ids, all different: index::IdSet, which keeps hashes.

std::vector<std::string> make_ids() {
  std::vector<std::string> ids;
  for (std::size_t i = 0; i < kDraws; ++i) ids.push_back("clueweb09-en0000-" + std::to_string(i));
  return ids;
}

struct Ids {
  index::IdSet set;
  std::uint32_t count = 0;
  std::size_t size() const { return count; }
};

void id_set(benchmark::State& state, const std::vector<std::string_view>& ids) {
  const auto use = [](Ids& table, std::string_view id) {
    return table.set.insert(index::IdSet::hash_of(id), table.count++).has_value();
  };
  measure<Ids>(state, ids, use, kSize);
}

template <class Map>
void id_map(benchmark::State& state, const std::vector<std::string_view>& ids) {
  const auto use = [](Map& map, std::string_view id) {
    return map.emplace(id, static_cast<std::uint32_t>(map.size())).second;
  };
  measure<Map>(state, ids, use, kSize);
}

void register_all() {
  using benchmark::RegisterBenchmark;
  static const Words words(200'000);
  static const std::vector<std::string> ids = make_ids();
  static const std::vector<std::string_view> views(ids.begin(), ids.end());
  using String = std::string;
  using View = std::string_view;
  const auto add = [](const char* name, auto run, const auto& data) {
    RegisterBenchmark(name, [run, &data](benchmark::State& state) { run(state, data); });
  };
  add("tokens/gannet", token_cache, words);
  add("tokens/std", token_map<MapOf<std::unordered_map, String, TokenInfo>>, words);
  add("terms/gannet", term_dictionary, words);
  add("terms/std", term_map<MapOf<std::unordered_map, View, std::uint32_t>>, words);
  add("ids/gannet", id_set, views);
  add("ids/std", id_map<MapOf<std::unordered_map, String, std::uint32_t>>, views);
#ifdef GANNET_HAS_ABSL
  add("tokens/absl", token_map<MapOf<absl::flat_hash_map, String, TokenInfo>>, words);
  add("terms/absl", term_map<MapOf<absl::flat_hash_map, View, std::uint32_t>>, words);
  add("ids/absl", id_map<MapOf<absl::flat_hash_map, String, std::uint32_t>>, views);
#endif
}

}  // namespace
}  // namespace gannet::bench

int main(int argc, char** argv) {
  return gannet::bench::run_benchmarks(argc, argv, gannet::bench::register_all);
}
