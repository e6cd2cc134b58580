// What an explanation says of a phrase or window besides what it says of every term.
#pragma once

#include "index/index.hpp"
#include "query/explain.hpp"
#include "query/plan/plan.hpp"

namespace gannet::query {

/// Sets ExplainedTerm::positions and phrase_words. `segment`: of the index, which has document
/// `docid`; `made.frequency` is set. Looks each term of the phrase's words up in the segment.
void explain_phrase(const index::Segment& segment, const Plan& plan, const PlanTerm& term,
                    index::Docid docid, ExplainedTerm& made);

}  // namespace gannet::query
