#include "tools/options/expansion_option.hpp"

#include "codecs/base/error.hpp"

namespace gannet::tools {

void add_expansion_options(OptionSet& options) {
  options.add(
      "expand", text(),
      "add terms of each query's best documents, in a second pass: " + query::expansion_names());
  options.add("expand-params", text(), "its parameters: docs=10,terms=10,weight=0.5");
}

std::optional<query::Expansion> expansion_option(const OptionSet& options) {
  if (!options.has("expand")) {
    if (options.has("expand-params")) {
      throw UsageError("--expand-params needs --expand, which is one of " +
                       query::expansion_names());
    }
    return std::nullopt;
  }
  return query::parse_expansion(
      options.get<std::string>("expand"),
      options.has("expand-params") ? options.get<std::string>("expand-params") : std::string());
}

}  // namespace gannet::tools
