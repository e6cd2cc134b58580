#include "tools/options/index_argument.hpp"

#include <cstdlib>
#include <filesystem>
#include <utility>

#include "index/files/format.hpp"
#include "index/shard_set.hpp"

namespace gannet::tools {
namespace {

/// Also a damaged one: the command that opens it will tell.
bool is_index(const std::string& path) {
  std::error_code error;
  return index::is_shard_set(path) ||
         std::filesystem::exists(std::filesystem::path(path) / index::kManifestName, error);
}

}  // namespace

std::optional<std::string> index_of_environment() {
  const char* const value = std::getenv(kIndexVariable);
  if (value == nullptr || *value == '\0') return {};
  return value;
}

IndexArgument index_argument(const std::optional<std::string>& option,
                             std::vector<std::string> words, bool takes_words) {
  if (option) return {option, std::move(words)};
  if (words.empty() || words[0] == "-") return {{}, std::move(words)};
  if (takes_words && !is_index(words[0])) {
    if (auto index = index_of_environment()) return {std::move(index), std::move(words)};
  }
  IndexArgument found{std::move(words[0])};
  words.erase(words.begin());
  found.words = std::move(words);
  return found;
}

}  // namespace gannet::tools
