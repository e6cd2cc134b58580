// The kernel that finds the first matches in an order of several fields, on the host.
#include "query/gpu/device/kernels/columns/first_rows.cuh"

#include <gtest/gtest.h>

#include <algorithm>
#include <functional>
#include <random>
#include <vector>

#include "query/gpu/plan/columns/row_order.hpp"
#include "tests/support/simt/columns/match_field.hpp"

namespace gannet::query::cuda {
namespace {

using match_test::columns_launch;
using match_test::Field;
using match_test::kDocuments;

TEST(FirstRowsKernel, FindsTheFirstOfAnyOrder) {
  std::size_t checked = 0;
  for (unsigned seed = 0; seed < 60; ++seed) {
    SCOPED_TRACE(seed);
    std::mt19937_64 random(seed);
    const std::uint32_t documents = kDocuments[random() % 8];
    std::vector<Field> fields;
    RowOrder order{};
    order.documents = documents;
    order.count = 1 + static_cast<std::uint32_t>(random() % kMaxOrderKeys);
    for (std::uint32_t i = 0; i < order.count; ++i) {
      const std::uint32_t limit = std::vector{1u, 3u, 300u, 70000u}[random() % 4];
      fields.push_back(Field::some(documents, limit, random() % 2 == 0, random(), 9));
    }
    for (std::uint32_t i = 0; i < order.count; ++i) {
      order.fields[i] = {fields[i].view(), 70000, 0, random() % 2 == 0, random() % 2 == 0};
    }
    if (!lay_out(order)) {
      EXPECT_GT(order.count, 2u);
      continue;
    }
    const std::uint64_t* const matches = fields[0].matches();
    const auto before = [&](const FirstDocument& a, const FirstDocument& b) {
      for (std::uint32_t i = 0; i < order.count; ++i) {
        if (a.codes[i] == b.codes[i]) continue;
        const bool a_missing = a.codes[i] == FirstDocument::kMissing;
        if (a_missing || b.codes[i] == FirstDocument::kMissing) {
          return a_missing == order.fields[i].missing_first;
        }
        return order.fields[i].descending ? a.codes[i] > b.codes[i] : a.codes[i] < b.codes[i];
      }
      return a.document < b.document;
    };
    std::vector<FirstDocument> expected;
    for (std::uint32_t d = 0; d < documents; ++d) {
      if ((matches[d / 64] >> d % 64 & 1) == 0) continue;
      FirstDocument row{.document = d};
      for (std::uint32_t i = 0; i < order.count; ++i) {
        row.codes[i] = fields[i].has_code(d) ? fields[i].code(d, order.fields[i].descending)
                                             : FirstDocument::kMissing;
      }
      expected.push_back(row);
    }
    std::ranges::sort(expected, before);
    const auto size = static_cast<std::uint32_t>(expected.size());
    std::vector<std::uint64_t> keys(size + 1);
    std::uint32_t found = 0;
    simt::launch(columns_launch(2, 0, seed), first_rows_kernel, order, matches, 1u,
                 CodeOrder{false, 10, nullptr, nullptr}, KeyList{keys.data(), &found, size});
    ASSERT_EQ(found, size);
    keys.resize(size);
    std::ranges::sort(keys, std::greater<>());
    for (std::uint32_t i = 0; i < size; ++i) {
      const FirstDocument row = order.row_of(keys[i]);
      ASSERT_EQ(row.document, expected[i].document);
      ASSERT_EQ(row.codes, expected[i].codes);
      ++checked;
    }
    if (size < 2) continue;
    // A threshold, and every second group.
    const std::uint32_t known = 1;
    const std::uint64_t least = keys[size / 2];
    std::vector<std::uint64_t> some(size);
    std::uint32_t reach = 0;
    simt::launch(columns_launch(1, 0, seed), first_rows_kernel, order, matches, 2u,
                 CodeOrder{false, 1, &least, &known}, KeyList{some.data(), &reach, size});
    const auto wanted = std::ranges::count_if(keys, [&](std::uint64_t key) {
      return key >= least && order.row_of(key).document / kGroupCodes % 2 == 0;
    });
    EXPECT_EQ(reach, wanted);
  }
  EXPECT_GT(checked, 1000u);
}

}  // namespace
}  // namespace gannet::query::cuda
