// How plans of BM25F are bounded and packed: a list for each word and text, word by word.
#include <gtest/gtest.h>

#include <cstdint>
#include <utility>
#include <vector>

#include "query/bounds/word_lists.hpp"
#include "query/gpu/plan/pruned/bound.hpp"
#include "query/gpu/plan/pruned/pruned_path.hpp"
#include "query/gpu/plan/pruned/scale.hpp"

namespace gannet::query::cuda {
namespace {

constexpr Node term(std::uint32_t number) { return {Node::Kind::kTerm, number}; }
constexpr Node any(std::uint32_t of) { return {Node::Kind::kOr, of}; }
constexpr Node all(std::uint32_t of) { return {Node::Kind::kAnd, of}; }

/// Terms a b c in the main text (0, 1, 2) and in a title (3, 4, 5): words as terms of a compound
/// have them, not side by side.
Plan::Parts parts_of(std::vector<Node> expression) {
  Plan::Parts made;
  made.scorer = parse_scorer("bm25f", "", {});
  made.collection = {1000, 70'000};
  made.texts = {PlanText{.name = "title", .statistics = {900, 8000}}};
  for (const std::uint32_t field : {index::kMainText, 0u}) {
    for (const char* const text : {"a", "b", "c"}) {
      made.terms.push_back({.text = text, .document_frequency = 90, .weight = 1, .field = field});
    }
  }
  for (std::uint32_t word = 0; word < 3; ++word) {
    made.words.push_back({.terms = {{word, 1}, {word + 3, 2}}, .document_frequency = 95});
  }
  made.expression = std::move(expression);
  return made;
}

/// A plan in one segment, where list t has statistics with bounds if t is even.
class Packed {
 public:
  /// `there`: whether the segment has a term.
  Packed(Plan given, const std::vector<bool>& there) : plan(std::move(given)) {
    index_.documents = 1000;
    segments_.add(index_, 0);
    const auto terms = static_cast<std::uint32_t>(plan.terms().size());
    stats.resize(terms);
    for (std::uint32_t t = 0; t < terms; ++t) {
      ids_.push_back(there[t] ? t : kNoTerm);
      lists_.push_back(there[t] ? &stats[t] : nullptr);
      locations_.push_back({0, 0, 10, 100 + t});
      stats[t].unit = unit_of_list(plan, t);
      stats[t].largest = stats[t].best = 0.5f;
      stats[t].at_rank = {0.25f, 0.125f, 0, 0};
      if (t % 2 == 0) stats[t].room.codes = codes_.data();
    }
  }

  /// Bounds and scales the plan.
  bool pack() {
    parts_ = {PartBinding{ids_, lists_, locations_, &texts_}};
    const PlanBinding binding{&plan, parts_};
    bounds = bound_plan(binding);
    if (!bounds) return false;
    room_.resize(count_lists(plan));
    scaled = scale_plan(PrunedPath::kBounds, binding, *bounds, segments_, {scaled_parts_, room_});
    return true;
  }

  Plan plan;
  std::vector<ListStats> stats;
  std::optional<PlanBounds> bounds;
  ScaledPlan scaled;

  /// The lists by the numbers of their terms, and their marks.
  std::vector<std::pair<std::uint32_t, std::uint32_t>> marks() const {
    std::vector<std::pair<std::uint32_t, std::uint32_t>> marks;
    for (const PrunedTerm& list : scaled.terms) marks.emplace_back(list.count - 100, list.clause);
    return marks;
  }

 private:
  IndexView index_{};
  SegmentViews segments_;
  std::vector<index::TermId> ids_;
  std::vector<const ListStats*> lists_;
  std::vector<DeviceList> locations_;
  std::vector<std::uint8_t> codes_ = std::vector<std::uint8_t>(1024);
  TextOffsets texts_;
  std::vector<PartBinding> parts_;
  std::vector<PrunedTerm> room_;
  std::vector<ScaledPart> scaled_parts_ = std::vector<ScaledPart>(1);
};

using Marks = std::vector<std::pair<std::uint32_t, std::uint32_t>>;
constexpr std::uint32_t kOfWord = kInClause | kRulesRanges;
constexpr std::uint32_t kLastOfWord = kOfWord | kEndsClause | kEndsWord;

TEST(PackWords, ListsStandWordByWord) {
  Packed packed(Plan(parts_of({term(0), term(1), term(2), term(3), term(4), term(5), any(6)})),
                std::vector<bool>(6, true));
  ASSERT_TRUE(packed.plan.disjunction());
  ASSERT_TRUE(packed.pack());
  EXPECT_EQ(packed.marks(),
            (Marks{{0, 0}, {3, kEndsWord}, {1, 0}, {4, kEndsWord}, {2, 0}, {5, kEndsWord}}));
  const WordLists words = word_lists(packed.plan);
  for (std::size_t i = 0; i < words.size(); ++i) {
    const PrunedTerm& list = packed.scaled.terms[i];
    EXPECT_EQ(list.constants.factor, words[i].factor);
    EXPECT_EQ(list.in_text().weight, words[i].in_text.weight);
    EXPECT_EQ(list.in_text().least, words[i].in_text.least);
    EXPECT_EQ(list.in_text().slope, words[i].in_text.slope);
    EXPECT_EQ(list.in_text().a, words[i].in_text.a);
    EXPECT_EQ(list.in_text().b, words[i].in_text.b);
    EXPECT_GT(list.weight, 0u);
  }
}

/// The lists of a word follow one another among those of the batch, so a clause that is a word has
/// marks, though its terms stand apart in the plan.
TEST(PackWords, AWordIsAClause) {
  const std::vector<Node> words{term(0), term(3), any(2),  term(1), term(4),
                                any(2),  term(2), term(5), any(2),  all(3)};
  Packed packed(Plan(parts_of(words)), {true, true, false, true, true, true});
  ASSERT_TRUE(packed.pack());
  EXPECT_EQ(
      packed.marks(),
      (Marks{{0, kOfWord}, {3, kLastOfWord}, {1, kOfWord}, {4, kLastOfWord}, {5, kLastOfWord}}));
  EXPECT_EQ(packed.scaled.match, Match::kExpression);
  // Nodes have the numbers of lists, and what the segment lacks holds nowhere.
  std::vector<Node> found = packed.scaled.nodes;
  std::erase_if(found, [](const Node& node) {
    return node.kind != Node::Kind::kTerm && node.kind != Node::Kind::kNever;
  });
  ASSERT_EQ(found.size(), 6u);
  const std::uint32_t never = 99;
  std::vector<std::uint32_t> numbers;
  for (const Node& node : found) {
    numbers.push_back(node.kind == Node::Kind::kNever ? never : node.operand);
  }
  EXPECT_EQ(numbers, (std::vector<std::uint32_t>{0, 1, 2, 3, never, 4}));
}

/// Term b decides alone; term a is in two words.
TEST(PackWords, TermsWithoutWordsAndInTwo) {
  Plan::Parts parts = parts_of({term(0), term(3), any(2), term(1), {Node::Kind::kNot, 1}, all(2)});
  parts.words = {{.terms = {{0, 1}, {3, 2}}, .document_frequency = 95},
                 {.terms = {{0, 4}}, .document_frequency = 90}};
  Packed packed((Plan(parts)), {true, true, false, true, false, false});
  ASSERT_TRUE(packed.pack());
  EXPECT_EQ(packed.marks(), (Marks{{0, kOfWord}, {3, kLastOfWord}, {0, kEndsWord}, {1, 0}}));
  EXPECT_EQ(packed.scaled.terms[3].weight, 0u);
  EXPECT_EQ(packed.bounds->terms.size(), 3u);
  EXPECT_EQ(packed.scaled.sizes.rows, 2u) << "list 0 twice; lists 3 and 1 have no bounds";
  EXPECT_EQ(packed.scaled.sizes.shorts, 2u);
}

/// Statistics are of the text's weight 2. With weight 8 scores may be four times as large; with
/// weight 1 they may be half as large.
TEST(PackWords, BoundsHaveTheWeightsOfTexts) {
  Packed packed(Plan(parts_of({term(0), term(1), term(2), term(3), term(4), term(5), any(6)})),
                std::vector<bool>(6, true));
  ASSERT_TRUE(packed.pack());
  const double factor = word_factor(packed.plan, packed.plan.words()[0]);
  EXPECT_NEAR(packed.bounds->terms[1].max, factor * 0.5, 1e-4 * factor);
  EXPECT_NEAR(packed.bounds->sum, 6 * factor * 0.5, 1e-4 * factor);
  EXPECT_NEAR(packed.bounds->start, factor * 0.25, 1e-4 * factor);
  EXPECT_LT(packed.bounds->start, factor * 0.25) << "with a margin";
  EXPECT_GT(packed.bounds->terms[1].max, factor * 0.5) << "with a margin";
  Plan::Parts parts = parts_of({term(3)});
  for (const float weight : {8.0f, 1.0f}) {
    parts.words = {{.terms = {{3, weight}}, .document_frequency = 95}};
    packed.plan = Plan(parts);
    ASSERT_TRUE(packed.pack());
    EXPECT_NEAR(packed.bounds->sum, factor * (weight == 8 ? 2 : 0.5), 1e-4 * factor);
    EXPECT_FALSE(packed.plan.disjunction())
        << "other terms are in the plan, but not in what it asks";
  }
  parts = parts_of({term(0)});
  parts.terms = {parts.terms[3]};
  for (const float weight : {8.0f, 1.0f}) {
    parts.words = {{.terms = {{0, weight}}, .document_frequency = 95}};
    Packed one(Plan(parts), {true});
    parts.words[0].terms[0].weight = 2;
    one.stats[0].unit = unit_of_list(Plan(parts), 0);
    ASSERT_TRUE(one.pack());
    EXPECT_NEAR(one.bounds->start, factor * (weight == 8 ? 0.25 : 0.125), 1e-4 * factor);
  }
}

TEST(PackWords, PathsAreThoseOfLists) {
  Plan::Parts parts = parts_of({term(0), term(1), term(2), term(3), term(4), term(5), any(6)});
  EXPECT_EQ(pruned_path(Plan(parts), 32), PrunedPath::kBounds);
  EXPECT_EQ(pruned_path(Plan(parts), 33), std::nullopt) << "windows add up lists";
  const std::vector<index::TermId> ids(6, 3);
  const std::vector<std::span<const index::TermId>> segments{ids};
  EXPECT_EQ(pruned_path(Plan(parts), segments), PrunedPath::kBounds);
  while (parts.words.size() < 17) {  // 2 lists each
    parts.words.push_back(
        {.terms = {{0, 1}, {3, static_cast<float>(parts.words.size())}}, .document_frequency = 95});
  }
  EXPECT_EQ(pruned_path(Plan(parts), segments), std::nullopt);
  parts.words.clear();
  EXPECT_EQ(pruned_path(Plan(parts), 33), PrunedPath::kWindows);
  parts.words = {{.terms = {{0, 1e-7f}, {3, 1}}, .document_frequency = 95}};
  EXPECT_EQ(pruned_path(Plan(parts), 2), std::nullopt) << "contributions may be 0";
}

}  // namespace
}  // namespace gannet::query::cuda
