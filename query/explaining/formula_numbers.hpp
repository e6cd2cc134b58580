// Formulas of scorers with numbers in place of names.
#pragma once

#include <cstdint>
#include <string>

#include "query/plan/plan.hpp"

namespace gannet::query {

/// What a posting of the term adds: "1.5 * 2 / (2 + 0.54 + 0.03 * 12)".
std::string formula_with_numbers(const PlanTerm& term, std::uint32_t frequency,
                                 std::uint32_t length);

}  // namespace gannet::query
