#include "tests/soak/expressions/expression.hpp"

#include <fmt/format.h>

#include "query/plan/synonyms.hpp"

namespace gannet::oracle {
namespace {

using Kind = Expression::Kind;

std::string to_text(const Predicate& predicate) {
  switch (predicate.kind) {
    case Predicate::Kind::kAll:
      return "*:*";
    case Predicate::Kind::kHasYear:
      return "year:*";
    case Predicate::Kind::kHasTags:
      return "tag:*";
    case Predicate::Kind::kHasText:
      return name_of_text(predicate.text) + ":*";
    case Predicate::Kind::kTags: {
      std::string list;
      for (const char tag : predicate.tags)
        list += (list.empty() ? "" : " OR ") + std::string(1, tag);
      return predicate.tags.size() == 1 ? "tag:" + list : "tag:(" + list + ")";
    }
    case Predicate::Kind::kYear:
      break;
  }
  if (!predicate.greatest) return fmt::format("year:>={}", *predicate.least);
  if (!predicate.least) return fmt::format("year:<={}", *predicate.greatest);
  if (*predicate.least == *predicate.greatest) return fmt::format("year:{}", *predicate.least);
  return fmt::format("year:[{} TO {}]", *predicate.least, *predicate.greatest);
}

std::string joined(const std::vector<Word>& words, const char* between) {
  std::string text;
  for (const Word word : words) text += (text.empty() ? "" : between) + text_of(word);
  return text;
}

std::string part_text(const Expression& part);

std::string joined(const std::vector<Expression>& parts, const char* between) {
  std::string text;
  for (const Expression& part : parts) text += (text.empty() ? "" : between) + part_text(part);
  return text;
}

std::string body(const Expression& part) {
  switch (part.kind) {
    case Kind::kWord:
      return joined(part.words, "-");
    case Kind::kSynonym:
      return "SYNONYM(" + joined(part.words, " ") + ")";
    case Kind::kPredicate:
      return to_text(part.predicate);
    case Kind::kDropped:
      return "...";
    case Kind::kGroup:
      return "(" + joined(part.parts, " ") + ")";
    case Kind::kAnd:
      return joined(part.parts, " AND ");
    case Kind::kOr:
      return joined(part.parts, " OR ");
  }
  return {};
}

std::string part_text(const Expression& part) {
  std::string text;
  for (std::uint32_t i = 0; i < part.nots; ++i) text += "NOT ";
  if (part.sign != ' ') text += part.sign;
  if (part.text) text += name_of_text(*part.text) + ":";
  text += body(part);
  if (part.weight != 1) text += fmt::format("^{}", part.weight);
  return text;
}

void add_words(const Expression& part, std::set<Word>& words) {
  for (const Word word : part.words) {
    words.insert(word);
    const std::vector<Word> more = synonyms_of(word);
    words.insert(more.begin(), more.end());
  }
  for (const Expression& inner : part.parts) add_words(inner, words);
}

}  // namespace

std::vector<Word> synonyms_of(Word word) {
  switch (word) {
    case 1:
    case 4:
    case 9:
      return {1, 4, 9};
    case 2:
    case 7:
      return {7, 8};
    case 3:
      return {5};
    default:
      return {};
  }
}

std::string to_text(const Expression& group) { return joined(group.parts, " "); }

std::string to_string(const Question& question) {
  std::string text = to_text(question.query);
  text += fmt::format("\n  mode {}, scorer {} {}, k {}",
                      query::kModeNames[static_cast<std::size_t>(question.mode)], question.scorer,
                      question.parameters, question.k);
  for (const auto& [number, weight] : question.texts) {
    text += fmt::format(", {}^{}", name_of_text(number), weight);
  }
  if (question.filter) text += "\n  filter " + to_text(*question.filter);
  if (question.synonyms) text += "\n  with synonyms";
  if (question.page) {
    text += fmt::format("\n  page {}{}", *question.page, question.page_known ? "" : ", unknown");
  }
  return text;
}

std::set<Word> words_of(const Question& question) {
  std::set<Word> words;
  add_words(question.query, words);
  return words;
}

query::ScorerSpec scorer_of(const Question& question) {
  return query::parse_scorer(question.scorer, question.parameters, {});
}

query::Query to_query(const Question& question, const index::Index& index,
                      const std::shared_ptr<const query::Synonyms>& synonyms) {
  query::Query query;
  query.text = to_text(question.query);
  query.mode = question.mode;
  for (const auto& [text, weight] : question.texts) {
    query.search_fields.push_back({name_of_text(text), weight});
  }
  if (question.filter)
    query.filter = query::parse_filter(to_text(*question.filter), index.schema());
  query.k = question.k;
  query.scorer = scorer_of(question);
  if (question.synonyms) query.synonyms = synonyms;
  return query;
}

}  // namespace gannet::oracle
