// The documents in which words stand side by side.
#pragma once

#include "query/postings/list_recipe.hpp"

namespace gannet::query {

/// Whether the recipe is of a phrase that has to occur as it is, each word of which is one term.
bool is_exact_phrase(const ListRecipe& recipe);

/// What window_postings() gives for an is_exact_phrase(). In each document the word that is rarest
/// there is decoded, and of the others as much as tells whether they stand beside it, until none
/// does: frequent words are seldom read. Throws what window_postings() throws; codes of
/// positions that are damaged are told of the word that is decoded alone.
MadePostings exact_phrase_postings(const index::Segment& segment, const ListRecipe& recipe);

}  // namespace gannet::query
