// Compiled as a program of somebody else's might be: for a processor with fused multiply-add, with
// contraction, without any of Gannet's flags.
#include "tests/query/contraction/consumer.hpp"

namespace gannet::test {

float score_as_consumer(const query::PlanConstants& plan, const query::TermConstants& term,
                        std::uint32_t frequency, std::uint32_t length) {
  return query::contribution(plan, term, frequency, length);
}

float sum_as_consumer(float a, float b, float c) {
  return codecs::rounded_add(codecs::rounded_mul(a, b), c);
}

float contracted_sum(float a, float b, float c) { return a * b + c; }

}  // namespace gannet::test
