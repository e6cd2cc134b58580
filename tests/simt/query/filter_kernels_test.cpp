// The kernel that makes the bitmaps of many filters, and filters on candidates, thread for thread
// on the host, against the host's filters.
#include <gtest/gtest.h>

#include <random>
#include <string>
#include <vector>

#include "query/filter/filter_bitmap.hpp"
#include "query/gpu/device/kernels/columns/find_filters.cuh"
#include "query/gpu/plan/pruned/filter_ranges.hpp"
#include "tests/support/query/collection.hpp"
#include "tests/support/query/deleted.hpp"
#include "tests/support/query/filters.hpp"
#include "tests/support/simt/columns/field_copy.hpp"
#include "tests/support/simt/launch.hpp"
#include "tests/support/temporary_directory.hpp"

namespace gannet::query::cuda {
namespace {

constexpr std::uint64_t kPoison = 0xabababababababab;

/// What searches ask of a filter without a bitmap.
void ask(const FilterStep* steps, std::uint32_t count, std::uint32_t documents,
         std::uint8_t* passes, std::uint8_t* open) {
  for (std::uint32_t d = threadIdx.x; d < documents; d += blockDim.x) {
    passes[d] = document_passes(steps, count, d) ? 1 : 0;
    open[d] = block_may_pass(steps, count, d / index::kFieldBlock) ? 1 : 0;
  }
}

class FilterKernels : public testing::Test {
 protected:
  /// An index of one segment with fields.
  void open(std::uint32_t documents, std::vector<test::FieldValues> fields) {
    fields_ = std::move(fields);
    directory_ = std::make_unique<test::TemporaryDirectory>();
    const auto plain =
        test::write_index(directory_->path(), test::random_collection(documents, 3, documents), {});
    index_ = test::with_fields(*plain, fields_);
    documents_ = documents;
  }

  struct Compiled {
    std::vector<Filter> filters;
    FilterPrograms programs;
  };

  /// Those of the filters that the device can evaluate, in random order.
  Compiled compile(const std::vector<Filter>& filters) {
    Compiled made;
    for (const Filter& filter : filters) {
      if (made.programs.add(bind_filter(filter, *index_, 0), copies_.sources())) {
        made.filters.push_back(filter);
      }
    }
    made.programs.put(tables_);
    return made;
  }

  DocumentBitmap on_host(const Filter& filter) const {
    FilterBitmap bitmap(bind_filter(filter, *index_, 0), documents_);
    return bitmap.bitmap({});
  }

  /// Runs the kernel with `each` filters a row of thread blocks.
  void expect_bitmaps(const std::vector<Filter>& filters, std::uint32_t each) {
    Compiled made = compile(filters);
    const std::size_t count = made.filters.size();
    ASSERT_GT(count, 0u);
    std::vector<std::vector<std::uint64_t>> words(
        count, std::vector<std::uint64_t>(bitmap_room(documents_) + 1, kPoison));
    std::vector<std::vector<std::uint16_t>> ranges(
        count, std::vector<std::uint16_t>(padded_superblocks(documents_) + 1, 0xabab));
    std::vector<FilterTarget> targets;
    for (std::size_t f = 0; f < count; ++f) {
      targets.push_back(
          {made.programs.steps(f), made.programs.count(f), words[f].data(), ranges[f].data()});
    }
    std::vector<unsigned long long> passing(count, 7);
    const FilterSearch search{targets.data(), static_cast<std::uint32_t>(count), documents_,
                              passing.data()};
    const std::uint32_t groups = padded_superblocks(documents_) * (kSuperblock / kGroupCodes);
    simt::launch({.grid = {codecs::ceil_div(groups, kColumnWarps * kGroupsEach),
                           codecs::ceil_div(search.count, each), 1},
                  .block = {kColumnThreads, 1, 1}},
                 find_filters_kernel, search, each);
    for (std::size_t f = 0; f < count; ++f) {
      SCOPED_TRACE(to_string(made.filters[f]));
      DocumentBitmap expected = on_host(made.filters[f]);
      const std::uint64_t documents_passing = count_bits(expected.words);
      EXPECT_EQ(passing[f], 7 + documents_passing);
      std::vector<std::uint16_t> expected_ranges = filter_ranges(expected);
      expected_ranges.push_back(0xabab);
      EXPECT_EQ(ranges[f], expected_ranges);
      expected.words.resize(bitmap_room(documents_));
      expected.words.push_back(kPoison);
      ASSERT_EQ(words[f], expected.words);
    }
  }

  /// `least_ruled_out`: column blocks, of each filter.
  void expect_candidates(const std::vector<Filter>& filters, std::uint32_t least_ruled_out = 0) {
    const Compiled made = compile(filters);
    for (std::size_t f = 0; f < made.filters.size(); ++f) {
      SCOPED_TRACE(to_string(made.filters[f]));
      const DocumentBitmap expected = on_host(made.filters[f]);
      std::vector<std::uint8_t> passes(documents_, 0xab), open(documents_, 0xab);
      simt::launch({.grid = {1, 1, 1}, .block = {64, 1, 1}}, ask, made.programs.steps(f),
                   made.programs.count(f), documents_, passes.data(), open.data());
      std::uint32_t blocks_ruled_out = 0;
      for (std::uint32_t d = 0; d < documents_; ++d) {
        ASSERT_EQ(passes[d], expected.has(d) ? 1 : 0) << d;
        ASSERT_GE(open[d], passes[d]) << "the block of document " << d;
        blocks_ruled_out += d % index::kFieldBlock == 0 && open[d] == 0 ? 1 : 0;
      }
      EXPECT_GE(blocks_ruled_out, least_ruled_out);
    }
  }

  std::vector<Filter> random_filters(std::size_t count, unsigned seed) {
    test::RandomFilters random(fields_, seed);
    std::vector<Filter> filters;
    while (filters.size() < count) {
      const Filter filter = random.next();
      filters.push_back(filters.size() % 5 == 4 ? filter && Filter::live() : filter);
    }
    return filters;
  }

  std::uint32_t documents_ = 0;
  std::vector<test::FieldValues> fields_;
  std::unique_ptr<test::TemporaryDirectory> directory_;
  std::shared_ptr<const index::Index> index_;
  FilterCopies copies_;
  HostTables tables_;
};

TEST_F(FilterKernels, AnyFiltersTogether) {
  for (const std::uint32_t documents : {1u, 64u, 511u, 512u, 513u, 9001u}) {
    SCOPED_TRACE(documents);
    copies_ = {};
    open(documents, test::random_fields(documents, documents));
    index_ = test::with_deleted(*index_, test::random_deletions(documents, 0.1, 3));
    const auto filters = random_filters(30, documents);
    expect_bitmaps(filters, 30);
    expect_bitmaps(filters, 7);
    expect_candidates(filters);
    if (HasFailure()) return;
  }
}

/// Blocks whose smallest and largest codes decide, blocks without a value, and the last block,
/// which has one document.
TEST_F(FilterKernels, BlocksThatDecide) {
  constexpr std::uint32_t kDocuments = 3 * index::kFieldBlock + 1;
  test::FieldValues rising{index::parse_field("rising:u32"), {}};
  test::FieldValues some{index::parse_field("some:u32"), {}};
  for (std::uint32_t d = 0; d < kDocuments; ++d) {
    rising.values.push_back({std::to_string(d / 16 * 3)});
    const bool there = d / index::kFieldBlock != 1 && d % 3 != 0;
    some.values.push_back(there ? std::vector{std::to_string(d * 7 % 1000)}
                                : std::vector<std::string>{});
  }
  open(kDocuments, {rising, some});
  const std::string first = std::to_string(index::kFieldBlock / 16 * 3);
  const std::string second = std::to_string(2 * index::kFieldBlock / 16 * 3);
  const std::vector<Filter> filters{
      Filter::range("rising", "0", first),
      Filter::range("rising", first, second),
      !Filter::range("rising", first, second),
      Filter::range("rising", second, "4294967295"),
      Filter::range("rising", "0", "4294967295") && Filter::range("some", "10", "20"),
      Filter::equal("rising", "3") || Filter::exists("some"),
      !Filter::exists("some") && !Filter::equal("rising", "6"),
      Filter::none(),
      Filter::all(),
  };
  expect_bitmaps(filters, 9);
  expect_candidates({filters[0], filters[1], filters[3], filters[7]}, 1);
  expect_candidates({filters[2], filters[4], filters[5], filters[6], filters[8]});
}

/// Codes of 0 to 4 bytes, with one interval, a few, many that are searched, and a table.
TEST_F(FilterKernels, SetsOverCodesOfAnyWidth) {
  constexpr std::uint32_t kDocuments = 3000;
  std::mt19937_64 random(11);
  std::vector<test::FieldValues> fields;
  for (const std::uint64_t limit : {1ull, 250ull, 60000ull, 16000000ull, 4294967295ull}) {
    const std::string name = "below" + std::to_string(limit);
    test::FieldValues field{index::parse_field(name + ":u32"), {}};
    for (std::uint32_t d = 0; d < kDocuments; ++d) {
      field.values.push_back({std::to_string(random() % limit)});
    }
    field.values[0] = {"0"};
    field.values[1] = {std::to_string(limit - 1)};
    if (limit > 1) field.values[2] = {"1"};
    fields.push_back(field);
  }
  open(kDocuments, fields);
  std::vector<Filter> filters;
  for (const test::FieldValues& field : fields) {
    const std::string& name = field.spec.name;
    for (const std::size_t count : {2u, 4u, 5u, 300u}) {
      std::vector<std::string> values;
      for (std::size_t i = 0; i < count; ++i) {
        values.push_back(field.values[random() % kDocuments].front());
      }
      filters.push_back(Filter::any_of(name, values));
    }
    filters.push_back(Filter::between(name, {field.values[5].front()}, {}));
    filters.push_back(Filter::between(name, {}, {field.values[6].front(), false}));
  }
  expect_bitmaps(filters, 30);
  expect_candidates(filters);
}

TEST_F(FilterKernels, DeepFiltersNeedFewSets) {
  open(700, test::random_fields(700, 4));
  test::RandomFilters random(fields_, 5);
  // Chains that lean to either side need two sets, balanced trees one for each level.
  Filter right = random.next(0);
  for (int i = 0; i < 40; ++i) {
    const Filter more = Filter::range("year", std::to_string(1990 + i % 20), "2015");
    right = i % 2 == 0 ? more && right : more || right;
  }
  const auto tree = [](auto& self, int depth, int number) -> Filter {
    if (depth == 0) return Filter::equal("year", std::to_string(1990 + number % 30));
    const Filter a = self(self, depth - 1, 2 * number);
    const Filter b = self(self, depth - 1, 2 * number + 1);
    return depth % 2 == 0 ? a && !b : a || !b;
  };
  // Predicates on one field in an OR are one set of codes: the last level takes none.
  expect_bitmaps({right, tree(tree, 4, 1), tree(tree, 6, 1)}, 2);
  FilterPrograms programs;
  const Filter deep = tree(tree, 9, 1);
  EXPECT_FALSE(programs.add(bind_filter(deep, *index_, 0), copies_.sources()));
  EXPECT_EQ(programs.size(), 0u);
  EXPECT_TRUE(programs.add(bind_filter(right, *index_, 0), copies_.sources()));
}

TEST_F(FilterKernels, FieldsThatAreNotThereAreLeftToTheHost) {
  open(2000, test::random_fields(2000, 9));
  FilterPrograms programs;
  // Its codes have 64 bits.
  const Filter wide = Filter::between("big", {"5"}, {});
  EXPECT_FALSE(programs.add(bind_filter(wide, *index_, 0), copies_.sources()));
  EXPECT_FALSE(programs.add(bind_filter(Filter::equal("year", "2000") && !wide, *index_, 0),
                            copies_.sources()));
  EXPECT_EQ(programs.size(), 0u);
}

}  // namespace
}  // namespace gannet::query::cuda
