// Which index a command line means. This is the one place that decides it, for all commands:
//
// 1. `--index IDX` names it. All words without an option are then what else the command takes: the
//    query, the input.
// 2. Without it, and where the command takes such words: GANNET_INDEX, if it is set, names it, and
//    all words are the query or the input, also a single one. If the first of several words is an
//    index on disk, nobody knows which of the two is meant: that is an error.
// 3. Else the first word names it. The others are the query or the input.
// 4. Else GANNET_INDEX.
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
  std::vector<std::string> words = {};  ///< those that are left
};

/// What GANNET_INDEX says.
std::optional<std::string> index_of_environment();

/// By the rules 1 to 3. `option` is the value of --index, `takes_words` whether the command takes
/// words beside the index. Throws UsageError for words that it does not take, and for rule 2's.
IndexArgument index_argument(const std::optional<std::string>& option,
                             std::vector<std::string> words, bool takes_words);

}  // namespace gannet::tools
