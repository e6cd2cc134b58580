#include "query/language/planning/word_runs.hpp"

#include "query/language/source_text.hpp"

namespace gannet::query {
namespace {

bool is_plain_word(const Syntax& clause) {
  return clause.kind == Syntax::Kind::kWord && clause.sign == Sign::kNone && clause.weight == 1 &&
         !clause.text;
}

/// From the beginning of one to the end of the other.
std::string_view span_of(std::string_view first, std::string_view last) {
  return {first.data(), static_cast<std::size_t>(last.data() + last.size() - first.data())};
}

/// Whether `next` stands behind `before` in the text, with white space alone between them.
bool follows(std::string_view before, std::string_view next) {
  const std::string_view both = span_of(before, next);
  return skip_space(both, before.size()) == both.size() - next.size();
}

}  // namespace

std::vector<std::string_view> word_runs(const Syntax& query) {
  std::vector<std::string_view> runs;
  const Syntax* before = nullptr;  // a plain word right before
  for (const Syntax& clause : query.parts) {
    const bool plain = is_plain_word(clause);
    if (plain && before != nullptr && follows(before->word, clause.word)) {
      runs.back() = span_of(runs.back(), clause.word);
    } else if (plain) {
      runs.push_back(clause.word);
    }
    before = plain ? &clause : nullptr;
  }
  return runs;
}

}  // namespace gannet::query
