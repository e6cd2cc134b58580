// The longest sequence of a damaged lexicon's terms that are in order.
#include "index/repair/ascending_terms.hpp"

#include <gtest/gtest.h>

#include <numeric>
#include <string>
#include <vector>

namespace gannet::index {
namespace {

TEST(AscendingTerms, AreAsManyAsGoTogether) {
  const auto longest = [](std::vector<std::string> terms) {
    std::vector<TermId> ids(terms.size());
    std::iota(ids.begin(), ids.end(), TermId{0});
    return longest_ascending(ids, [&](TermId id) { return terms[id]; });
  };
  using Ids = std::vector<TermId>;
  EXPECT_EQ(longest({}), Ids{});
  EXPECT_EQ(longest({"a", "b", "c"}), (Ids{0, 1, 2}));
  EXPECT_EQ(longest({"zz", "a", "b", "c"}), (Ids{1, 2, 3})) << "one that reads too large";
  EXPECT_EQ(longest({"a", "b", "a", "c", "c", "d"}), (Ids{0, 1, 3, 5}));
  EXPECT_EQ(longest({"a", "x", "y", "b", "c", "d"}), (Ids{0, 3, 4, 5}));
}

}  // namespace
}  // namespace gannet::index
