// Random documents with one to four texts, a number and keywords, and indexes of them.
#pragma once

#include <cstdint>
#include <filesystem>
#include <memory>
#include <optional>
#include <random>
#include <set>
#include <string>
#include <vector>

#include "index/index.hpp"

namespace gannet::oracle {

/// A word is a number. In a text it is "w" and the number.
using Word = std::uint16_t;

/// Text 0 is the main text. Text i > 0 is the field f(i - 1).
struct Document {
  std::vector<std::vector<Word>> texts = {};
  std::optional<std::int32_t> year = {};
  std::string tags = {};  ///< each letter is a keyword; ascending and distinct
  bool deleted = false;
};

struct Collection {
  std::uint32_t texts = 1;
  Word words = 1;  ///< documents have words below this
  std::vector<Document> documents = {};
  std::vector<std::size_t> ends = {};  ///< of the segments, ascending; the last is documents.size()
  std::string codec = "gpu-bp128";     ///< of docids
};

/// Word lists from dense to rare, scattered or in runs of documents; equal documents; long and
/// empty texts; deletions; one to four segments; any codec of posting lists.
Collection random_collection(std::mt19937& random);

/// What f0 counts for if a query does not say it; all other texts count for 1.
inline constexpr float kFirstFieldWeight = 2;

std::string text_of(Word word);
/// "contents", "f0", ...
std::string name_of_text(std::uint32_t text);

/// The index of the collection, below `directory`, which must be empty or absent.
std::shared_ptr<const index::Index> build(const Collection& collection,
                                          const std::filesystem::path& directory);

/// Each document on a line, for messages: of its texts the words that are among `words`, and how
/// many words they have in all.
std::string to_string(const Collection& collection, const std::set<Word>& words);

}  // namespace gannet::oracle
