#include "query/options/dependence.hpp"

#include <fmt/format.h>

#include "codecs/base/error.hpp"
#include "query/options/reading/parameter_table.hpp"

namespace gannet::query {
namespace {

/// kMinWeight of a plan.
constexpr double kLeastWeight = 1e-6;

ParameterTable<SequentialDependence> dependence_table() {
  using Values = SequentialDependence;
  return {kDependenceName,
          {},
          {{"terms", &Values::terms, 0, 1000},
           {"ordered", &Values::ordered, 0, 1000},
           {"unordered", &Values::unordered, 0, 1000},
           {"window", &Values::window, 2, 1'000'000}}};
}

}  // namespace

std::optional<std::string> dependence_problem(const SequentialDependence& dependence) {
  if (auto problem = dependence_table().problem(dependence)) return problem;
  for (const double weight : {dependence.terms, dependence.ordered, dependence.unordered}) {
    if (weight == 0 || weight >= kLeastWeight) continue;
    return fmt::format("sdm: a weight must be 0 or at least {}, not {}", kLeastWeight, weight);
  }
  if (dependence.terms == 0 && dependence.ordered == 0 && dependence.unordered == 0) {
    return "sdm: terms, ordered and unordered cannot all be 0, nothing would be left";
  }
  return std::nullopt;
}

SequentialDependence parse_dependence(std::string_view parameters) {
  SequentialDependence dependence;
  dependence_table().read(parameters, dependence);
  if (const auto problem = dependence_problem(dependence)) throw UsageError(*problem);
  return dependence;
}

std::string to_string(const SequentialDependence& dependence) {
  if (const auto problem = dependence_problem(dependence)) return "unusable: " + *problem;
  return dependence_table().text(dependence);
}

}  // namespace gannet::query
