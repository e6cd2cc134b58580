#include "tools/output/explanation_output.hpp"

#include <fmt/format.h>
#include <fmt/ranges.h>

#include <utility>

#include "tools/terminal/print.hpp"
#include "tools/terminal/progress.hpp"

namespace gannet::tools {
namespace {

Json json_of(const query::ExplainedTerm& term) {
  Json json{{"term", term.term},
            {"document_frequency", term.document_frequency},
            {"weight", shortest(term.weight)},
            {"required", term.required},
            {"frequency", term.frequency},
            {"length", term.length},
            {"contribution", shortest(term.contribution)}};
  if (term.collection_frequency > 0) json["collection_frequency"] = term.collection_frequency;
  if (!term.formula.empty()) json["formula"] = term.formula;
  if (!term.positions.empty()) json["positions"] = term.positions;
  if (!term.phrase_words.empty()) {
    Json& words = json["phrase_words"] = Json::array();
    for (const query::ExplainedPhraseWord& word : term.phrase_words) {
      words.push_back({{"word", word.word},
                       {"document_frequency", word.document_frequency},
                       {"factor", shortest(word.factor)}});
    }
  }
  return json;
}

Json json_of(const query::ExplainedExpansion& expansion) {
  Json terms = Json::array();
  for (const query::ExpandedTerm& term : expansion.terms) {
    Json& json = terms.emplace_back(Json{{"term", term.term}, {"frequency", term.frequency}});
    if (!term.distance) continue;
    json["distance"] = *term.distance;
    json["boost"] = shortest(term.boost);
  }
  return {{"word", expansion.word}, {"found", expansion.found}, {"terms", std::move(terms)}};
}

Json json_of(const query::ExplainedWord& word, const query::Explanation& explanation) {
  Json terms = Json::array();
  for (const std::uint32_t term : word.terms) terms.push_back(explanation.terms[term].term);
  Json json{{"terms", std::move(terms)},
            {"document_frequency", word.document_frequency},
            {"weight", shortest(word.weight)},
            {"contribution", shortest(word.contribution)}};
  if (!word.formula.empty()) json["formula"] = word.formula;
  return json;
}

/// A line of the sum, and one with the formula below.
void print_contribution(float contribution, const std::string& what, const std::string& formula) {
  print("{:9.4f}  {}\n", contribution, one_line(what));
  if (!formula.empty()) print("           = {}\n", formula);
}

std::string numbers_of(const query::ExplainedTerm& term) {
  std::string text = term.term;
  if (term.weight == 0) {
    text += " (not scored)";
  } else if (term.weight != 1) {
    text += fmt::format("^{}", term.weight);
  }
  text += fmt::format(": in {}", counted(term.document_frequency, "document"));
  if (term.collection_frequency > 0) {
    text += fmt::format(", {} in all", counted(term.collection_frequency, "occurrence"));
  }
  if (term.frequency == 0) return text + "; not in this one";
  return text + fmt::format("; here {} in {}", counted(term.frequency, "time"),
                            counted(term.length, "token"));
}

/// Lines about a phrase: its idf, and where it stands.
void print_phrase(const query::ExplainedTerm& term) {
  std::string words;
  for (const query::ExplainedPhraseWord& word : term.phrase_words) {
    words += fmt::format("{}{} of {} (in {})", words.empty() ? "" : " + ", word.factor, word.word,
                         counted(word.document_frequency, "document"));
  }
  if (!words.empty() && term.weight != 1) words = fmt::format("{} * ({})", term.weight, words);
  if (!words.empty()) print("           factor: {}\n", one_line(words));
  if (term.positions.empty()) return;
  const std::uint64_t more = term.frequency - term.positions.size();
  const std::string places = fmt::format("{}", fmt::join(term.positions, ", "));
  print("           at {} {}{}\n", term.frequency == 1 ? "position" : "positions", places,
        more > 0 ? fmt::format(" and {} more", with_commas(more)) : "");
}

void print_expansion(const query::ExplainedExpansion& expansion) {
  constexpr std::size_t kShown = 10;
  std::string terms;
  for (std::size_t i = 0; i < expansion.terms.size() && i < kShown; ++i) {
    const query::ExpandedTerm& term = expansion.terms[i];
    terms += fmt::format("{}{}", i == 0 ? "" : ", ", term.term);
    if (term.distance) terms += fmt::format(" (distance {}, boost {})", *term.distance, term.boost);
  }
  if (expansion.terms.size() > kShown) {
    terms += fmt::format(" and {} more", with_commas(expansion.terms.size() - kShown));
  }
  print("expansion  {}: {}; here {}\n", one_line(expansion.word), counted(expansion.found, "term"),
        terms.empty() ? "none of them" : one_line(terms));
}

std::string numbers_of(const query::ExplainedWord& word, const query::Explanation& explanation) {
  std::string text;
  for (const std::uint32_t term : word.terms) {
    text += (text.empty() ? "" : " + ") + explanation.terms[term].term;
  }
  if (word.weight != 1) text += fmt::format(", weight {}", word.weight);
  return text + fmt::format(": in {}", counted(word.document_frequency, "document"));
}

}  // namespace

Json explanation_json(const std::string& id, index::Docid docid,
                      const query::Explanation& explanation) {
  Json json{{"id", id},
            {"docid", docid},
            {"matches", explanation.matches},
            {"score", shortest(explanation.score)}};
  Json& terms = json["terms"] = Json::array();
  for (const query::ExplainedTerm& term : explanation.terms) terms.push_back(json_of(term));
  if (!explanation.words.empty()) {
    Json& words = json["words"] = Json::array();
    for (const query::ExplainedWord& word : explanation.words) {
      words.push_back(json_of(word, explanation));
    }
  }
  if (!explanation.expansions.empty()) {
    Json& expansions = json["expansions"] = Json::array();
    for (const query::ExplainedExpansion& expansion : explanation.expansions) {
      expansions.push_back(json_of(expansion));
    }
  }
  Json& filters = json["filters"] = Json::array();
  for (const query::ExplainedFilter& filter : explanation.filters) {
    filters.push_back({{"filter", filter.filter}, {"passes", filter.passes}});
  }
  Json& mismatches = json["mismatches"] = Json::array();
  for (const query::Mismatch& mismatch : explanation.mismatches) {
    mismatches.push_back({{"kind", query::mismatch_name(mismatch.kind)},
                          {"names", mismatch.names},
                          {"message", query::to_string(mismatch)}});
  }
  return json;
}

void print_explanation(const std::string& id, const query::Plan& plan,
                       const query::Explanation& explanation) {
  print("{} by {}\n", one_line(id), query::to_string(plan.scorer()));
  for (const query::ExplainedTerm& term : explanation.terms) {
    if (explanation.words.empty()) {
      print_contribution(term.contribution, numbers_of(term), term.formula);
    } else {
      print("           {}\n", one_line(numbers_of(term)));
    }
    print_phrase(term);
  }
  for (const query::ExplainedWord& word : explanation.words) {
    print_contribution(word.contribution, numbers_of(word, explanation), word.formula);
  }
  for (const query::ExplainedExpansion& expansion : explanation.expansions) {
    print_expansion(expansion);
  }
  for (const query::ExplainedFilter& filter : explanation.filters) {
    print("filter     {}: {}\n", one_line(filter.filter),
          filter.passes ? "passes" : "does not pass");
  }
  if (explanation.matches) {
    print("{:9.4f}  the score: the sum, in this order, as float32 ({})\n", explanation.score,
          explanation.score);
    return;
  }
  print("no match\n");
  for (const query::Mismatch& mismatch : explanation.mismatches) {
    print("           {}\n", one_line(query::to_string(mismatch)));
  }
}

}  // namespace gannet::tools
