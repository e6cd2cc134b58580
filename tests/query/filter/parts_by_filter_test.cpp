// Batches in parts of few filters.
#include "query/filter/parts_by_filter.hpp"

#include <gmock/gmock.h>
#include <gtest/gtest.h>

#include <numeric>
#include <optional>
#include <string>

namespace gannet::query {
namespace {

using testing::ElementsAre;

class PartsByFilter : public ::testing::Test {
 protected:
  /// A plan with the n-th filter; none: without one.
  void add(std::optional<int> n) {
    filters_.push_back(n ? std::optional(Filter::equal("year", std::to_string(*n))) : std::nullopt);
  }
  std::vector<std::size_t> plans() const {
    std::vector<std::size_t> all(filters_.size());
    std::iota(all.begin(), all.end(), std::size_t{0});
    return all;
  }
  FilterOf filter_of() const {
    return [this](std::size_t i) { return filters_[i] ? &*filters_[i] : nullptr; };
  }
  std::vector<std::vector<std::size_t>> parts(std::size_t most) const {
    return parts_by_filter(plans(), filter_of(), most);
  }
  std::vector<std::optional<Filter>> filters_;
};

TEST_F(PartsByFilter, FewFiltersAreOnePart) {
  EXPECT_THAT(parts(1), ElementsAre(ElementsAre()));
  for (const int n : {1, 2, 1, 2}) add(n);
  add(std::nullopt);
  EXPECT_THAT(parts(2), ElementsAre(ElementsAre(0, 1, 2, 3, 4)));
}

TEST_F(PartsByFilter, PlansWithEqualFiltersAreTogether) {
  for (const int n : {1, 2, 3, 1, 2, 3}) add(n);
  add(std::nullopt);
  EXPECT_THAT(parts(1), ElementsAre(ElementsAre(0, 3, 6), ElementsAre(1, 4), ElementsAre(2, 5)));
  EXPECT_THAT(parts(2), ElementsAre(ElementsAre(0, 1, 3, 4, 6), ElementsAre(2, 5)));
}

TEST_F(PartsByFilter, EachPlanIsInOnePart) {
  for (int i = 0; i < 1000; ++i) add(i % 7 == 0 ? std::nullopt : std::optional(i * i % 311));
  std::vector<std::size_t> all;
  for (const auto& part : parts(10)) {
    all.insert(all.end(), part.begin(), part.end());
  }
  std::ranges::sort(all);
  ASSERT_EQ(all.size(), 1000u);
  for (std::size_t i = 0; i < all.size(); ++i) EXPECT_EQ(all[i], i);
}

}  // namespace
}  // namespace gannet::query
