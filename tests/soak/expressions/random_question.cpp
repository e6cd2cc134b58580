#include <algorithm>
#include <array>
#include <iterator>

#include "tests/soak/expressions/expression.hpp"

namespace gannet::oracle {
namespace {

using Kind = Expression::Kind;

struct NamedScorer {
  const char* name;
  const char* parameters;
};

constexpr std::array<NamedScorer, 12> kScorers{{{"bm25", ""},
                                                {"bm25", ""},
                                                {"bm25", "k1=1.2,b=0.75,norm=lucene"},
                                                {"bm25", "idf=robertson"},
                                                {"bm25plus", ""},
                                                {"tfidf", ""},
                                                {"dirichlet", ""},
                                                {"jelinek-mercer", ""},
                                                {"pl2", ""},
                                                {"dph", ""},
                                                {"impact", ""},
                                                {"bm25", "k1=0"}}};
constexpr std::array<const char*, 4> kWordsParameters{"", "k1=3,b=1", "contents.weight=0.25,b=0.9",
                                                      "contents.b=0.1,k1=0.5,norm=lucene"};

class RandomQuestion {
 public:
  RandomQuestion(const Collection& collection, std::mt19937& random)
      : collection_(collection), random_(random) {}

  Question make() {
    constexpr std::array<std::uint32_t, 8> kSizes{1, 1, 10, 10, 10, 30, 200, 1000};
    Question made;
    made.query = query();
    made.mode = one_in(3) ? query::Mode::kAnd : query::Mode::kOr;
    made.k = kSizes[below(kSizes.size())];
    choose_scorer(made);
    choose_texts(made);
    if (one_in(4)) made.filter = filter();
    made.synonyms = one_in(8);
    if (one_in(2)) {
      made.page = static_cast<double>(below(1000)) / 1000;
      if (one_in(2)) *made.page /= 20;
      made.page_known = !one_in(3);
    }
    return made;
  }

 private:
  std::uint32_t below(std::size_t n) { return static_cast<std::uint32_t>(random_() % n); }
  bool one_in(std::size_t n) { return below(n) == 0; }

  void choose_scorer(Question& made) {
    if (one_in(3)) {  // BM25F has searches of its own
      made.scorer = "bm25f";
      made.parameters = kWordsParameters[below(kWordsParameters.size())];
      if (collection_.texts > 1 && one_in(3)) {
        made.parameters += made.parameters.empty() ? "f0.weight=5" : ",f0.b=0.7";
      }
      return;
    }
    const NamedScorer& scorer = kScorers[below(kScorers.size())];
    made.scorer = scorer.name;
    made.parameters = scorer.parameters;
  }

  void choose_texts(Question& made) {
    constexpr std::array<float, 5> kWeights{1, 1, 3, 0.125f, 0};
    if (!one_in(4)) return;
    for (std::uint32_t t = 0; t < collection_.texts; ++t) {
      if (!one_in(2)) continue;
      made.texts.insert(made.texts.begin() + below(made.texts.size() + 1),
                        {t, kWeights[below(kWeights.size())]});
    }
  }

  Word word() {
    if (one_in(40)) return static_cast<Word>(collection_.words + below(3));  // in no document
    const std::size_t words = collection_.words;
    if (one_in(2)) return static_cast<Word>(below(words));
    return static_cast<Word>(below(1 + below(std::min<std::size_t>(words, 12))));
  }

  float weight() {
    constexpr std::array<float, 7> kWeights{2, 0.5f, 3, 0.01f, 300, 0, 1.1f};
    return one_in(4) ? kWeights[below(kWeights.size())] : 1;
  }

  std::optional<std::uint32_t> text() {
    if (collection_.texts == 1 || !one_in(6)) return {};
    return below(collection_.texts);
  }

  Expression leaf() {
    Expression made;
    if (one_in(12)) {
      made.kind = Kind::kPredicate;
      made.predicate = predicate();
      return made;
    }
    if (one_in(60)) {
      made.kind = Kind::kDropped;
      return made;
    }
    made.kind = one_in(12) ? Kind::kSynonym : Kind::kWord;
    std::uint32_t words = one_in(20) ? 2 + below(2) : 1;
    if (made.kind == Kind::kSynonym) words = 1 + below(4);
    for (; words > 0; --words) made.words.push_back(word());
    made.weight = weight();
    made.text = text();
    return made;
  }

  Predicate predicate() {
    Predicate made;
    switch (below(8)) {
      case 0:
        made.kind = collection_.texts > 1 ? Predicate::Kind::kHasText : Predicate::Kind::kAll;
        if (collection_.texts > 1) made.text = 1 + below(collection_.texts - 1);
        return made;
      case 1:
        made.kind = one_in(2) ? Predicate::Kind::kHasYear : Predicate::Kind::kHasTags;
        return made;
      case 2:
      case 3:
        made.kind = Predicate::Kind::kTags;
        for (char tag = 'a'; tag < 'h'; ++tag) {
          if (one_in(4)) made.tags += tag;
        }
        if (made.tags.empty()) made.tags = "c";
        return made;
      default:
        made.kind = Predicate::Kind::kYear;
        made.least = static_cast<std::int32_t>(below(25));
        made.greatest = *made.least + static_cast<std::int32_t>(below(8) * below(8));
        if (one_in(3)) (one_in(2) ? made.least : made.greatest).reset();
        return made;
    }
  }

  Expression negated_sometimes(Expression made, std::size_t rate) {
    if (made.kind != Kind::kDropped && one_in(rate)) made.nots = 1 + below(one_in(4) ? 3 : 1);
    if (made.kind != Kind::kDropped && one_in(rate * 2)) made.sign = one_in(2) ? '+' : '-';
    return made;
  }

  static Expression group_of(std::vector<Expression> parts) {
    Expression made;
    made.kind = Kind::kGroup;
    made.parts = std::move(parts);
    return made;
  }

  /// What may stand as an operand: a leaf, or a group.
  Expression operand(int depth) {
    if (depth == 0 || one_in(3)) return negated_sometimes(leaf(), 8);
    Expression made = one_in(2) ? group(depth - 1) : group_of({chain(depth - 1)});
    made.text = one_in(2) ? text() : std::nullopt;
    constexpr std::array<float, 3> kWeights{2, 0.5f, 0};
    if (one_in(8)) made.weight = kWeights[below(kWeights.size())];
    return negated_sometimes(std::move(made), 6);
  }

  Expression chain(int depth) {
    Expression made;
    made.kind = one_in(2) ? Kind::kAnd : Kind::kOr;
    for (std::uint32_t n = 2 + below(3); n > 0; --n) {
      if (made.kind == Kind::kOr && one_in(4)) {
        Expression all;
        all.kind = Kind::kAnd;
        for (std::uint32_t m = 2 + below(2); m > 0; --m) all.parts.push_back(operand(depth));
        made.parts.push_back(std::move(all));
      } else {
        made.parts.push_back(operand(depth));
      }
    }
    return made;
  }

  Expression signed_operand(int depth) {
    Expression made = operand(depth);
    if (made.kind != Kind::kDropped && one_in(3)) made.sign = one_in(2) ? '+' : '-';
    return made;
  }

  Expression group(int depth) {
    std::vector<Expression> parts;
    for (std::uint32_t n = 1 + below(4); n > 0; --n) {
      parts.push_back(one_in(4) ? chain(depth) : signed_operand(depth));
    }
    return group_of(std::move(parts));
  }

  /// Leaves side by side, or in one AND or OR.
  Expression flat() {
    constexpr std::array<std::uint32_t, 12> kSizes{1, 1, 2, 2, 2, 3, 3, 4, 6, 12, 40, 100};
    const std::uint32_t size = kSizes[below(kSizes.size())];
    const bool plain = one_in(2);
    std::vector<Expression> parts;
    for (std::uint32_t i = 0; i < size; ++i) {
      Expression made = leaf();
      while (plain && made.kind != Kind::kWord) made = leaf();
      if (plain) made.weight = 1;
      if (!plain && made.kind != Kind::kDropped && one_in(5)) made.sign = one_in(3) ? '-' : '+';
      parts.push_back(std::move(made));
    }
    if (parts.size() == 1 || !one_in(4)) return group_of(std::move(parts));
    Expression made;
    made.kind = one_in(2) ? Kind::kAnd : Kind::kOr;
    made.parts = std::move(parts);
    return group_of({std::move(made)});
  }

  Expression query() {
    switch (below(8)) {
      case 0:
      case 1:
      case 2:
        return flat();
      case 3:
      case 4:
        return group(1);
      case 5:
        return group_of({chain(2)});
      case 6:
        return group(3);
      default:
        return group_of({chain(static_cast<int>(below(6)))});
    }
  }

  Expression condition(int depth) {
    Expression made;
    if (depth == 0 || one_in(2)) {
      made.kind = Kind::kPredicate;
      made.predicate = predicate();
    } else {
      made.kind = one_in(2) ? Kind::kAnd : Kind::kOr;
      for (std::uint32_t n = 2 + below(2); n > 0; --n) made.parts.push_back(condition(depth - 1));
      made = group_of({std::move(made)});
    }
    if (one_in(5)) made.nots = 1;
    return made;
  }

  Expression filter() {
    std::vector<Expression> parts;
    for (std::uint32_t n = one_in(4) ? 2 : 1; n > 0; --n) parts.push_back(condition(2));
    return group_of(std::move(parts));
  }

  const Collection& collection_;
  std::mt19937& random_;
};

/// Appends copies of `whole`, each with one change in `part`, which lies in it.
void simplify(const Question& whole, Question& edited, Expression& part,
              std::vector<Question>& made);

template <class F>
void with_change(Question& edited, Expression& part, std::vector<Question>& made, F change) {
  Expression before = part;
  change(part);
  made.push_back(edited);
  part = std::move(before);
}

bool is_chain(const Expression& part) { return part.kind == Kind::kAnd || part.kind == Kind::kOr; }

void simplify_parts(const Question& whole, Question& edited, Expression& part,
                    std::vector<Question>& made) {
  for (std::size_t i = 0; i < part.parts.size(); ++i) {
    if (part.parts.size() > 1) {
      with_change(edited, part, made, [&](Expression& changed) {
        changed.parts.erase(changed.parts.begin() + static_cast<std::ptrdiff_t>(i));
        if (is_chain(changed) && changed.parts.size() == 1) {
          Expression only = std::move(changed.parts.front());
          changed = std::move(only);
        }
      });
    }
    if (part.parts.size() > 7 && i == 0) {
      with_change(edited, part, made,
                  [](Expression& changed) { changed.parts.resize(changed.parts.size() / 2); });
      with_change(edited, part, made, [](Expression& changed) {
        const auto half = static_cast<std::ptrdiff_t>(changed.parts.size() / 2);
        changed.parts.erase(changed.parts.begin(), changed.parts.begin() + half);
      });
    }
    simplify(whole, edited, part.parts[i], made);
  }
}

void simplify(const Question& whole, Question& edited, Expression& part,
              std::vector<Question>& made) {
  const bool outermost = &part == &edited.query || (edited.filter && &part == &*edited.filter);
  if (!outermost && part.kind == Kind::kGroup && part.parts.size() == 1 &&
      !is_chain(part.parts.front())) {
    with_change(edited, part, made, [](Expression& changed) {
      Expression only = std::move(changed.parts.front());
      changed = std::move(only);
    });
  }
  if (part.nots > 0) with_change(edited, part, made, [](Expression& e) { e.nots = 0; });
  if (part.sign != ' ') with_change(edited, part, made, [](Expression& e) { e.sign = ' '; });
  if (part.weight != 1) with_change(edited, part, made, [](Expression& e) { e.weight = 1; });
  if (part.text) with_change(edited, part, made, [](Expression& e) { e.text.reset(); });
  if (part.words.size() > 1) {
    with_change(edited, part, made, [](Expression& e) { e.words.pop_back(); });
  }
  if (part.kind == Kind::kSynonym) {
    with_change(edited, part, made, [](Expression& e) { e.kind = Kind::kWord; });
  }
  simplify_parts(whole, edited, part, made);
}

}  // namespace

Question random_question(const Collection& collection, std::mt19937& random) {
  return RandomQuestion(collection, random).make();
}

std::vector<Question> simpler(const Question& question) {
  std::vector<Question> made;
  const auto add = [&](bool applies, auto change) {
    if (!applies) return;
    change(made.emplace_back(question));
  };
  add(question.filter.has_value(), [](Question& q) { q.filter.reset(); });
  add(!question.texts.empty(), [](Question& q) { q.texts.clear(); });
  add(question.page.has_value(), [](Question& q) { q.page.reset(); });
  add(question.synonyms, [](Question& q) { q.synonyms = false; });
  add(!question.parameters.empty(), [](Question& q) { q.parameters.clear(); });
  add(question.scorer != "bm25", [](Question& q) {
    q.scorer = "bm25";
    q.parameters.clear();
  });
  add(question.mode == query::Mode::kAnd, [](Question& q) { q.mode = query::Mode::kOr; });
  add(question.k > 1, [](Question& q) { q.k /= 2; });
  Question edited = question;
  simplify(question, edited, edited.query, made);
  if (edited.filter) simplify(question, edited, *edited.filter, made);
  return made;
}

}  // namespace gannet::oracle
