// "Did you mean ...?" for mistyped commands, options and names.
#pragma once

#include <span>
#include <string>
#include <string_view>

namespace gannet::tools {

/// "; did you mean 'search'?" if a candidate is close enough to `typed`, else "".
std::string did_you_mean(std::string_view typed, std::span<const std::string> candidates);

}  // namespace gannet::tools
