#include "tests/soak/model/question.hpp"

#include <algorithm>

#include "tests/soak/model/versions.hpp"

namespace gannet::soak {
namespace {

bool asks_twice(const std::vector<Clause>& clauses, const Clause& one) {
  return std::ranges::any_of(clauses, [&](const Clause& other) {
    return other.word == one.word && other.in_title == one.in_title;
  });
}

std::string text_of(const Question& question) {
  std::string text;
  for (const Clause& clause : question.clauses) {
    if (clause.sign != ' ') text += clause.sign;
    if (clause.in_title) text += "title:";
    text += 'w' + std::to_string(clause.word);
    if (clause.weight != 1) text += clause.weight > 1 ? "^2.5" : "^0.5";
    text += ' ';
  }
  return text;
}

}  // namespace

Question random_question(std::mt19937& random, std::uint32_t most) {
  constexpr std::uint32_t kManyK[] = {0, 1, 3, 10, 64, 1000};
  Question question;
  const bool titles = random() % 2 == 0;
  const bool signs = random() % 3 == 0;
  for (std::size_t n = 1 + random() % 6; n > 0; --n) {
    Clause clause;
    clause.word = static_cast<unsigned>(random() % (kWords + 1));  // one is unknown
    clause.in_title = titles && random() % 2 == 0;
    if (signs && random() % 2 == 0) clause.sign = random() % 2 == 0 ? '+' : '-';
    if (random() % 5 == 0) clause.weight = random() % 2 == 0 ? 2.5f : 0.5f;
    if (!asks_twice(question.clauses, clause)) question.clauses.push_back(clause);
  }
  if (random() % 3 == 0) question.mode = query::Mode::kAnd;
  if (random() % 4 == 0) {
    question.want = random() % 2 == 0 ? query::Want::kCount : query::Want::kDocids;
  }
  question.k = kManyK[random() % std::size(kManyK)];
  if (random() % 4 == 0) {
    const auto least = static_cast<std::uint32_t>(random() % (most + 1));
    question.numbers = {least, least + static_cast<std::uint32_t>(random() % (most + 1))};
  }
  if (random() % 4 == 0) question.tag = static_cast<unsigned>(random() % kTags);
  return question;
}

query::Query to_query(const Question& question) {
  query::Query query;
  query.text = text_of(question);
  query.mode = question.mode;
  query.want = question.want;
  query.k = question.k;
  query.search_fields = {{std::string(index::kContentsField), 1}};
  if (question.numbers) {
    query.filter = query::Filter::range("n", std::to_string(question.numbers->first),
                                        std::to_string(question.numbers->second));
  }
  if (question.tag) {
    query.filter = query.filter && query::Filter::equal("tag", 't' + std::to_string(*question.tag));
  }
  return query;
}

std::string to_string(const Question& question) {
  const query::Query query = to_query(question);
  return "'" + query.text + "' in mode " + (query.mode == query::Mode::kAnd ? "and" : "or") +
         ", k " + std::to_string(query.k) + ", wanted " +
         std::to_string(static_cast<int>(query.want)) +
         (query.filter.is_all() ? "" : ", filter " + query::to_string(query.filter));
}

}  // namespace gannet::soak
