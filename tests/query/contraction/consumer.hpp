// What consumer.cpp compiles with contraction.
#pragma once

#include "query/scoring/scorer.hpp"

namespace gannet::test {

float score_as_consumer(float weight, std::uint32_t frequency, std::uint32_t length,
                        query::LengthNorm norm);
float sum_as_consumer(float a, float b, float c);
/// The same sum in plain C++: rounded once where the compiler contracts.
float contracted_sum(float a, float b, float c);

}  // namespace gannet::test
