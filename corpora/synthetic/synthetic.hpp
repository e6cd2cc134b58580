// Synthetic posting lists, text collections and topics of any size. Results depend only on the
// arguments, seeds included, and not on the platform.
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

/// The distribution of the ids of a synthetic list (Anh and Moffat, "Index compression using 64-bit
/// words", Software: Practice and Experience 40, 2010).
enum class ListModel {
  kUniform,    ///< all sets of `count` ids are equally likely
  kClustered,  ///< dense runs of ids within dense runs
};

/// The model called "uniform" or "clustered". Throws UsageError for any other name.
ListModel list_model(std::string_view name);

/// Exactly `count` distinct ids in [0, universe), ascending; a function of the arguments. Throws
/// UsageError unless count <= universe <= 2^32. Takes about 12 ns per id. A dense list (count >
/// universe / 256), or a dense part of a clustered one, takes up to universe / 8 bytes of memory
/// besides the result. Thread-safe.
std::vector<std::uint32_t> synthetic_list(ListModel model, std::uint64_t count,
                                          std::uint64_t universe, std::uint64_t seed);

/// Parameters of a synthetic text collection.
struct SyntheticText {
  std::uint64_t documents = 1000;
  std::uint32_t vocabulary = 10000;  ///< distinct words that may occur, >= 1
  double mean_length = 100;          ///< mean words per document, 1 .. 10^6; lengths are log-normal
  double length_deviation = 0.6;     ///< standard deviation of a length's logarithm, 0 .. 2
  std::uint64_t seed = 1;
};

/// The word of rank `rank`, where 0 is the most frequent: lower-case ASCII letters, distinct for
/// each rank. Thread-safe.
std::string synthetic_word(std::uint32_t rank);

/// Makes documents and topics of words drawn by the Zipf-Mandelbrot law: the word of rank r has a
/// probability proportional to 1 / (r + 2.7). A document or topic is a function of the parameters
/// and its number, so that any of them can be made separately. Const members are thread-safe. Keeps
/// 40 to 80 bytes for each word of the vocabulary.
class TextGenerator {
 public:
  /// Throws UsageError for parameters outside their ranges, CancelledError once `stop` is
  /// requested. Takes time linear in the vocabulary.
  explicit TextGenerator(const SyntheticText& shape, const std::stop_token& stop = {});

  const SyntheticText& shape() const { return shape_; }
  /// "d" followed by the number.
  std::string id(std::uint64_t document) const;
  /// Appends the text of a document: words separated by blanks; about one word in 16 is followed by
  /// a full stop. Takes time linear in the text.
  void append_text(std::uint64_t document, std::string& text) const;
  /// Topic `number`, from 0: 1 to 5 distinct words of one document, among the first 2^32. Its id is
  /// number + 1.
  Topic topic(std::uint64_t number) const;

 private:
  std::vector<std::uint32_t> ranks(std::uint64_t document) const;
  std::uint32_t draw_rank(std::uint64_t random) const;

  SyntheticText shape_;
  std::vector<std::uint64_t> cumulative_;  // sums of the words' probabilities, times 2^63
  std::vector<std::uint32_t> guide_;       // the first possible rank, by the draw's upper bits
  std::vector<std::string> words_;
};

/// The collection as a document source. parse() makes the texts, on any number of threads, and
/// throws CancelledError once `stop` is requested. Throws what TextGenerator() throws.
std::unique_ptr<index::DocumentSource> synthetic_documents(const SyntheticText& shape,
                                                           std::stop_token stop = {});

/// Writes the collection of synthetic_documents() as JSONL (`id`, `contents`). Errors of the stream
/// are not checked: see `out` afterwards. Throws what TextGenerator() throws, and CancelledError
/// once `stop` is requested.
void write_synthetic_jsonl(const SyntheticText& shape, std::ostream& out,
                           const std::stop_token& stop = {});

}  // namespace gannet::corpora
