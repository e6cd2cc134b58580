// What the target `query` tries: any text is refused as a query or matches the documents that the
// syntax tree says, by an evaluation that knows nothing of plans. The same as a filter, which is
// printed as it is read.
#pragma once

#include <algorithm>
#include <cstdint>
#include <memory>
#include <optional>
#include <span>
#include <string>
#include <vector>

#include "bench/fuzz/disagreement.hpp"
#include "bench/fuzz/parts/file_input.hpp"
#include "codecs/base/error.hpp"
#include "index/index_writer.hpp"
#include "query/language/parse.hpp"
#include "query/results/matches.hpp"
#include "query/searcher.hpp"
#include "tests/support/query/collection.hpp"
#include "tests/support/query/filters.hpp"

namespace gannet::fuzz {

/// Document d has the term 'a' + i if d has bit i: every combination of eight terms. Its fields are
/// a number that some lack and keywords that go with its bits.
class Combinations {
 public:
  static constexpr std::uint32_t kTerms = 8;
  static constexpr std::uint32_t kDocuments = 1u << kTerms;

  Combinations()
      : fields_(make_fields()),
        oracle_(fields_),
        searcher_(open(), {.backend = query::BackendChoice::kCpu, .cpu = {}, .cuda = {}}) {}

  query::Searcher& searcher() { return searcher_; }
  const index::Schema& schema() const { return searcher_.index().schema(); }
  const test::FilterOracle& oracle() const { return oracle_; }

 private:
  static std::vector<test::FieldValues> make_fields() {
    test::FieldValues number{index::parse_field("n:i8"), {}};
    test::FieldValues key{index::parse_field("k:keyword:multi"), {}};
    for (std::uint32_t d = 0; d < kDocuments; ++d) {
      number.values.emplace_back();
      if (d % 5 != 0) number.values.back().push_back(std::to_string(static_cast<int>(d % 16) - 4));
      key.values.emplace_back();
      if ((d & 1u) != 0) key.values.back().emplace_back("x");
      if ((d & 2u) != 0) key.values.back().emplace_back("x y");
      if ((d & 4u) != 0) key.values.back().emplace_back("z*");
    }
    return {number, key};
  }

  std::shared_ptr<const index::Index> open() const {
    test::Collection collection;
    for (std::uint32_t d = 0; d < kDocuments; ++d) collection.lengths.push_back(1 + d % 7);
    for (std::uint32_t t = 0; t < kTerms; ++t) {
      auto& list = collection.frequencies[std::string(1, static_cast<char>('a' + t))];
      for (std::uint32_t d = 0; d < kDocuments; ++d) list.push_back(d >> t & 1u);
    }
    return test::with_fields(*test::write_index(folder_ / "index", collection), fields_);
  }

  test::TemporaryDirectory folder_;
  std::vector<test::FieldValues> fields_;
  test::FilterOracle oracle_;
  query::Searcher searcher_;
};

/// Whether a part of a query has predicates only.
inline bool only_predicates(const query::Syntax& syntax) {
  if (syntax.kind == query::Syntax::Kind::kPredicate) return true;
  return !syntax.parts.empty() &&
         std::all_of(syntax.parts.begin(), syntax.parts.end(), only_predicates);
}

/// What a part of a query says of one document; nothing if it has no words that count.
class Evaluator {
 public:
  Evaluator(const test::FilterOracle& oracle, query::Mode mode, std::uint32_t document)
      : oracle_(oracle), mode_(mode), document_(document) {}

  bool operator()(const query::Syntax& syntax) const {
    using Kind = query::Syntax::Kind;
    const auto holds = [this](const query::Syntax& part) { return (*this)(part); };
    switch (syntax.kind) {
      case Kind::kWord:
        return (document_ >> (syntax.word[0] - 'a') & 1u) != 0;
      case Kind::kPredicate:
        return oracle_.passes(syntax.filter, document_);
      case Kind::kAnd:
        return std::all_of(syntax.parts.begin(), syntax.parts.end(), holds);
      case Kind::kOr:
      case Kind::kSynonym:
        return std::any_of(syntax.parts.begin(), syntax.parts.end(), holds);
      case Kind::kNot:
        return !holds(syntax.parts[0]);
      default:
        return group(syntax);
    }
  }

 private:
  bool group(const query::Syntax& syntax) const {
    bool any_must = false, any_plain = false, one_plain = false, all_plain = true;
    for (const query::Syntax& clause : syntax.parts) {
      const bool holds = (*this)(clause);
      if (clause.sign == query::Sign::kMust) {
        any_must = true;
        if (!holds) return false;
      } else if (clause.sign == query::Sign::kMustNot) {
        if (holds) return false;
      } else if (clause.kind == query::Syntax::Kind::kNot || only_predicates(clause)) {
        if (!holds) return false;
      } else {
        any_plain = true;
        one_plain = one_plain || holds;
        all_plain = all_plain && holds;
      }
    }
    if (any_must || !any_plain) return true;
    return mode_ == query::Mode::kOr ? one_plain : all_plain;
  }

  const test::FilterOracle& oracle_;
  query::Mode mode_;
  std::uint32_t document_;
};

/// Whether every word is one of the index's terms, and there is one: other words may vanish.
inline bool only_terms(const query::Syntax& syntax) {
  if (syntax.kind == query::Syntax::Kind::kPredicate) return true;
  if (syntax.kind == query::Syntax::Kind::kWord) {
    return syntax.word.size() == 1 && syntax.word[0] >= 'a' &&
           syntax.word[0] < static_cast<char>('a' + Combinations::kTerms);
  }
  if (syntax.kind == query::Syntax::Kind::kWindow) return false;
  return !syntax.parts.empty() && std::all_of(syntax.parts.begin(), syntax.parts.end(), only_terms);
}

inline std::uint64_t matches_of(const test::FilterOracle& oracle, const query::Syntax& syntax,
                                query::Mode mode) {
  std::uint64_t count = 0;
  for (std::uint32_t d = 0; d < Combinations::kDocuments; ++d) {
    if (Evaluator(oracle, mode, d)(syntax)) ++count;
  }
  return count;
}

/// The text as a filter.
inline void try_filter(Combinations& combinations, const std::string& text) {
  query::Query query{.text = "*:*", .want = query::Want::kCount};
  try {
    query.filter = query::parse_filter(text, combinations.schema());
  } catch (const UsageError&) {
    return;
  }
  const std::string printed = query::to_string(query.filter);
  need(query::parse_filter(printed, combinations.schema()) == query.filter,
       "a filter is not read as it is printed");
  std::uint64_t passing = 0;
  for (std::uint32_t d = 0; d < Combinations::kDocuments; ++d) {
    passing += combinations.oracle().passes(query.filter, d) ? 1 : 0;
  }
  need(combinations.searcher().search(query).count == passing,
       "a filter lets other documents pass than it says");
}

/// Input: the text of a query, or of a filter.
inline void try_query(std::span<const std::uint8_t> input) {
  static Combinations combinations;
  const std::string text(text_of(input));
  std::optional<query::Syntax> syntax;
  try {
    syntax = query::parse(text, combinations.schema());
  } catch (const UsageError&) {
    // Refused; the planner says the same.
  }
  for (const query::Mode mode : {query::Mode::kOr, query::Mode::kAnd}) {
    query::Query query;
    query.text = text;
    query.mode = mode;
    query.want = query::Want::kCount;
    try {
      const std::uint64_t count = combinations.searcher().search(query).count;
      need(syntax.has_value(), "a query is planned that is not parsed");
      if (only_terms(*syntax)) {
        need(count == matches_of(combinations.oracle(), *syntax, mode),
             "a query matches other documents than it says");
      }
    } catch (const UsageError&) {
      need(!syntax.has_value() || !only_terms(*syntax), "a query is parsed that is not planned");
    }
    combinations.searcher().plan(query, true);
  }
  try_filter(combinations, text);
}

}  // namespace gannet::fuzz
