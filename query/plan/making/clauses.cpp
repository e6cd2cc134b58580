#include "query/plan/making/clauses.hpp"

#include <algorithm>
#include <utility>

namespace gannet::query {
namespace {

using Terms = std::vector<std::uint32_t>;

/// An OR whose parts have several clauses gets so many at most.
constexpr std::size_t kMaxProduct = 16;

FormulaClauses clauses_for(const Formula& formula, bool value);

/// The terms that are clauses by themselves, ascending.
Terms single_terms(const Clauses& clauses) {
  Terms terms;
  for (std::size_t i = 0; i < clauses.size(); ++i) {
    if (clauses[i].size() == 1) terms.push_back(clauses[i].front());
  }
  std::ranges::sort(terms);
  terms.erase(std::unique(terms.begin(), terms.end()), terms.end());
  return terms;
}

bool has_any(std::span<const std::uint32_t> clause, const Terms& terms) {
  return std::ranges::any_of(
      clause, [&](std::uint32_t term) { return std::ranges::binary_search(terms, term); });
}

/// Those without any of `terms`, which are ascending.
Clauses without(const Clauses& clauses, const Terms& terms) {
  Clauses kept;
  for (std::size_t i = 0; i < clauses.size(); ++i) {
    if (!has_any(clauses[i], terms)) kept.add(clauses[i]);
  }
  return kept;
}

/// A clause with a term that is required anyway says nothing more.
void drop_implied(Clauses& clauses) {
  const Terms single = single_terms(clauses);
  if (single.empty() || single.size() == clauses.size()) return;
  Clauses kept = without(clauses, single);
  for (const std::uint32_t term : single) kept.add({&term, 1});
  clauses = std::move(kept);
}

/// Terms that are clauses by themselves in all parts.
Terms common_terms(const std::vector<Clauses>& parts) {
  Terms common = single_terms(parts.front());
  for (auto part = parts.begin() + 1; part != parts.end() && !common.empty(); ++part) {
    const Terms others = single_terms(*part);
    std::erase_if(common,
                  [&](std::uint32_t term) { return !std::ranges::binary_search(others, term); });
  }
  return common;
}

/// One clause of each part together: `choice(part)` is its number.
template <class Choice>
void add_union(const std::vector<Clauses>& parts, Choice choice, Clauses& to) {
  Terms any;
  for (const Clauses& part : parts) {
    const auto chosen = part[choice(part)];
    any.insert(any.end(), chosen.begin(), chosen.end());
  }
  std::ranges::sort(any);
  any.erase(std::unique(any.begin(), any.end()), any.end());
  to.add(any);
}

std::size_t shortest(const Clauses& clauses) {
  std::size_t best = 0;
  for (std::size_t i = 1; i < clauses.size(); ++i) {
    if (clauses[i].size() < clauses[best].size()) best = i;
  }
  return best;
}

/// The OR of what parts say, each by an AND of clauses: (a AND b) OR c is (a OR c) AND (b OR c).
void add_product(const std::vector<Clauses>& parts, FormulaClauses& to) {
  std::size_t product = 1;
  for (const Clauses& part : parts) product = std::min(product * part.size(), kMaxProduct + 1);
  if (product > kMaxProduct) {
    to.decide = false;
    return add_union(parts, shortest, to.clauses);
  }
  for (std::size_t number = 0; number < product; ++number) {
    std::size_t rest = number;
    const auto choice = [&](const Clauses& part) {
      const std::size_t chosen = rest % part.size();
      rest /= part.size();
      return chosen;
    };
    add_union(parts, choice, to.clauses);
  }
}

FormulaClauses any_of(const std::vector<Formula>& formulas, bool value) {
  FormulaClauses made;
  std::vector<Clauses> parts;
  for (const Formula& formula : formulas) {
    FormulaClauses part = clauses_for(formula, value);
    if (part.clauses.empty()) return {{}, false};
    made.decide = made.decide && part.decide;
    parts.push_back(std::move(part.clauses));
  }
  const Terms common = common_terms(parts);
  for (const std::uint32_t term : common) made.clauses.add({&term, 1});
  for (Clauses& part : parts) {
    if (!common.empty()) part = without(part, common);
    if (part.empty()) return made;  // the common terms say all that it says, and others say more
  }
  add_product(parts, made);
  return made;
}

bool is_term(const Formula& formula) { return formula.kind == Node::Kind::kTerm; }

void add_terms(const std::vector<Formula>& parts, Clauses& to) {
  Terms terms;
  terms.reserve(parts.size());
  for (const Formula& part : parts) terms.push_back(part.term);
  std::ranges::sort(terms);
  to.add(terms);
}

/// Adds the clauses of all documents for which `formula` is `value`.
void add_clauses(const Formula& formula, bool value, FormulaClauses& to) {
  switch (formula.kind) {
    case Node::Kind::kTerm:
      if (value) return to.clauses.add({&formula.term, 1});
      [[fallthrough]];
    case Node::Kind::kNever:
    case Node::Kind::kPredicate:
      to.decide = false;
      return;
    case Node::Kind::kNot:
      return add_clauses(formula.parts.front(), !value, to);
    case Node::Kind::kAnd:
    case Node::Kind::kOr:
      break;
  }
  // Not (a AND b) is (not a) OR (not b).
  const bool all_hold = (formula.kind == Node::Kind::kAnd) == value;
  if (all_hold) {
    for (const Formula& part : formula.parts) add_clauses(part, value, to);
  } else if (value && std::ranges::all_of(formula.parts, is_term)) {
    add_terms(formula.parts, to.clauses);
  } else {
    const FormulaClauses more = any_of(formula.parts, value);
    for (std::size_t i = 0; i < more.clauses.size(); ++i) to.clauses.add(more.clauses[i]);
    to.decide = to.decide && more.decide;
  }
}

FormulaClauses clauses_for(const Formula& formula, bool value) {
  FormulaClauses made;
  add_clauses(formula, value, made);
  drop_implied(made.clauses);
  return made;
}

}  // namespace

FormulaClauses clauses_of(const Formula& formula) { return clauses_for(formula, true); }

}  // namespace gannet::query
