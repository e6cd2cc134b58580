#include "tools/options/expansion_option.hpp"

#include <fmt/format.h>

#include "codecs/base/error.hpp"

namespace gannet::tools {

namespace {

bool asks_for_dependence(const OptionSet& options) {
  return options.has("expand") && options.get<std::string>("expand") == query::kDependenceName;
}

}  // namespace

std::optional<query::Expansion> expansion_option(const OptionSet& options) {
  if (!options.has("expand") && options.has("expand-params")) {
    throw UsageError(fmt::format("--expand-params needs --expand, which is one of {}, {}",
                                 query::expansion_names(), query::kDependenceName));
  }
  if (!options.has("expand") || asks_for_dependence(options)) return std::nullopt;
  return query::parse_expansion(options.get<std::string>("expand"),
                                options.get<std::string>("expand-params"));
}

std::optional<query::SequentialDependence> dependence_option(const OptionSet& options) {
  if (!asks_for_dependence(options)) return std::nullopt;
  return query::parse_dependence(options.get<std::string>("expand-params"));
}

std::string expansion_text(const std::optional<query::Expansion>& expansion,
                           const std::optional<query::SequentialDependence>& dependence) {
  if (expansion) return query::to_string(*expansion);
  return dependence ? query::to_string(*dependence) : std::string();
}

}  // namespace gannet::tools
