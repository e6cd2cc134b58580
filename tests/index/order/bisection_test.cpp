// Recursive graph bisection.
#include "index/order/bisection/bisection.hpp"

#include <gmock/gmock.h>
#include <gtest/gtest.h>

#include <algorithm>
#include <cmath>
#include <map>
#include <numeric>
#include <random>
#include <string>
#include <vector>

#include "index/order/bisection/forward_index.hpp"
#include "index/order/bisection/split_terms.hpp"
#include "tests/support/errors.hpp"
#include "tests/support/index/document_source.hpp"
#include "tests/support/temporary_directory.hpp"

namespace gannet::index {
namespace {

using test::TextDocument;

constexpr std::uint64_t kPlenty = std::uint64_t{1} << 30;

/// Documents of `topics` topics one after the other, each with words of its own and some of all.
std::vector<TextDocument> topical_documents(std::size_t count, std::size_t topics, unsigned seed) {
  std::mt19937 random(seed);
  std::vector<TextDocument> documents(count);
  for (std::size_t i = 0; i < count; ++i) {
    const std::string topic = std::to_string(i % topics);
    for (int w = 0; w < 8; ++w) {
      documents[i].text += " t" + topic + "x" + std::to_string(random() % 20);
    }
    for (int w = 0; w < 4; ++w) documents[i].text += " common" + std::to_string(random() % 200);
    documents[i].id = std::to_string(i);
  }
  return documents;
}

/// Bits that the logarithms of all gaps make.
double gap_bits(const Index& index, const std::vector<Docid>& order) {
  std::vector<Docid> places(order.size());
  for (std::size_t i = 0; i < order.size(); ++i) places[order[i]] = static_cast<Docid>(i);
  double bits = 0;
  const Segment& segment = *index.segments().front();
  for (TermId t = 0; t < segment.statistics().terms; ++t) {
    const PostingList list = segment.list(t);
    std::vector<Docid> docids(list.count);
    list.decode_docids(docids.data());
    for (Docid& d : docids) d = places[d];
    std::ranges::sort(docids);
    for (std::size_t i = 1; i < docids.size(); ++i) bits += std::log2(docids[i] - docids[i - 1]);
  }
  return bits;
}

class BisectionOrder : public ::testing::Test {
 protected:
  Index build(const std::vector<TextDocument>& documents) {
    test::VectorSource source(documents, 100);
    BuildOptions options;
    options.write.overwrite = true;
    build_index(source, folder_.path() / "idx", options);
    return Index::open(folder_.path() / "idx");
  }

  test::TemporaryDirectory folder_;
};

TEST_F(BisectionOrder, PutsTopicsTogether) {
  constexpr std::size_t kTopics = 16;
  const Index index = build(topical_documents(2048, kTopics, 1));
  const std::vector<Docid> order = order_by_bisection(index, {.memory = kPlenty});
  std::size_t changes = 0;
  for (std::size_t i = 1; i < order.size(); ++i) {
    changes += order[i] % kTopics == order[i - 1] % kTopics ? 0 : 1;
  }
  EXPECT_LT(changes, 2 * kTopics) << "of topics from one document to the next";
  std::vector<Docid> before(order.size());
  std::iota(before.begin(), before.end(), Docid{0});
  EXPECT_LT(gap_bits(index, order), 0.62 * gap_bits(index, before));
}

TEST_F(BisectionOrder, IsTheSameWithAnyNumberOfThreadsSlow) {
  // More documents than a split needs to be parallel.
  const Index index = build(topical_documents(3 * kParallelSplit, 40, 2));
  const std::vector<Docid> expected = order_by_bisection(index, {.memory = kPlenty});
  EXPECT_TRUE(std::ranges::is_permutation(expected, [&] {
    std::vector<Docid> all(expected.size());
    std::iota(all.begin(), all.end(), Docid{0});
    return all;
  }()));
  for (unsigned threads = 2; threads < 5; ++threads) {
    EXPECT_EQ(order_by_bisection(index, {.memory = kPlenty, .threads = threads}), expected);
  }
}

TEST_F(BisectionOrder, LeavesAloneWhatIsAlike) {
  std::vector<Docid> all(100);
  std::iota(all.begin(), all.end(), Docid{0});
  EXPECT_EQ(order_by_bisection(build(std::vector<TextDocument>(100, {"", "same words"})),
                               {.memory = kPlenty}),
            all);
  EXPECT_EQ(order_by_bisection(build(std::vector<TextDocument>(100)), {.memory = kPlenty}), all);
  EXPECT_EQ(order_by_bisection(build({}), {.memory = kPlenty}), std::vector<Docid>{});
  EXPECT_EQ(order_by_bisection(build({{"", "one"}}), {.memory = kPlenty}), std::vector<Docid>{0});
}

TEST_F(BisectionOrder, WithLittleMemoryLooksAtLongListsAlone) {
  const Index index = build(topical_documents(2000, 16, 3));
  const ForwardIndex whole(index, {.memory = kPlenty});
  std::uint64_t postings = 0;
  std::map<std::uint32_t, std::uint64_t> longer;  // postings of lists at least so long
  for (TermId t = 0; t < index.statistics().terms; ++t) {
    const std::uint32_t count = index.segments()[0]->document_frequency(t);
    if (count >= 2000 / 64) postings += count;
    longer[count] += count;
  }
  EXPECT_EQ(whole.postings(), postings);
  std::uint64_t last = postings;
  for (std::uint64_t memory = 9 << 20; memory > 8 << 20; memory -= 1 << 14) {
    try {
      const ForwardIndex part(index, {.memory = memory});
      std::uint64_t expected = 0;
      for (auto it = longer.lower_bound(part.least()); it != longer.end(); ++it) {
        expected += it->second;
      }
      EXPECT_EQ(part.postings(), expected) << "all lists of that length";
      EXPECT_LE(part.postings(), last);
      EXPECT_LE(part.postings() * 4, memory);
      last = part.postings();
    } catch (const UsageError& error) {
      EXPECT_THAT(error.what(), ::testing::HasSubstr("too small for bisection"));
      EXPECT_LT(last, postings) << "some were left out before";
      return;
    }
  }
  FAIL() << "the memory was always enough";
}

/// What the terms of a split cost, as the paper has it.
double split_cost(const ForwardIndex& forward, const std::vector<Candidate>& candidates) {
  std::map<std::uint32_t, std::pair<double, double>> halves;
  double n = 0;
  double m = 0;
  for (const Candidate& candidate : candidates) {
    (candidate.right != 0 ? m : n) += 1;
    for (const std::uint32_t term : forward.of(candidate.docid)) {
      (candidate.right != 0 ? halves[term].second : halves[term].first) += 1;
    }
  }
  // Moves come in pairs, so the halves keep their sizes.
  n = m = static_cast<double>(candidates.size()) / 2;
  double cost = 0;
  for (const auto& [term, half] : halves) {
    cost += half.first * std::log2(n / (half.first + 1));
    cost += half.second * std::log2(m / (half.second + 1));
  }
  return cost;
}

TEST_F(BisectionOrder, GainsAreTheDifferenceOfCosts) {
  const Index index = build(topical_documents(400, 4, 4));
  ForwardIndex forward(index, {.memory = kPlenty});
  std::vector<Candidate> candidates;
  for (Docid d = 0; d < 400; ++d) candidates.push_back({0, d & 0x7fffffffu, d < 200 ? 0u : 1u});
  SplitTerms terms(forward, candidates, forward.terms());
  std::mt19937 random(5);
  for (int i = 0; i < 60; ++i) {
    terms.find_gains();
    Candidate& candidate = candidates[random() % candidates.size()];
    const double before = split_cost(forward, candidates);
    const bool right = candidate.right != 0;
    const float gain = terms.gain(forward.of(candidate.docid), right);
    terms.move(forward.of(candidate.docid), !right);
    candidate.right = right ? 0 : 1;
    EXPECT_NEAR(gain, before - split_cost(forward, candidates), 0.01);
  }
}

}  // namespace
}  // namespace gannet::index
