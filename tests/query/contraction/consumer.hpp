// What consumer.cpp compiles with contraction.
#pragma once

#include "query/scoring/scorer.hpp"

namespace gannet::test {

float score_as_consumer(const query::PlanConstants& plan, const query::TermConstants& term,
                        std::uint32_t frequency, std::uint32_t length);
float sum_as_consumer(float a, float b, float c);
/// The same sum in plain C++: rounded once where the compiler contracts.
float contracted_sum(float a, float b, float c);

}  // namespace gannet::test
