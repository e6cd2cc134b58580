#include "tools/options/expansion_option.hpp"

#include "codecs/base/error.hpp"

namespace gannet::tools {

std::optional<query::Expansion> expansion_option(const OptionSet& options) {
  if (!options.has("expand")) {
    if (options.has("expand-params")) {
      throw UsageError("--expand-params needs --expand, which is one of " +
                       query::expansion_names());
    }
    return std::nullopt;
  }
  return query::parse_expansion(options.get<std::string>("expand"),
                                options.get<std::string>("expand-params"));
}

}  // namespace gannet::tools
