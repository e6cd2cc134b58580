// From a formula to its clauses.
#pragma once

#include "query/plan/clause.hpp"
#include "query/plan/making/formula.hpp"

namespace gannet::query {

/// What a formula says of its terms as an AND of clauses.
struct FormulaClauses {
  /// None of them has a term that is a clause by itself, but for that clause.
  Clauses clauses = {};
  /// Documents that have a term of each clause are those for which the formula holds. False where
  /// it has negations or predicates, or would have too many clauses: then all of its documents have
  /// a term of each, and others may, too.
  bool decide = true;
};

/// An OR of ANDs has a clause for each choice of one part of every AND, up to 16 in all; of an OR
/// that has more, one is made. Takes time linear in the formula's length, but for those.
FormulaClauses clauses_of(const Formula& formula);

}  // namespace gannet::query
