// Which scorer with which parameters: names, ranges and defaults, for programs and messages.
#pragma once

#include <array>
#include <cstddef>
#include <cstdint>
#include <optional>
#include <span>
#include <string>
#include <string_view>
#include <vector>

namespace gannet::query {

/// The scorers; all.hpp lists their types. Numbers are never used again.
enum class ScorerId : std::uint8_t {
  kBm25 = 0,
  kBm25Plus = 1,
  kTfIdf = 2,
  kDirichlet = 3,
  kJelinekMercer = 4,
  kPl2 = 5,
  kDph = 6,
  kImpact = 7,
  kBm25F = 8,
};

inline constexpr std::size_t kMaxScorerParameters = 4;
/// The values of a scorer's parameters, in the order in which it declares them; the others are 0.
using ScorerValues = std::array<float, kMaxScorerParameters>;

/// A parameter of a scorer: a number of a range, or a choice between names.
struct ScorerParameter {
  std::string_view name;
  float standard;
  float least;     ///< it may be so small ...
  float greatest;  ///< ... and so large
  /// Names with commas between: the value is the number of one of them, from 0. Empty: a number.
  std::string_view choices = {};
};

/// Parameters of BM25F for one text: "contents", the main one, or a text field.
struct TextParameters {
  std::string text = {};
  std::optional<float> b = {};       ///< 0 .. 1; else the scorer's b
  std::optional<float> weight = {};  ///< 0 < weight <= 1e6; else that of the searched text
  bool operator==(const TextParameters&) const = default;
};

/// A scorer and its parameters. By default BM25 with k1 0.9 and b 0.4.
struct ScorerSpec {
  ScorerId id = ScorerId::kBm25;
  ScorerValues values{0.9f, 0.4f, 0, 0};
  std::vector<TextParameters> texts = {};  ///< of kBm25F; texts that differ
  bool operator==(const ScorerSpec&) const = default;
};

/// A scorer as documents, options and messages show it.
struct ScorerInfo {
  ScorerId id;
  std::string_view name;
  std::string_view summary;  ///< a line for help texts
  /// What a posting adds to a score, as text (concepts.hpp has its names).
  std::string_view formula;
  std::span<const ScorerParameter> parameters;
  /// Grows with the term's frequency in the document and falls with the document's length: a bound
  /// for many postings follows from the largest frequency and the shortest document.
  bool monotone;
  /// Looks at TermStatistics::occurrences, which planning else need not find out.
  bool needs_occurrences;
  /// A term's constants are multiples of its idf, so that those of a phrase are the sums of its
  /// words', as Lucene has it. Others score a phrase by its own statistics.
  bool adds_idf;
};

/// All scorers, in the order of their ids.
std::span<const ScorerInfo> all_scorers();

/// "bm25, bm25plus, ..."
std::string scorer_names();

/// Null if there is no such scorer.
const ScorerInfo* find_scorer(ScorerId id);
const ScorerInfo* find_scorer(std::string_view name);

/// A scorer with its parameters' defaults.
ScorerSpec standard_scorer(ScorerId id);

/// BM25 with Lucene's idf and Robertson's factor (k1 + 1).
ScorerSpec bm25(float k1, float b);

/// What is wrong with a scorer, for messages: "bm25: b must be between 0 and 1, not 2"; nothing if
/// it can be used.
std::optional<std::string> scorer_problem(const ScorerSpec& spec);

/// What `spec` has for a text; nothing if it does not name it.
const TextParameters* parameters_of_text(const ScorerSpec& spec, std::string_view text);
/// The scorer with the parameters that it has for a text: its b is the text's.
ScorerSpec scorer_of_text(const ScorerSpec& spec, std::string_view text);

/// A scorer from what a user writes: its name, and "k1=0.9,b=0.4"; of bm25f "title.b=0.3" and
/// "title.weight=2" too, a text's own. Without a name `defaults` says
/// which; parameters that are not named are those of `defaults` if it is that scorer, else the
/// scorer's own. Throws UsageError, naming what there is, for unknown names and values out of
/// range.
ScorerSpec parse_scorer(std::string_view name, std::string_view parameters,
                        const ScorerSpec& defaults);

/// The value of the scorer's parameter number `i`, as parse_scorer() takes it: "0.9", "lucene".
std::string value_of(const ScorerSpec& spec, std::size_t i);

/// "bm25 k1=0.9,b=0.4,idf=lucene,norm=robertson": all that parse_scorer() needs.
std::string to_string(const ScorerSpec& spec);
/// "k1=0.9,b=0.4,idf=lucene,norm=robertson"; empty for a scorer without parameters.
std::string parameters_of(const ScorerSpec& spec);

}  // namespace gannet::query
