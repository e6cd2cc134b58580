// Which index a command line means. This is the one place that decides it, for all commands:
//
// 1. `--index IDX` names it. All words without an option are then what else the command takes: the
//    query, the input.
// 2. Without it the first word names it. Only where GANNET_INDEX is set, the command takes other
//    words, and the first word is no index on disk, all words are the query or the input.
// 3. Without such a word GANNET_INDEX names it.
//
// An empty GANNET_INDEX is one that is not set. "-" is stdin and never an index.
#pragma once

#include <optional>
#include <string>
#include <vector>

namespace gannet::tools {

inline constexpr const char* kIndexVariable = "GANNET_INDEX";

struct IndexArgument {
  std::optional<std::string> index = {};
  std::vector<std::string> words = {};  ///< those that are left: behind the index, or all
};

/// What GANNET_INDEX says.
std::optional<std::string> index_of_environment();

/// By these rules. `option` is the value of --index, `takes_words` whether the command takes words
/// beside the index. No index: nothing names it, or rule 3 does.
IndexArgument index_argument(const std::optional<std::string>& option,
                             std::vector<std::string> words, bool takes_words);

}  // namespace gannet::tools
