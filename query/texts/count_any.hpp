// How many documents have any of several terms.
#pragma once

#include <cstdint>
#include <memory>
#include <span>
#include <vector>

#include "query/plan/term_binding.hpp"

namespace gannet::query {

/// The documents of `index` that have one of the terms, given by their numbers in `binding`, or
/// several. Reads the lists the first time, unless there is but one of them: counts are remembered
/// (union_counts.hpp). Throws FormatError for damaged lists, CancelledError as the StopScope says.
std::uint64_t count_any(const index::Index& index, const TermBinding& binding,
                        std::span<const std::uint32_t> terms);

/// The same of one segment, given by the numbers of its terms, which need not be sorted.
std::uint64_t count_any(const std::shared_ptr<const index::Segment>& segment,
                        std::vector<index::TermId> terms);

}  // namespace gannet::query
