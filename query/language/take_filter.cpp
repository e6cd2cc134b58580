#include "query/language/take_filter.hpp"

#include <utility>

namespace gannet::query {
namespace {

bool is_predicate(const Formula& part) { return part.kind == Node::Kind::kPredicate; }

void keep_predicates(Formula& formula, const std::vector<Filter>& all, std::vector<Filter>& kept) {
  for (Formula& part : formula.parts) keep_predicates(part, all, kept);
  if (!is_predicate(formula)) return;
  kept.push_back(all[formula.term]);
  formula.term = static_cast<std::uint32_t>(kept.size() - 1);
}

}  // namespace

Filter take_filter(Formula& formula, const std::vector<Filter>& predicates,
                   std::vector<Filter>& kept) {
  Filter filter;
  if (is_predicate(formula)) {
    filter = predicates[formula.term];
    formula = make_everything();
  } else if (formula.kind == Node::Kind::kAnd) {
    for (const Formula& part : formula.parts) {
      if (is_predicate(part)) filter = std::move(filter) && predicates[part.term];
    }
    std::erase_if(formula.parts, is_predicate);
    std::vector<Formula> rest = std::move(formula.parts);
    formula = rest.empty() ? make_everything() : make_chain(Node::Kind::kAnd, std::move(rest));
  }
  keep_predicates(formula, predicates, kept);
  return filter;
}

}  // namespace gannet::query
