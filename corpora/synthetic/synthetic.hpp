// Synthetic posting lists, text collections and topics: seeded, of any size, the same on every
// platform.
#pragma once

#include <cstdint>
#include <iosfwd>
#include <memory>
#include <stop_token>
#include <string>
#include <string_view>
#include <vector>

#include "corpora/topics/topics.hpp"
#include "index/builder.hpp"

namespace gannet::corpora {

/// How the ids of a synthetic list spread over their universe.
enum class ListModel {
  kUniform,    ///< every set of `count` ids is as likely as any other
  kClustered,  ///< after Anh and Moffat: dense stretches within dense stretches
};

/// "uniform" or "clustered". Throws UsageError for any other name.
ListModel list_model(std::string_view name);

/// Exactly `count` distinct ids in [0, universe), ascending. Depends on the arguments alone.
/// Throws UsageError unless count <= universe <= 2^32. Thread-safe. Takes about 12 ns an id, and
/// universe / 8 bytes beside the result where the list is dense.
std::vector<std::uint32_t> synthetic_list(ListModel model, std::uint64_t count,
                                          std::uint64_t universe, std::uint64_t seed);

/// What a synthetic text collection looks like.
struct SyntheticText {
  std::uint64_t documents = 1000;
  std::uint32_t vocabulary = 10000;  ///< distinct words that may occur, >= 1
  double mean_length = 100;          ///< words per document, 1 .. 10^6; lengths are log-normal
  double length_deviation = 0.6;     ///< standard deviation of a length's logarithm, 0 .. 2
  std::uint64_t seed = 1;
};

/// The word of rank `rank` (0 is the most frequent): lower-case ASCII letters, distinct by rank.
std::string synthetic_word(std::uint32_t rank);

/// Draws words by Zipf's law as Mandelbrot has it: word r with probability ~ 1 / (r + 2.7).
/// Documents and topics are functions of (seed, number), so any of them can be made on its own.
class TextGenerator {
 public:
  /// Throws UsageError for values outside their ranges, and CancelledError once `stop` asks for it.
  explicit TextGenerator(const SyntheticText& shape, const std::stop_token& stop = {});

  const SyntheticText& shape() const { return shape_; }
  /// "d" and the number.
  std::string id(std::uint64_t document) const;
  /// Appends the text of a document: words, blanks, a full stop now and then. Thread-safe.
  void append_text(std::uint64_t document, std::string& text) const;
  /// Topic `number`: 1 to 5 distinct words that occur together in some document. Thread-safe.
  Topic topic(std::uint64_t number) const;

 private:
  std::vector<std::uint32_t> ranks(std::uint64_t document) const;
  std::uint32_t draw_rank(std::uint64_t random) const;

  SyntheticText shape_;
  std::vector<std::uint64_t> cumulative_;  // of the words' probabilities, scaled to 2^63
  std::vector<std::uint32_t> guide_;       // first rank to look at, by the top bits of the draw
  std::vector<std::string> words_;
};

/// The collection as a source of documents; made in parallel, in parse(), which throws
/// CancelledError once `stop` asks for it.
std::unique_ptr<index::DocumentSource> synthetic_documents(const SyntheticText& shape,
                                                           std::stop_token stop = {});

/// Writes the collection of synthetic_documents() as JSONL (`id`, `contents`). Throws
/// CancelledError once `stop` asks for it.
void write_synthetic_jsonl(const SyntheticText& shape, std::ostream& out,
                           const std::stop_token& stop = {});

}  // namespace gannet::corpora
