// A manual page, for man and groff (`gannet help search --man`).
#pragma once

#include <string>
#include <string_view>

#include "tools/reference/page.hpp"

namespace gannet::tools {

/// `text`, which has no line ends, so that troff prints just that.
std::string troff(std::string_view text);

/// The page in troff: gannet.1 or gannet-bench-decode.1.
std::string man_page(const Page& page);

}  // namespace gannet::tools
