// Scripts that let shells complete command lines of gannet (`gannet completion bash`). Each command
// and option stands once in a script.
#pragma once

#include <string>
#include <string_view>

#include "tools/reference/page.hpp"

namespace gannet::tools {

std::string bash_completion(const Page& gannet);
std::string zsh_completion(const Page& gannet);
std::string fish_completion(const Page& gannet);

/// 'text' in quotation marks, as bash and zsh read it: '\'' stands for one.
std::string in_single_quotes(std::string_view text);
/// `text` with a backslash before each character of `special`.
std::string with_backslashes(std::string_view text, std::string_view special);

}  // namespace gannet::tools
