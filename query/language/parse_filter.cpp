// Filters from text.
#include <utility>

#include "codecs/base/error.hpp"
#include "query/language/parse.hpp"
#include "query/plan/filter.hpp"

namespace gannet::query {
namespace {

Filter filter_of(const Syntax& syntax);

/// Clauses side by side are predicates that a document passes all.
Filter filter_of_group(const std::vector<Syntax>& clauses) {
  Filter all;
  for (const Syntax& clause : clauses) {
    Filter part = filter_of(clause);
    all = std::move(all) && (clause.sign == Sign::kMustNot ? !part : std::move(part));
  }
  return all;
}

Filter filter_of(const Syntax& syntax) {
  switch (syntax.kind) {
    case Syntax::Kind::kNot:
      return !filter_of(syntax.parts.front());
    case Syntax::Kind::kOr: {
      Filter any = Filter::none();
      for (const Syntax& part : syntax.parts) any = std::move(any) || filter_of(part);
      return any;
    }
    case Syntax::Kind::kAnd:
    case Syntax::Kind::kGroup:
      return filter_of_group(syntax.parts);
    case Syntax::Kind::kPredicate:
    case Syntax::Kind::kWord:  // parse_predicates() gives no words
    case Syntax::Kind::kSynonym:
    case Syntax::Kind::kWildcard:
    case Syntax::Kind::kRegex:
    case Syntax::Kind::kFuzzy:
    case Syntax::Kind::kPhrase:
    case Syntax::Kind::kWindow:
      break;
  }
  return syntax.filter;
}

}  // namespace

Filter parse_filter(std::string_view text, const index::Schema& schema) {
  const Syntax syntax = parse_predicates(text, schema);
  if (syntax.parts.empty()) throw UsageError("filter: it is empty; write FIELD:VALUE");
  return filter_of(syntax);
}

}  // namespace gannet::query
