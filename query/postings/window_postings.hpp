// The documents in which words stand near each other.
#pragma once

#include <vector>

#include "query/postings/list_recipe.hpp"
#include "query/postings/posting_stream.hpp"

namespace gannet::query {

/// The documents of a segment that have the window of `recipe`, which is one, with the number of
/// its occurrences in each. Documents that have all words are found by seeking; of their postings
/// the positions are decoded. Takes what MadeList says. Throws FormatError for damaged lists and
/// positions, UsageError if the segment has no positions, CancelledError as the thread's StopScope
/// says.
MadePostings window_postings(const index::Segment& segment, const ListRecipe& recipe);

}  // namespace gannet::query
