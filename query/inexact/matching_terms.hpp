// The terms of an index that match a pattern.
#pragma once

#include <cstddef>
#include <cstdint>
#include <memory>
#include <string>
#include <string_view>
#include <vector>

#include "codecs/base/cancellation.hpp"
#include "index/index.hpp"
#include "query/inexact/lazy_dfa.hpp"
#include "query/inexact/term_pattern.hpp"

namespace gannet::query {

/// Goes through the matching terms of one text in one segment, in order. It is an intersection of
/// the lexicon with the automaton: behind a term that does not match it goes on at the next one
/// that the automaton allows, and what terms have in common is stepped through once. So a pattern
/// that begins with a text reads what begins with it, and one that begins with `*` all terms. Not
/// thread-safe. Functions throw FormatError for a damaged lexicon, CancelledError as the thread's
/// StopScope says.
class PatternWalk {
 public:
  /// `text`: index::kMainText, or the number of a text field. `dfa`: of the pattern's
  /// automaton; several walks of one thread may share it. All must outlive this.
  PatternWalk(const index::Segment& segment, const index::Schema& schema, std::uint32_t text,
              const TermPattern& pattern, LazyDfa& dfa);
  /// Of the keys that begin with `prefix` and are not less than `first`.
  PatternWalk(std::unique_ptr<index::TermWalk> keys, std::string prefix, std::string first,
              const TermPattern& pattern, LazyDfa& dfa);

  /// Moves to the next term that matches, at first to the first one; false at the end, for good.
  bool next();
  /// The term that it is at, without what says the text; valid until it moves.
  const std::string& term() const { return term_; }

 private:
  bool read(bool found);
  std::size_t step_through();
  bool skip_from(std::size_t size);
  void restart();

  std::unique_ptr<index::TermWalk> walk_;
  const TermPattern& pattern_;
  LazyDfa& dfa_;
  std::string prefix_;
  std::string first_;
  bool begun_ = false;
  bool ended_ = false;
  std::string term_;
  std::vector<LazyDfa::State> states_;  ///< behind each byte of term_ that was stepped through
  std::uint64_t epoch_ = 0;
  std::string target_;
  StopCheck check_stop_;
};

struct MatchingTerms {
  /// Distinct, in bytewise order; the first ones, if there are more than were asked for.
  std::vector<std::string> terms = {};
  /// How many there are in all.
  std::uint64_t found = 0;
};

/// The terms of a text, in all segments, that match. Keeps up to `limit` of them and counts all.
/// Takes time linear in the terms that the automaton does not rule out; memory for those that are
/// kept. Throws FormatError, CancelledError. Thread-safe.
MatchingTerms matching_terms(const index::Index& index, std::uint32_t text,
                             const TermPattern& pattern, std::size_t limit);

}  // namespace gannet::query
