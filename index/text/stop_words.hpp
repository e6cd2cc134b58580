// Stop words of one's own, from a file.
#pragma once

#include <string>
#include <string_view>
#include <vector>

namespace gannet::index {

/// Reads a list of stop words: words with white space between them, most often one a line. A `#`
/// at the beginning of a word and a `|` anywhere begin a comment, which ends with its line, so that
/// the lists of Snowball and of Solr can be used. Returns the words for
/// AnalyzerConfig::stopword_list, sorted and each once, with the accents and the case that they
/// have in the file. `path` is the name of the file, for messages. O(n log n) in the size of the
/// text. Throws UsageError, with the line, for text that is not UTF-8 and for what
/// stop_words_problem() finds.
std::vector<std::string> parse_stop_words(std::string_view text, std::string_view path);

/// What is wrong with a list of stop words, as a message: more than 2^20 bytes, or a word that is
/// empty or not UTF-8. Nothing if it can be used.
std::string stop_words_problem(const std::vector<std::string>& words);

}  // namespace gannet::index
