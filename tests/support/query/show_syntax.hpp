// Syntax trees as text, for tests.
#pragma once

#include <string>

#include "query/language/parse.hpp"

namespace gannet::test {

/// [clauses], (AND ...), (OR ...), (NOT ...); predicates as filters print them, weights behind `^`,
/// texts by their number: 3:wing.
inline std::string show(const query::Syntax& syntax) {
  using query::Sign;
  using Kind = query::Syntax::Kind;
  std::string text = syntax.sign == Sign::kMust ? "+" : syntax.sign == Sign::kMustNot ? "-" : "";
  if (syntax.kind == Kind::kPredicate) return text + "<" + query::to_string(syntax.filter) + ">";
  if (syntax.text) text += std::to_string(*syntax.text) + ":";
  if (syntax.kind == Kind::kWildcard) text += "wildcard ";
  if (syntax.kind == Kind::kFuzzy) text += "fuzzy ";
  if (syntax.kind == Kind::kPhrase) {
    const std::string inside(syntax.word);
    const std::uint32_t slop = syntax.window.distance;
    text += '"' + inside + '"' + (slop > 0 ? "~" + std::to_string(slop) : "");
  }
  const bool phrase = syntax.kind == Kind::kPhrase;
  const bool word = syntax.kind == Kind::kWord || syntax.kind == Kind::kWildcard ||
                    syntax.kind == Kind::kRegex || syntax.kind == Kind::kFuzzy;
  if (word) {
    text += syntax.word;
  } else if (!phrase) {
    const bool group = syntax.kind == Kind::kGroup;
    text += group                          ? std::string("[")
            : syntax.kind == Kind::kAnd    ? "(AND "
            : syntax.kind == Kind::kOr     ? "(OR "
            : syntax.kind == Kind::kNot    ? "(NOT "
            : syntax.kind == Kind::kWindow ? "(" + std::string(syntax.word) + " "
                                           : "(SYNONYM ";
    for (std::size_t i = 0; i < syntax.parts.size(); ++i) {
      text += (i > 0 ? " " : "") + show(syntax.parts[i]);
    }
    text += group ? "]" : ")";
  }
  if (syntax.weight == 1) return text;
  const std::string weight = std::to_string(syntax.weight);
  return text + "^" + weight.substr(0, weight.find('.') + 2);
}

}  // namespace gannet::test
