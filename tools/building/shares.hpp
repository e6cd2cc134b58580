// Sharing pieces out among workers.
#pragma once

#include <cstddef>
#include <cstdint>
#include <span>
#include <vector>

namespace gannet::tools {

/// Cuts a row of pieces of these sizes into `parts` runs, one behind the other, of about the same
/// size; each has at least one piece. Returns where each begins, and the end. There must be as many
/// pieces as parts, at least, and one part.
std::vector<std::size_t> share_out(std::span<const std::uint64_t> sizes, std::size_t parts);

}  // namespace gannet::tools
