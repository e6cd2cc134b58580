// Latin letters with strokes and hooks, and ligatures, as letters of ASCII.
#pragma once

#include <cstdint>
#include <string_view>

namespace gannet::index {

/// What stands for a letter that is no ASCII letter with accents: "o" for ø, "ss" for ß, "AE" for
/// Æ; one or two letters, mostly in its case. Empty for all other code points.
std::string_view latin_letters(std::int32_t code_point);

}  // namespace gannet::index
