#include "tools/options/index_argument.hpp"

#include <fmt/format.h>

#include <cstdlib>
#include <filesystem>
#include <utility>

#include "codecs/base/error.hpp"
#include "index/manifest/directory.hpp"
#include "index/shard_set.hpp"

namespace gannet::tools {
namespace {

bool is_index(const std::string& path) {
  std::error_code error;
  if (!std::filesystem::is_directory(path, error)) return false;
  return index::is_shard_set(path) || index::readable_manifest(path).has_value();
}

void check_words(const std::optional<std::string>& option, const std::vector<std::string>& words) {
  if (words.size() + (option ? 1 : 0) < 2) return;
  if (option && words.size() == 1) {
    throw UsageError(fmt::format("the index is named twice: --index {} and '{}'; leave one out",
                                 *option, words[0]));
  }
  throw UsageError(
      fmt::format("'{}': the command takes one word without an option, the index; see --help",
                  words[option ? 0 : 1]));
}

}  // namespace

std::optional<std::string> index_of_environment() {
  const char* const value = std::getenv(kIndexVariable);
  if (value == nullptr || *value == '\0') return {};
  return value;
}

IndexArgument index_argument(const std::optional<std::string>& option,
                             std::vector<std::string> words, bool takes_words) {
  if (!takes_words) check_words(option, words);
  if (option) return {option, std::move(words)};
  if (takes_words) {
    if (auto index = index_of_environment()) {
      if (words.size() > 1 && is_index(words[0])) {
        throw UsageError(fmt::format(
            "'{0}' is an index, and {1} names '{2}': say --index {0}, or --index {2} if '{0}' is "
            "one of the words",
            words[0], kIndexVariable, *index));
      }
      return {std::move(index), std::move(words)};
    }
  }
  if (words.empty() || words[0] == "-") return {{}, std::move(words)};
  IndexArgument found{std::move(words[0])};
  words.erase(words.begin());
  found.words = std::move(words);
  return found;
}

}  // namespace gannet::tools
