// The list of all scorers. To add a scorer, include its header and add its type to AllScorers.
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

/// All scorers, in the order of their ids.
using AllScorers =
    std::tuple<Bm25, Bm25Plus, TfIdf, Dirichlet, JelinekMercer, Pl2, Dph, Impact, Bm25F>;

/// True if the ids are 0, 1, 2, ... in the order of the list. Does not compile unless each type is
/// a Scorer.
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

/// The scorers of specialised kernels: BM25 alone, which is the usual scorer, so that its kernels
/// do not branch on the scorer.
using UsualScorers = std::tuple<Bm25>;

/// The scorer of kernels that score words over several texts (word_score.hpp), not list by list.
using WordScorers = std::tuple<Bm25F>;

/// True if a scorer of the list has this id.
template <class... S>
constexpr bool has_scorer(ScorerId id, std::tuple<S...>*) {
  return ((S::id == id) || ...);
}

/// True if a scorer of UsualScorers gives the contributions of the scorer with this id: BM25F has
/// BM25's.
constexpr bool is_usual(ScorerId id) {
  return has_scorer(id, static_cast<UsualScorers*>(nullptr)) ||
         has_scorer(id, static_cast<WordScorers*>(nullptr));
}
/// True if scores of the scorer are sums over words.
constexpr bool scores_words(ScorerId id) {
  return has_scorer(id, static_cast<WordScorers*>(nullptr));
}

template <class F, class... S>
GANNET_HD void with_scorer(ScorerId id, F f, std::tuple<S...>*) {
  if constexpr (sizeof...(S) == 1) {
    (f.template operator()<S>(), ...);
  } else {
    ((S::id == id ? f.template operator()<S>() : void()), ...);
  }
}

/// Calls `f.template operator()<S>()` for the scorer S of the list `Scorers` that has this id, or
/// does nothing if none has it. If the list has a single scorer, the function calls f for it
/// without checking the id.
template <class Scorers, class F>
GANNET_HD void with_scorer(ScorerId id, F f) {
  with_scorer(id, f, static_cast<Scorers*>(nullptr));
}

}  // namespace gannet::query
