#include "tools/options/snippet_option.hpp"

#include <fmt/format.h>

#include <array>
#include <utility>

#include "codecs/base/error.hpp"
#include "corpora/documents/sources/fields.hpp"
#include "query/filter/check_filter.hpp"
#include "tools/terminal/screen.hpp"

namespace gannet::tools {
namespace {

constexpr std::array<const char*, 4> kOptions{"snippets", "snippet-length", "highlight",
                                              "snippet-field"};

/// The first of the options that the user gave; null if none.
const char* given(const OptionSet& options) {
  for (const char* const option : kOptions) {
    if (options.has(option)) return option;
  }
  return nullptr;
}

bool has_texts(const index::Index& index) {
  return index.statistics().documents == 0 || index.stored_text(0).has_value();
}

std::size_t stored_field(const index::Index& index, const std::string& name) {
  const int number = index.schema().find(name);
  if (number < 0) {
    throw UsageError(fmt::format("--snippet-field: no field is called '{}'{}", name,
                                 query::field_meant(name, index.schema())));
  }
  const auto found = static_cast<std::size_t>(number);
  if (!index.schema().fields()[found].is_stored()) {
    throw UsageError(fmt::format(
        "--snippet-field: field '{}' keeps no text; build the index with --field {}:stored", name,
        name));
  }
  return found;
}

}  // namespace

std::optional<std::string> snippet_text(const index::Index& index, const SnippetChoice& choice,
                                        std::uint32_t docid) {
  return choice.field ? index.stored_field(*choice.field, docid) : index.stored_text(docid);
}

std::vector<std::string> with_snippet_number(Args args) {
  std::vector<std::string> words(args.begin(), args.end());
  for (std::size_t i = 0; i < words.size(); ++i) {
    if (words[i] == "--") break;
    if (words[i] != "--snippets") continue;
    words[i] = fmt::format("--snippets={}", options::kBareSnippets);
    if (i + 1 < words.size() && corpora::parse_number<std::uint32_t>(words[i + 1])) {
      throw UsageError(
          fmt::format("--snippets {0}: a number of pieces is written --snippets={0}; if the query "
                      "begins with it, put '--' before the query",
                      words[i + 1]));
    }
  }
  return words;
}

SnippetChoice snippet_option(const OptionSet& options, const index::Index& index,
                             query::Want want) {
  SnippetChoice choice;
  const char* const option = given(options);
  choice.options.fragments = 1;
  if (options.has("snippets")) {
    choice.options.fragments = options.get<std::uint32_t>("snippets");
  } else if (options.json() && option != nullptr) {
    choice.options.fragments = query::SnippetOptions().fragments;
  }
  if (options.has("snippet-length")) {
    choice.options.length = options.get<std::uint32_t>("snippet-length");
  }
  if (options.has("highlight")) {
    choice.highlight = options.choice<Highlight>("highlight");
  } else if (!options.json() && shows_colours(stdout)) {
    choice.highlight = Highlight::kAnsi;
  }
  choice.whole_text = options.has("text");
  if (choice.whole_text && !options.json()) {
    throw UsageError("--text: whole texts are for programs; add --json, or leave it out");
  }
  choice.asked = option != nullptr && choice.options.fragments > 0;
  choice.wanted = choice.options.fragments > 0 && (choice.asked || !options.json());
  if (!choice.asked && !choice.whole_text) return choice;
  const char* const asked = choice.asked ? option : "text";
  if (want != query::Want::kTopK) {
    throw UsageError(fmt::format("--{} is about hits; --count and --docids give none", asked));
  }
  if (options.has("snippet-field")) {
    choice.field = stored_field(index, options.get<std::string>("snippet-field"));
  } else if (!has_texts(index)) {
    throw UsageError(
        fmt::format("--{}: the index keeps no texts to show pieces of; build it with --store, or "
                    "with a stored field, and name that by --snippet-field",
                    asked));
  }
  return choice;
}

}  // namespace gannet::tools
