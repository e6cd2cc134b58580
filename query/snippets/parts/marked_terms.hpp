// Which terms of a plan are marked in texts, and what each is worth.
#pragma once

#include <cstdint>
#include <functional>
#include <map>
#include <string>
#include <string_view>
#include <vector>

#include "query/plan/plan.hpp"

namespace gannet::query {

/// The terms that add to a score, or stand in the expression under an even number of negations. Of
/// phrases and windows the words are marked where an occurrence has them.
///
/// What is counted in a text are items: item i < Plan::terms() is term i, but for phrases, whose
/// different words are items behind those, each worth its share of the phrase.
class MarkedTerms {
 public:
  static constexpr std::uint32_t kNone = 0xffffffffu;

  /// A word of a window.
  struct WindowWord {
    std::uint32_t window = 0;  ///< number in windows()
    std::uint32_t item = 0;    ///< of words with equal terms, the same
  };
  /// What a term of the lexicon is in the query.
  struct Word {
    std::string text = {};
    std::vector<std::uint32_t> items = {};  ///< wherever it stands, ascending
    std::vector<WindowWord> in_windows = {};
  };
  /// A phrase or window that is marked.
  struct Window {
    WindowShape shape = {};
    std::vector<std::vector<std::uint32_t>> words = {};  ///< by place: numbers in words()
    std::vector<std::uint8_t> groups = {};               ///< window_groups() of them
  };

  explicit MarkedTerms(const Plan& plan);

  /// The number in words() of a term that is marked, if only within windows, or kNone.
  std::uint32_t find(std::string_view term) const {
    const auto found = numbers_.find(term);
    return found == numbers_.end() ? kNone : found->second;
  }
  const std::vector<Word>& words() const { return words_; }
  const std::vector<Window>& windows() const { return windows_; }
  bool empty() const { return numbers_.empty(); }
  /// Items, marked or not.
  std::size_t size() const { return worth_.size(); }
  /// The number in the plan of the term that an item is, or is a word of.
  std::uint32_t term_of(std::uint32_t item) const { return item_terms_[item]; }
  /// What an item adds to the score of a document of average length that has it once: whole
  /// numbers from 1, the largest 2^20, so that sums do not depend on their order.
  std::uint64_t worth(std::uint32_t item) const { return worth_[item]; }

 private:
  std::uint32_t number_of(const std::string& term);
  void add_window(const Phrase& phrase, std::uint32_t term);

  std::map<std::string, std::uint32_t, std::less<>> numbers_;
  std::vector<Word> words_;
  std::vector<Window> windows_;
  std::vector<std::uint32_t> item_terms_;
  std::vector<std::uint64_t> worth_;
};

}  // namespace gannet::query
