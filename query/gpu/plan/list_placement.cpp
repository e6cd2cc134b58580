#include "query/gpu/plan/list_placement.hpp"

#include <tbb/parallel_sort.h>

#include <numeric>
#include <tuple>

namespace gannet::query::cuda {
namespace {

/// Words that lists are aligned to, in the segment's words and here.
constexpr std::uint64_t kAlign = 4;

/// The first word from `from` on that lies in its 16 bytes as `like` does.
std::uint64_t aligned_like(std::uint64_t from, std::uint64_t like) {
  return from + (like - from) % kAlign;
}

/// Numbers of lists that have words.
std::vector<index::TermId> placed_terms(std::span<const DeviceList> table) {
  std::vector<index::TermId> terms;
  for (std::size_t term = 0; term < table.size(); ++term) {
    if (table[term].count > 0) terms.push_back(static_cast<index::TermId>(term));
  }
  return terms;
}

}  // namespace

std::vector<ListWords> words_of_lists(std::span<const DeviceList> table, std::uint64_t all_words) {
  std::vector<index::TermId> terms = placed_terms(table);
  tbb::parallel_sort(terms, [&](index::TermId a, index::TermId b) {
    return table[a].first_word < table[b].first_word;
  });
  std::vector<ListWords> lists(table.size());
  for (std::size_t i = 0; i < terms.size(); ++i) {
    const std::uint64_t first = table[terms[i]].first_word;
    const std::uint64_t end = i + 1 < terms.size() ? table[terms[i + 1]].first_word : all_words;
    lists[terms[i]] = {first, end - first};
  }
  return lists;
}

std::vector<PlacedList> place_lists(std::span<const ListWords> lists,
                                    std::span<const std::uint32_t> uses, std::uint64_t room) {
  std::vector<index::TermId> terms(lists.size());
  std::iota(terms.begin(), terms.end(), index::TermId{0});
  std::erase_if(terms, [&](index::TermId term) { return lists[term].count == 0; });
  tbb::parallel_sort(terms, [&](index::TermId a, index::TermId b) {
    return std::tuple(uses[b], lists[a].count, a) < std::tuple(uses[a], lists[b].count, b);
  });
  std::vector<PlacedList> placed;
  std::uint64_t used = 0;
  for (const index::TermId term : terms) {
    const std::uint64_t first = aligned_like(used, lists[term].first);
    if (lists[term].count > room || first > room - lists[term].count) continue;
    placed.push_back({term, first});
    used = first + lists[term].count;
  }
  return placed;
}

std::uint64_t offset_between(const std::uint32_t* device, const std::uint32_t* host) {
  return (reinterpret_cast<std::uintptr_t>(host) - reinterpret_cast<std::uintptr_t>(device)) /
         sizeof(std::uint32_t);
}

}  // namespace gannet::query::cuda
