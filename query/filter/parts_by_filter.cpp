#include "query/filter/parts_by_filter.hpp"

#include <unordered_map>

#include "query/filter/filter_hash.hpp"

namespace gannet::query {

std::vector<std::vector<std::size_t>> parts_by_filter(std::span<const std::size_t> plans,
                                                      const FilterOf& filter_of, std::size_t most) {
  std::unordered_map<const Filter*, std::size_t, FilterHash, EqualFilters> numbers;
  std::vector<std::size_t> part_of;  // by place in `plans`; those without a filter are in the first
  const Filter* last = nullptr;      // plans of a batch mostly share one
  for (const std::size_t plan : plans) {
    const Filter* const filter = filter_of(plan);
    if (filter == nullptr) {
      part_of.push_back(0);
    } else if (last != nullptr && *last == *filter) {
      part_of.push_back(numbers.find(last)->second / most);
    } else {
      part_of.push_back(numbers.try_emplace(filter, numbers.size()).first->second / most);
      last = filter;
    }
  }
  std::vector<std::vector<std::size_t>> parts(numbers.empty() ? 1
                                                              : (numbers.size() - 1) / most + 1);
  for (std::size_t i = 0; i < plans.size(); ++i) parts[part_of[i]].push_back(plans[i]);
  return parts;
}

}  // namespace gannet::query
