// "Did you mean ...?" for mistyped names: commands, options, formats, fields.
#pragma once

#include <span>
#include <string>
#include <string_view>

namespace gannet::index {

/// " (did you mean 'search'?)" if a candidate is close enough to `typed`, else "". At most a third
/// of the letters may be wrong, and not all, or `typed` is the beginning of a candidate; capitals
/// are as good as small letters. Of several the nearest is named, and the first of these. Costs
/// O(bytes of `typed` x bytes of all candidates). Thread-safe.
std::string did_you_mean(std::string_view typed, std::span<const std::string> candidates);

}  // namespace gannet::index
