#include "index/text/words/stopwords.hpp"

#include <algorithm>
#include <array>
#include <string>

#include "codecs/base/error.hpp"

namespace gannet::index {
namespace {

constexpr std::array<std::string_view, 33> kEnglish = {
    "a",   "an",    "and",  "are",   "as",    "at",   "be",   "but", "by",  "for",  "if",
    "in",  "into",  "is",   "it",    "no",    "not",  "of",   "on",  "or",  "such", "that",
    "the", "their", "then", "there", "these", "they", "this", "to",  "was", "will", "with"};
static_assert(std::is_sorted(kEnglish.begin(), kEnglish.end()));

}  // namespace

std::span<const std::string_view> stopwords_named(std::string_view name) {
  if (name == "english") return kEnglish;
  if (name == "none") return {};
  throw UsageError("no stop list is called '" + std::string(name) + "'; there are english, none");
}

}  // namespace gannet::index
