// The steps that plans become, interpreted for 64 documents: host code, which needs no GPU.
#include "query/gpu/plan/matching/match_compiler.hpp"

#include <gtest/gtest.h>

#include <algorithm>
#include <bit>
#include <random>
#include <string>
#include <vector>

#include "query/gpu/plan/matching/match_batch.hpp"
#include "query/gpu/plan/matching/tuning.hpp"
#include "query/plan/making/expression.hpp"

namespace gannet::query::cuda {
namespace {

using Word = std::uint64_t;

/// Lists of 64 documents, each of which is known by the address of its word.
class CompilerTest : public testing::Test {
 protected:
  /// A list that claims `count` postings; with a bitmap or decoded.
  void add_list(Word word, std::uint32_t count, bool bitmap) {
    words_.push_back(word);
    counts_.push_back(count);
    bitmaps_.push_back(bitmap);
  }

  /// Lists with the numbers 0 .. n - 1, of which each is one term, term t being list t.
  void add_random_lists(std::uint32_t n, std::uint32_t bitmaps_in_8) {
    for (std::uint32_t i = 0; i < n; ++i) {
      Word word = random_();
      for (std::uint32_t sparser = random_() % 4; sparser > 0; --sparser) word &= random_();
      add_list(word, 1 + static_cast<std::uint32_t>(random_() % 100'000),
               random_() % 8 < bitmaps_in_8);
    }
  }

  Plan plan(std::vector<Node> expression, std::uint32_t predicates = 0,
            Want want = Want::kCount) const {
    Plan::Parts parts;
    parts.want = want;
    parts.collection = {1u << 20, 1u << 30};
    for (std::size_t i = 0; i < words_.size(); ++i) {
      parts.terms.push_back({.text = "t" + std::to_string(i), .document_frequency = 1});
    }
    for (std::uint32_t i = 0; i < predicates; ++i) {
      parts.predicates.push_back(Filter::equal("f", std::to_string(i)));
    }
    parts.expression = std::move(expression);
    return Plan(std::move(parts));
  }

  /// Compiles a plan whose term t has list t, and predicate p the word p of `predicates`.
  std::optional<std::uint64_t> compile(const Plan& plan, const std::vector<Word>& predicates = {},
                                       const Word* filter = nullptr, bool guards = true) {
    tables_.clear();
    operands_.clear();
    ends_.clear();
    for (std::uint32_t i = 0; i < words_.size(); ++i) {
      ListLocation list{};
      list.docid_words = reinterpret_cast<const std::uint32_t*>(&words_[i]);
      list.count = counts_[i];
      operands_.push_back({list, bitmaps_[i] ? &words_[i] : nullptr});
      ends_.push_back(i + 1);
    }
    std::vector<const Word*> pointers;
    for (const Word& word : predicates) pointers.push_back(&word);
    MatchRequest request{&plan, operands_, ends_, pointers};
    request.filter = filter;
    request.passing = filter == nullptr ? 0 : static_cast<std::uint64_t>(std::popcount(*filter));
    request.guards = guards;
    return compiler_.add(request, tables_);
  }

  /// What the compiled query matches. Of lists in guarded steps, documents that row 0 does not have
  /// are there or not: the kernel skips whole tiles.
  Word run() {
    const MatchQuery& query = tables_.queries.back();
    std::vector<Word> rows(query.rows, 0xabababababababab);
    for (std::uint32_t s = 0; s < query.steps; ++s) {
      const MatchStep& step = tables_.steps[query.first_step + s];
      for (std::uint32_t row = 0; row < query.rows; ++row) {
        if ((step.cleared >> row & 1) != 0) rows[row] = 0;
      }
      EXPECT_EQ(step.cleared >> query.rows, 0u);
      for (std::uint32_t i = 0; i < step.lists; ++i) {
        const MatchList& list = tables_.lists[query.first_list + step.first_list + i];
        EXPECT_NE(step.cleared >> list.row & 1, 0u) << "marked in a row with other documents";
        const Word word = *reinterpret_cast<const Word*>(list.list.docid_words);
        rows.at(list.row) |= step.guarded != 0 ? word & (rows[0] | random_()) : word;
      }
      const Word value = evaluate_step(query, step, rows);
      if (step.to == kNone) {
        EXPECT_EQ(s + 1, query.steps);
        return value;
      }
      rows.at(step.to) = value;
      if (step.stops != 0 && value == 0) return 0;
    }
    ADD_FAILURE() << "no step has the matches";
    return 0;
  }

  Word evaluate_step(const MatchQuery& query, const MatchStep& step,
                     const std::vector<Word>& rows) const {
    const Word mask = step.guarded != 0         ? rows[0]
                      : query.filter != nullptr ? *query.filter
                                                : ~Word{0};
    const auto row = [&](std::uint32_t number) { return rows.at(number); };
    const auto bitmap = [&](std::uint32_t number) {
      return *tables_.bitmaps[query.first_bitmap + number];
    };
    const Node* const nodes = tables_.nodes.data() + query.first_node + step.first_node;
    if (step.shape == MatchShape::kFormula) {
      return mask & evaluate(nodes, step.nodes, WordStack<Word>{}, row, bitmap);
    }
    Word value = step.shape == MatchShape::kAll ? ~Word{0} : 0;
    for (std::uint32_t i = 0; i < step.nodes; ++i) {
      const Word one =
          nodes[i].kind == Node::Kind::kTerm ? row(nodes[i].operand) : bitmap(nodes[i].operand);
      value = step.shape == MatchShape::kAll ? value & one : value | one;
    }
    return mask & value;
  }

  std::vector<Node> flat(Node::Kind kind, std::uint32_t terms) const {
    std::vector<Node> nodes;
    for (std::uint32_t i = 0; i < terms; ++i) nodes.push_back({Node::Kind::kTerm, i});
    nodes.push_back({kind, terms});
    return nodes;
  }

  std::mt19937_64 random_{7};
  std::vector<Word> words_;
  std::vector<std::uint32_t> counts_;
  std::vector<bool> bitmaps_;
  std::vector<MatchOperand> operands_;
  std::vector<std::uint32_t> ends_;
  MatchCompiler compiler_;
  MatchTables tables_;
};

TEST_F(CompilerTest, ListsOfAnOrShareARow) {
  add_random_lists(1000, 0);
  ASSERT_FALSE(compile(plan(flat(Node::Kind::kOr, 1000))));
  EXPECT_EQ(tables_.queries[0].rows, 1u);
  EXPECT_EQ(tables_.steps.size(), 1u);
  EXPECT_EQ(tables_.lists.size(), 1000u);
  EXPECT_EQ(tables_.nodes.size(), 1u);
}

TEST_F(CompilerTest, ARareClauseGuardsTheOthers) {
  add_list(0xff, 1'000'000, false);
  add_list(0xf0, 1'000, false);
  add_list(0x3c, 2'000'000, true);
  const Plan both = plan(flat(Node::Kind::kAnd, 3));
  ASSERT_FALSE(compile(both));
  ASSERT_EQ(tables_.steps.size(), 2u);
  EXPECT_EQ(tables_.lists[0].list.count, 1'000u);
  EXPECT_EQ(tables_.steps[0].stops, 1u);
  EXPECT_EQ(tables_.steps[1].guarded, 1u);
  EXPECT_EQ(tables_.lists.size(), 2u) << "the guard is not marked again, nor the bitmap's list";
  EXPECT_EQ(run(), Word{0x30});
  ASSERT_FALSE(compile(both, {}, nullptr, false));
  EXPECT_EQ(tables_.steps.size(), 1u);
  EXPECT_EQ(run(), Word{0x30});
}

TEST_F(CompilerTest, AFilterThatFewPassGuards) {
  add_list(0xff, 1'000'000, false);
  add_list(0xf0, 1'000'000, false);
  const Word filter = 0x18;
  ASSERT_FALSE(compile(plan(flat(Node::Kind::kOr, 2)), {}, &filter));
  ASSERT_EQ(tables_.steps.size(), 2u);
  EXPECT_EQ(tables_.steps[0].lists, 0u);
  EXPECT_EQ(run(), filter);
}

TEST_F(CompilerTest, LengthsAnswerWhatTheyCan) {
  add_list(0xff, 123, false);
  add_list(0, 0, false);
  EXPECT_EQ(compile(plan({{Node::Kind::kTerm, 0}})), 123u);
  EXPECT_TRUE(tables_.steps.empty() && tables_.lists.empty() && tables_.queries.empty());
  EXPECT_EQ(compile(plan({{Node::Kind::kTerm, 0}}, 0, Want::kDocids)), std::nullopt);
  EXPECT_EQ(compile(plan({{Node::Kind::kTerm, 0}}), {}, nullptr, false), std::nullopt);
  EXPECT_EQ(compile(plan({})), 0u);
  const Word some = 1, none = 0;
  EXPECT_EQ(compile(plan({{Node::Kind::kTerm, 0}}), {}, &some), std::nullopt);
  EXPECT_EQ(compile(plan({{Node::Kind::kTerm, 0}}), {}, &none), 0u);
}

/// Any expression, as deep and as large as it is, with no more rows than there are.
TEST_F(CompilerTest, RandomExpressions) {
  std::uint32_t most_rows = 0;
  std::size_t most_steps = 0;
  for (int round = 0; round < 4000; ++round) {
    words_.clear();
    counts_.clear();
    bitmaps_.clear();
    const std::uint32_t kSizes[] = {1, 2, 3, 5, 12, 50, 300};
    const std::uint32_t size = kSizes[random_() % std::size(kSizes)];
    add_random_lists(size, static_cast<std::uint32_t>(random_() % 5));
    std::vector<Word> predicates(random_() % 4);
    for (Word& word : predicates) word = random_();
    // Random postfix: values wait, operators take some of them.
    std::vector<Node> nodes;
    std::vector<Word> stack;
    const bool mostly_and = random_() % 2 == 0;
    while (nodes.size() < 3 * size || stack.size() > 1) {
      const bool full = nodes.size() >= 3 * size || stack.size() > 200;
      const std::uint64_t kind = full ? 5 : random_() % 8;
      if (stack.empty() || kind < 4) {
        if (!predicates.empty() && random_() % 8 == 0) {
          const auto p = static_cast<std::uint32_t>(random_() % predicates.size());
          nodes.push_back({Node::Kind::kPredicate, p});
          stack.push_back(predicates[p]);
        } else {
          const auto t = static_cast<std::uint32_t>(random_() % size);
          nodes.push_back({Node::Kind::kTerm, t});
          stack.push_back(words_[t]);
        }
      } else if (kind == 4) {
        nodes.push_back({Node::Kind::kNot, 1});
        stack.back() = ~stack.back();
      } else if (stack.size() > 1) {
        const bool all = (random_() % 4 == 0) != mostly_and;
        const auto n =
            static_cast<std::uint32_t>(2 + random_() % std::min<std::size_t>(4, stack.size() - 1));
        nodes.push_back({all ? Node::Kind::kAnd : Node::Kind::kOr, n});
        for (std::uint32_t i = 1; i < n; ++i) {
          const Word top = stack.back();
          stack.pop_back();
          stack.back() = all ? stack.back() & top : stack.back() | top;
        }
      }
    }
    const Plan made = plan(nodes, static_cast<std::uint32_t>(predicates.size()), Want::kDocids);
    const Word filter = random_() & random_();
    for (const bool filtered : {false, true}) {
      for (const bool guards : {false, true}) {
        const Word expected = filtered ? stack.back() & filter : stack.back();
        const auto known = compile(made, predicates, filtered ? &filter : nullptr, guards);
        ASSERT_EQ(known ? *known : run(), expected)
            << to_string(made) << round << " filtered: " << filtered << " guards: " << guards;
        if (known) continue;
        most_rows = std::max(most_rows, tables_.queries[0].rows);
        most_steps = std::max(most_steps, tables_.steps.size());
        ASSERT_LE(tables_.queries[0].rows, tuning::kMaxMatchRows);
      }
    }
  }
  EXPECT_GT(most_steps, 10u);
  EXPECT_GT(most_rows, 8u);
}

TEST_F(CompilerTest, BatchesHaveEveryQueryOnceByRows) {
  add_random_lists(12, 0);
  std::vector<MatchSlice> slices(3);
  std::size_t number = 0;
  for (MatchSlice& slice : slices) {
    for (const std::uint32_t terms : {5u, 1u, 12u, 3u}) {
      const Plan made = plan(flat(Node::Kind::kAnd, terms), 0, Want::kDocids);
      ASSERT_FALSE(compile(made, {}, nullptr, false));
      // The tables of this fixture are one slice; here they are collected.
      MatchTables& to = slice.tables;
      MatchQuery query = tables_.queries[0];
      query.first_list += to.lists.size();
      query.first_node += to.nodes.size();
      query.first_step += to.steps.size();
      to.lists.insert(to.lists.end(), tables_.lists.begin(), tables_.lists.end());
      to.nodes.insert(to.nodes.end(), tables_.nodes.begin(), tables_.nodes.end());
      to.steps.insert(to.steps.end(), tables_.steps.begin(), tables_.steps.end());
      to.queries.push_back(query);
      slice.plans.push_back(number++);
    }
  }
  constexpr std::uint32_t kDocuments = 1'000'000;
  const MatchBatch batch(slices, kDocuments, 1);
  std::vector<std::size_t> plans(batch.plans().begin(), batch.plans().end());
  std::ranges::sort(plans);
  for (std::size_t i = 0; i < number; ++i) EXPECT_EQ(plans.at(i), i);
  const MatchSizes& sizes = batch.sizes();
  std::vector<MatchQuery> queries(sizes.queries);
  std::vector<MatchStep> steps(sizes.steps);
  std::vector<MatchList> lists(sizes.lists);
  std::vector<Node> nodes(sizes.nodes);
  std::vector<const Word*> bitmaps(sizes.bitmaps);
  for (std::size_t i = 0; i < batch.slices(); ++i) {
    batch.fill(i, {queries.data(), steps.data(), lists.data(), nodes.data(), bitmaps.data()});
  }
  std::uint64_t items = 0;
  std::uint32_t next = 0;
  for (const MatchLaunch& launch : batch.launches()) {
    EXPECT_EQ(launch.first_query, next);
    EXPECT_EQ(launch.first_item, items);
    EXPECT_GE(std::uint64_t{launch.windows} * launch.words * 64, kDocuments);
    EXPECT_LT((std::uint64_t{launch.windows} - 1) * launch.words * 64, kDocuments);
    for (std::uint32_t q = next; q < next + launch.queries; ++q) {
      EXPECT_LE(queries[q].rows, launch.rows);
      const std::uint32_t kTerms[] = {5, 1, 12, 3};
      EXPECT_EQ(steps[queries[q].first_step].lists, kTerms[batch.plans()[q] % 4]);
    }
    next += launch.queries;
    items += std::uint64_t{launch.windows} * launch.queries;
  }
  EXPECT_EQ(next, number);
  EXPECT_EQ(items, batch.items());
  // Windows of a batch that does not fill the device are as small as they can be.
  const MatchBatch small(slices, kDocuments, ~0u);
  for (const MatchLaunch& launch : small.launches())
    EXPECT_EQ(launch.words, tuning::kMinMatchWords);
}

}  // namespace
}  // namespace gannet::query::cuda
