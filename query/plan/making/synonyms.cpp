#include "query/plan/synonyms.hpp"

#include <fmt/format.h>

#include <algorithm>
#include <functional>
#include <unordered_map>
#include <utility>

#include "codecs/base/error.hpp"
#include "index/text/analyzer.hpp"
#include "index/text/words/seeded_hash.hpp"
#include "query/postings/made_list.hpp"

namespace gannet::query {

/// A term has the numbers of its lines, a line the numbers of its terms: a line of n words takes
/// O(n), though each of them stands for all.
struct Synonyms::Table {
  std::unordered_map<std::string, std::uint32_t, index::SeededHash, std::equal_to<>> numbers;
  std::vector<const std::string*> terms;
  std::vector<std::vector<std::uint32_t>> lines_of;  ///< by term
  std::vector<std::vector<std::uint32_t>> lines;

  std::uint32_t number_of(std::string&& term) {
    const auto [entry, is_new] =
        numbers.emplace(std::move(term), static_cast<std::uint32_t>(terms.size()));
    if (is_new) {
      terms.push_back(&entry->first);
      lines_of.emplace_back();
    }
    return entry->second;
  }
};

Synonyms::Synonyms(const std::vector<SynonymRule>& rules, const index::Index& index)
    : main_(table_of(rules, index::Analyzer(index.analyzer()), true)) {
  std::vector<std::pair<index::AnalyzerConfig, std::shared_ptr<const Table>>> made;
  index::AnalyzerConfig main = index.analyzer();
  main.libraries.clear();  // those of text fields are not recorded by themselves
  made.emplace_back(std::move(main), main_);
  for (std::uint32_t i = 0; i < index.schema().fields().size(); ++i) {
    fields_.emplace_back();
    if (!index.schema().fields()[i].is_text()) continue;
    const index::Analyzer& analyzer = index.text_analyzer(i);
    const auto same = [&](const auto& known) { return known.first == analyzer.config(); };
    const auto known = std::ranges::find_if(made, same);
    if (known == made.end()) {
      fields_[i] = table_of(rules, analyzer, false);
      made.emplace_back(analyzer.config(), fields_[i]);
    } else {
      fields_[i] = known->second;
    }
  }
}

std::shared_ptr<const Synonyms::Table> Synonyms::table_of(const std::vector<SynonymRule>& rules,
                                                          const index::Analyzer& analyzer,
                                                          bool note) {
  auto table = std::make_shared<Table>();
  std::vector<std::string> terms;
  const auto numbers_of = [&](const SynonymRule& rule, const std::vector<std::string>& entries) {
    std::vector<std::uint32_t> numbers;
    for (const std::string& entry : entries) {
      terms.clear();
      analyzer.analyze(entry, terms);
      if (terms.size() == 1) {
        numbers.push_back(table->number_of(std::move(terms.front())));
      } else if (note && ++left_out_count_ <= kShown) {
        left_out_.push_back({rule.line, entry});
      }
    }
    std::ranges::sort(numbers);
    numbers.erase(std::unique(numbers.begin(), numbers.end()), numbers.end());
    return numbers;
  };
  for (const SynonymRule& rule : rules) {
    const std::vector<std::uint32_t> from = numbers_of(rule, rule.from);
    const auto line = static_cast<std::uint32_t>(table->lines.size());
    table->lines.push_back(rule.to.empty() ? from : numbers_of(rule, rule.to));
    if (table->lines.back().empty()) continue;
    for (const std::uint32_t term : from) table->lines_of[term].push_back(line);
  }
  return table;
}

std::vector<std::string> Synonyms::of(std::uint32_t text, std::string_view term) const {
  const bool main = text == index::kMainText;
  if (!main && (text >= fields_.size() || fields_[text] == nullptr)) return {};  // another index
  const Table& table = main ? *main_ : *fields_[text];
  const auto found = table.numbers.find(term);
  if (found == table.numbers.end()) return {};
  std::vector<std::string_view> all;
  for (const std::uint32_t line : table.lines_of[found->second]) {
    for (const std::uint32_t number : table.lines[line]) all.push_back(*table.terms[number]);
  }
  std::ranges::sort(all);
  all.erase(std::unique(all.begin(), all.end()), all.end());
  if (all.size() > MadeList::kMaxTerms) {
    throw UsageError(fmt::format("synonyms: '{}' stands for {} words, and may stand for {}", term,
                                 all.size(), MadeList::kMaxTerms));
  }
  return {all.begin(), all.end()};
}

}  // namespace gannet::query
