// Which lists of a plan are marked as a clause for the kernels.
#include "query/gpu/plan/pruned/clause_marks.hpp"

#include <gtest/gtest.h>

#include <cstdint>
#include <utility>
#include <vector>

namespace gannet::query::cuda {
namespace {

using Pair = std::pair<std::uint32_t, std::uint32_t>;

constexpr std::uint32_t kMember = kInClause | kRulesRanges;
constexpr std::uint32_t kLast = kMember | kEndsClause;

/// (a OR b) AND (c OR d) AND ..., over four terms.
Plan and_of_ors(const std::vector<Pair>& clauses) {
  Plan::Parts parts;
  parts.collection = {100, 900};
  parts.terms = {{"a", 9, 1}, {"b", 8, 1}, {"c", 7, 1}, {"d", 6, 1}};
  for (const auto& [first, second] : clauses) {
    parts.expression.push_back({Node::Kind::kTerm, first});
    parts.expression.push_back({Node::Kind::kTerm, second});
    parts.expression.push_back({Node::Kind::kOr, 2});
  }
  if (clauses.size() > 1) {
    parts.expression.push_back({Node::Kind::kAnd, static_cast<std::uint32_t>(clauses.size())});
  }
  return Plan(std::move(parts));
}

/// The marks of the terms that a segment has. `unscored`: a term's number there.
std::vector<std::uint32_t> marks(const Plan& plan, const std::vector<index::TermId>& ids,
                                 std::uint32_t unscored = kNone) {
  std::vector<PrunedTerm> terms;
  for (const index::TermId id : ids) {
    if (id == kNoTerm) continue;
    const bool scored = terms.size() != unscored;
    terms.emplace_back().weight = scored ? 3 : 0;
  }
  mark_clauses(plan, list_numbers(ids), terms);
  std::vector<std::uint32_t> marks;
  for (const PrunedTerm& term : terms) marks.push_back(term.clause);
  return marks;
}

TEST(ClauseMarks, TermsThatFollowOneAnother) {
  const Plan plan = and_of_ors({{0, 1}, {2, 3}});
  EXPECT_EQ(marks(plan, {4, 5, 6, 7}), (std::vector{kMember, kLast, kMember, kLast}));
  EXPECT_EQ(marks(plan, {4, kNoTerm, 6, 7}), (std::vector{kLast, kMember, kLast}));
  EXPECT_EQ(marks(plan, {kNoTerm, 5, 6, kNoTerm}), (std::vector{kLast, kLast}));
}

/// A list without a score has no bounds: ranges where it alone has postings look empty.
TEST(ClauseMarks, OfATermWithoutScoreRuleOutNoRange) {
  const std::uint32_t in = kInClause, last = kInClause | kEndsClause;
  EXPECT_EQ(marks(and_of_ors({{0, 1}, {2, 3}}), {4, 5, 6, 7}, 1),
            (std::vector{in, last, kMember, kLast}));
}

TEST(ClauseMarks, NoneOfTermsApartNorOfThoseInTwoClauses) {
  EXPECT_EQ(marks(and_of_ors({{0, 2}, {1, 3}}), {4, 5, 6, 7}), std::vector<std::uint32_t>(4, 0));
  // Without b in the segment, a and c follow one another.
  EXPECT_EQ(marks(and_of_ors({{0, 2}, {1, 3}}), {4, kNoTerm, 6, 7}),
            (std::vector{kMember, kLast, kLast}));
  const std::vector<std::uint32_t> two = marks(and_of_ors({{0, 1}, {1, 2}}), {4, 5, 6, 7});
  EXPECT_EQ(two, (std::vector{kMember, kLast, 0u, 0u}));
}

TEST(ClauseMarks, NoneOfADisjunction) {
  Plan::Parts parts;
  parts.collection = {100, 900};
  parts.terms = {{"a", 9, 1}, {"b", 8, 1}};
  parts.expression = {{Node::Kind::kTerm, 0}, {Node::Kind::kTerm, 1}, {Node::Kind::kOr, 2}};
  EXPECT_EQ(marks(Plan(std::move(parts)), {4, 5}), (std::vector{0u, 0u}));
}

}  // namespace
}  // namespace gannet::query::cuda
