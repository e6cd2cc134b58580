#include "tools/building/stop_words_option.hpp"

#include <fmt/format.h>
#include <fmt/ranges.h>

#include <algorithm>
#include <filesystem>
#include <span>
#include <system_error>

#include "codecs/base/error.hpp"
#include "corpora/documents/bytes/byte_stream.hpp"
#include "index/text/analyzer.hpp"
#include "index/text/stop_words.hpp"
#include "index/text/words/suggest.hpp"
#include "tools/options/table/building.hpp"

namespace gannet::tools {
namespace {

/// A list of stop words has some hundred words.
constexpr std::size_t kMaxFile = std::size_t{4} << 20;
constexpr std::size_t kShown = 5;

}  // namespace

void set_stop_words(const std::string& typed, index::AnalyzerConfig& config) {
  const Names lists = options::stop_word_lists();
  if (std::ranges::find(lists, typed) != lists.end()) {
    config.stopwords = typed;
    return;
  }
  std::error_code error;
  if (!std::filesystem::exists(typed, error)) {
    throw UsageError(fmt::format("stop words: '{}' is neither {} nor a file that there is{}", typed,
                                 fmt::join(lists, " nor "), index::did_you_mean(typed, lists)));
  }
  config.stopword_list = index::parse_stop_words(corpora::read_whole_file(typed, kMaxFile), typed);
}

std::string unused_stop_words_text(const index::AnalyzerConfig& config) {
  if (config.stopword_list.empty()) return {};
  const index::Analyzer analyzer(config);
  const std::vector<std::string>& unused = analyzer.unused_stop_words();
  if (unused.empty()) return {};
  const auto shown = std::span(unused).first(std::min(unused.size(), kShown));
  return fmt::format("{} of {} stop words are not one token of the text and have no effect: {}{}",
                     unused.size(), config.stopword_list.size(), fmt::join(shown, ", "),
                     unused.size() > kShown ? ", ..." : "");
}

}  // namespace gannet::tools
