// Searches on the GPU over random documents with texts, beside the CPU's.
#pragma once

#include <gtest/gtest.h>

#include <cstdint>
#include <memory>
#include <span>
#include <string>
#include <vector>

#include "codecs/base/cuda/device.hpp"
#include "query/searcher.hpp"
#include "tests/support/query/pruned_cases.hpp"
#include "tests/support/query/text_collection.hpp"
#include "tests/support/temporary_directory.hpp"

namespace gannet::test {

/// Skips its tests without a GPU.
class TextsOnGpu : public testing::Test {
 protected:
  void SetUp() override {
    std::string why;
    if (!query::cuda_available(&why)) GTEST_SKIP() << "no GPU: " << why;
  }

  /// Documents with a main text and `fields` more, of words `letter`0, `letter`1, ...; segments end
  /// at `ends`.
  void open(std::uint32_t fields, unsigned seed, const std::vector<std::size_t>& ends,
            char letter = 't') {
    index_ = build_texts(folder_.path() / std::to_string(seed),
                         random_texts(ends.back(), fields, seed, letter),
                         plain_texts_schema(fields), ends);
  }

  /// `index_bytes`: of device memory for the index; 0: all.
  query::Searcher gpu(double bits = 2.5, std::uint64_t index_bytes = 0) const {
    query::SearcherOptions options;
    options.backend = query::BackendChoice::kCuda;
    options.cuda.pool_bytes = std::uint64_t{256} << 20;
    options.cuda.bounds_bits = bits;
    if (index_bytes > 0) options.cuda.index_bytes = index_bytes;
    return query::Searcher(index_, options);
  }
  query::Searcher cpu() const {
    return query::Searcher(index_, {.backend = query::BackendChoice::kCpu});
  }

  /// Plans of the texts that `next` gives, by both modes, for few hits and for many.
  template <class NextText>
  std::vector<query::Plan> mixed_plans(const NextText& next, std::size_t number, const char* scorer,
                                       query::Want want = query::Want::kTopK) const {
    const query::Searcher searcher = cpu();
    std::vector<query::Plan> plans;
    for (std::size_t i = 0; i < number; ++i) {
      query::Query query;
      query.text = next();
      query.mode = i % 3 == 0 ? query::Mode::kAnd : query::Mode::kOr;
      query.want = want;
      query.k = i % 4 == 0 ? 300 : 10;
      query.scorer = query::parse_scorer(scorer, "", {});
      plans.push_back(searcher.plan(query));
    }
    return plans;
  }

  /// What the CPU finds by scoring every match, and no plan left to the CPU.
  void expect_on_the_gpu(const query::Searcher& searcher,
                         std::span<const query::Plan> searched) const {
    query::Report report;
    expect_exact(searcher, cpu(), searched, &report);
    EXPECT_EQ(report.host_plans.total(), 0u) << report.reason;
  }

  TemporaryDirectory folder_;
  std::shared_ptr<const index::Index> index_;
};

}  // namespace gannet::test
