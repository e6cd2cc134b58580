// All scorers. One line adds one: its header, and its type in AllScorers.
#pragma once

#include <array>
#include <tuple>
#include <utility>

#include "query/scoring/scorers/bm25.hpp"
#include "query/scoring/scorers/bm25f.hpp"
#include "query/scoring/scorers/bm25plus.hpp"
#include "query/scoring/scorers/dirichlet.hpp"
#include "query/scoring/scorers/dph.hpp"
#include "query/scoring/scorers/impact.hpp"
#include "query/scoring/scorers/jelinek_mercer.hpp"
#include "query/scoring/scorers/pl2.hpp"
#include "query/scoring/scorers/tfidf.hpp"

namespace gannet::query {

/// In the order of their ids.
using AllScorers =
    std::tuple<Bm25, Bm25Plus, TfIdf, Dirichlet, JelinekMercer, Pl2, Dph, Impact, Bm25F>;

template <class... S>
consteval bool are_scorers(std::tuple<S...>*) {
  static_assert((Scorer<S> && ...), "a scorer lacks what concepts.hpp asks for");
  constexpr std::array ids{S::id...};
  for (std::size_t i = 0; i < ids.size(); ++i) {
    if (static_cast<std::size_t>(ids[i]) != i) return false;
  }
  return true;
}
static_assert(are_scorers(static_cast<AllScorers*>(nullptr)), "an id is not the scorer's place");

/// BM25 alone: what a kernel knows that is to be as fast as it can for the usual scorer.
using UsualScorers = std::tuple<Bm25>;

template <class... S>
constexpr bool has_scorer(ScorerId id, std::tuple<S...>*) {
  return ((S::id == id) || ...);
}

/// Whether it is one of UsualScorers.
constexpr bool is_usual(ScorerId id) { return has_scorer(id, static_cast<UsualScorers*>(nullptr)); }

template <class F, class... S>
GANNET_HD void with_scorer(ScorerId id, F f, std::tuple<S...>*) {
  if constexpr (sizeof...(S) == 1) {
    (f.template operator()<S>(), ...);
  } else {
    ((S::id == id ? f.template operator()<S>() : void()), ...);
  }
}

/// Runs `f.template operator()<S>()` for the scorer of the list `Scorers` that has this id, without
/// a look at the id if the list has but one; does nothing if none has it.
template <class Scorers, class F>
GANNET_HD void with_scorer(ScorerId id, F f) {
  with_scorer(id, f, static_cast<Scorers*>(nullptr));
}

}  // namespace gannet::query
