// Which folder of the tree may include which: codecs, index, {corpora, query}, tools, {bench,
// tests}, and the floors within each of them.
#pragma once

#include <optional>
#include <string>
#include <string_view>
#include <vector>

namespace gannet::test {

/// What is wrong with one include line of `file` (a path from the root), as a sentence; nothing if
/// it is allowed. `included` stands between quotation marks.
std::optional<std::string> layer_problem(std::string_view file, std::string_view included);

/// The path that the layer of `file` was given by ("codecs/core/"); empty if it is in none.
std::string_view layer_prefix(std::string_view file);

/// What stands between the quotation marks of the #include lines of a source text.
std::vector<std::string> quoted_includes(std::string_view text);

/// The same for <...>.
std::vector<std::string> angled_includes(std::string_view text);

}  // namespace gannet::test
