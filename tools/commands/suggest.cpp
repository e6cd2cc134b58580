// gannet suggest: completions of the word that is being typed.
#include "query/suggest.hpp"

#include <string>
#include <vector>

#include "codecs/base/error.hpp"
#include "query/texts/searched_texts.hpp"
#include "tools/commands/command.hpp"
#include "tools/options/open_index.hpp"
#include "tools/options/option_set.hpp"
#include "tools/options/table/searching.hpp"
#include "tools/terminal/json.hpp"
#include "tools/terminal/print.hpp"

namespace gannet::tools {
namespace {

constexpr HelpText kSuggestHelp{"gannet suggest IDX [OPTIONS] PREFIX...",
                                R"(
Prints terms of the index that begin with the last word of PREFIX, those of most documents
first: how many documents have the term, and PREFIX with the term for its last word. The words
behind the index are one text.

The word is taken in small letters and folded, as the index's text was, and not stemmed: where
terms are stems, completions are stems. Nothing is printed where no term begins so, and where no
word ends PREFIX, as behind a space.)",
                                R"(
  gannet suggest idx aero
  gannet suggest idx -k 3 solar pow
  gannet suggest idx --field title --json win | jq -r .completions[].text)"};

std::uint32_t text_option(const OptionSet& options, const index::Schema& schema) {
  const auto& name = options.get<std::string>("field");
  if (name == index::kContentsField) return index::kMainText;
  const query::SearchField field{.name = name};
  return query::searched_texts({&field, 1}, schema).front().text;
}

std::string typed_text(const OptionSet& options) {
  std::string text;
  for (const std::string& word : options.get<std::vector<std::string>>("prefix")) {
    text += (text.empty() ? "" : " ") + word;
  }
  return text;
}

void print_suggestions(const std::vector<query::Completion>& completions) {
  for (const query::Completion& one : completions) {
    print("{:>9}  {}\n", one.document_frequency, one_line(one.text));
  }
}

void print_suggestions_json(const std::string& typed,
                            const std::vector<query::Completion>& completions) {
  Json rows = Json::array();
  for (const query::Completion& one : completions) {
    rows.push_back(
        {{"text", one.text}, {"term", one.term}, {"document_frequency", one.document_frequency}});
  }
  print_result("suggest", {{"prefix", typed}, {"completions", std::move(rows)}});
}

}  // namespace

int cmd_suggest(Args args) {
  OptionSet options(kSuggestHelp);
  options.add(options::kSuggestOptions);
  options.index_first("prefix");
  if (!options.parse(args)) return kOk;
  if (!options.has("prefix")) {
    throw UsageError("a prefix is missing: '" + options.get<std::string>("index") +
                     "' is the index; see --help");
  }
  const auto index = open_index(options);
  const std::string typed = typed_text(options);
  const auto completions = query::suggest(*index, typed,
                                          {.completions = options.get<std::uint32_t>("k"),
                                           .text = text_option(options, index->schema())});
  if (options.json()) {
    print_suggestions_json(typed, completions);
  } else {
    print_suggestions(completions);
  }
  return kOk;
}

}  // namespace gannet::tools
