#include <algorithm>
#include <ostream>
#include <utility>

#include "codecs/base/cancellation.hpp"
#include "codecs/base/error.hpp"
#include "corpora/synthetic/random.hpp"
#include "corpora/synthetic/synthetic.hpp"

namespace gannet::corpora {
namespace {

constexpr unsigned kGuideBits = 16;
constexpr double kOffset = 2.7;  // Mandelbrot's; as English has it
constexpr std::uint64_t kBatchWords = 150'000;
constexpr std::uint32_t kSentence = 16;  // one word in so many ends a sentence

// Additions, multiplications and divisions only, which IEEE arithmetic rounds alike everywhere; the
// library's exp() may differ in the last bit.
double portable_exp(double x) {
  double result = 1;
  const double small = x / 1024;
  for (int i = 12; i > 0; --i) result = 1 + result * small / i;
  for (int i = 0; i < 10; ++i) result *= result;
  return result;
}

// Close to normal with mean 0 and deviation 1: a sum of twelve uniform numbers.
double portable_normal(Random& random) {
  double sum = -6;
  for (int i = 0; i < 12; ++i) sum += random.unit();
  return sum;
}

void check(const SyntheticText& shape) {
  if (shape.vocabulary == 0)
    throw UsageError("a synthetic collection needs a vocabulary of >= 1 words");
  if (!(shape.mean_length >= 1 && shape.mean_length <= 1e6)) {
    throw UsageError("the mean length of synthetic documents is 1 .. 1000000 words");
  }
  if (!(shape.length_deviation >= 0 && shape.length_deviation <= 2)) {
    throw UsageError("the deviation of synthetic documents' lengths is 0 .. 2");
  }
}

struct NumberBatch : index::RawBatch {
  std::uint64_t first;
  std::uint64_t last;
};

struct GeneratedBatch : index::ParsedBatch {
  std::vector<std::string> strings;  // ids and texts in turn
};

class SyntheticSource : public index::DocumentSource {
 public:
  SyntheticSource(const SyntheticText& shape, std::stop_token stop)
      : generator_(shape, stop),
        stop_(std::move(stop)),
        step_(std::max<std::uint64_t>(
            1, kBatchWords / static_cast<std::uint64_t>(shape.mean_length))) {}

  std::unique_ptr<index::RawBatch> read() override {
    const std::uint64_t total = generator_.shape().documents;
    if (next_ == total) return nullptr;
    auto batch = std::make_unique<NumberBatch>();
    batch->first = next_;
    next_ = batch->last = std::min(total, next_ + step_);
    return batch;
  }

  std::unique_ptr<index::ParsedBatch> parse(std::unique_ptr<index::RawBatch> raw) const override {
    const auto* numbers = dynamic_cast<const NumberBatch*>(raw.get());
    if (numbers == nullptr) throw UsageError("a batch was given to a source that did not read it");
    auto batch = std::make_unique<GeneratedBatch>();
    batch->strings.reserve(2 * (numbers->last - numbers->first));
    for (std::uint64_t i = numbers->first; i < numbers->last; ++i) {
      throw_if_stopped(stop_);
      const std::string& id = batch->strings.emplace_back(generator_.id(i));
      std::string& text = batch->strings.emplace_back();
      generator_.append_text(i, text);
      batch->add(id, text);
    }
    return batch;
  }

  // There are no bytes to read: documents stand for them.
  std::uint64_t bytes_read() const override { return 0; }
  std::uint64_t bytes_total() const override { return 0; }

 private:
  TextGenerator generator_;
  std::stop_token stop_;
  std::uint64_t step_;
  std::uint64_t next_ = 0;
};

}  // namespace

std::string synthetic_word(std::uint32_t rank) {
  static constexpr std::string_view kConsonants = "bdfgklmnprstvz";
  static constexpr std::string_view kVowels = "aeiou";
  std::string word;
  // Bijective numbers whose digits are syllables: every word once, the frequent ones short.
  for (std::uint64_t rest = std::uint64_t{rank} + 1; rest > 0; rest = (rest - 1) / 70) {
    const std::uint64_t digit = (rest - 1) % 70;
    word += kConsonants[digit % 14];
    word += kVowels[digit / 14];
  }
  return word;
}

TextGenerator::TextGenerator(const SyntheticText& shape, const std::stop_token& stop)
    : shape_(shape) {
  check(shape);
  StopCheck check_stop(stop);
  double total = 0;
  for (std::uint32_t r = 0; r < shape.vocabulary; ++r) {
    check_stop();
    total += 1 / (r + kOffset);
  }
  double sum = 0;
  for (std::uint32_t r = 0; r < shape.vocabulary; ++r) {
    check_stop();
    sum += 1 / (r + kOffset);
    cumulative_.push_back(static_cast<std::uint64_t>(sum / total * 0x1.0p63));
    words_.push_back(synthetic_word(r));
  }
  guide_.reserve((1u << kGuideBits) + 1);
  for (std::uint32_t bits = 0, rank = 0; bits <= 1u << kGuideBits; ++bits) {
    const std::uint64_t least = std::uint64_t{bits} << (63 - kGuideBits);
    while (rank + 1 < shape.vocabulary && cumulative_[rank] <= least) ++rank;
    guide_.push_back(rank);
  }
}

std::uint32_t TextGenerator::draw_rank(std::uint64_t random) const {
  const std::uint64_t value = random >> 1;
  const std::uint64_t bits = value >> (63 - kGuideBits);
  const auto begin = cumulative_.begin() + guide_[bits];
  const auto end = cumulative_.begin() + guide_[bits + 1];
  return static_cast<std::uint32_t>(std::upper_bound(begin, end, value) - cumulative_.begin());
}

std::vector<std::uint32_t> TextGenerator::ranks(std::uint64_t document) const {
  Random random(mix64(shape_.seed) ^ document);
  const double sigma = shape_.length_deviation;
  // exp(normal * sigma) has mean exp(sigma^2 / 2).
  const double factor = portable_exp(portable_normal(random) * sigma - sigma * sigma / 2);
  const auto length = static_cast<std::size_t>(std::max(1.0, shape_.mean_length * factor + 0.5));
  std::vector<std::uint32_t> ranks(length);
  for (std::uint32_t& rank : ranks) rank = draw_rank(random.next());
  return ranks;
}

std::string TextGenerator::id(std::uint64_t document) const {
  std::string id("d");
  return id.append(std::to_string(document));
}

void TextGenerator::append_text(std::uint64_t document, std::string& text) const {
  const std::size_t begin = text.size();
  bool first = true;
  for (const std::uint32_t rank : ranks(document)) {
    if (!first) text += ' ';
    first = false;
    text += words_[rank];
    if (mix64(rank + text.size() - begin) % kSentence == 0) text += '.';
  }
}

Topic TextGenerator::topic(std::uint64_t number) const {
  Random random(mix64(~shape_.seed) ^ number);
  const std::uint64_t documents =
      std::min<std::uint64_t>(std::max<std::uint64_t>(shape_.documents, 1), 1ull << 32);
  const std::vector<std::uint32_t> words = ranks(random.below(documents));
  const std::uint64_t wanted = 1 + random.below(5);
  std::vector<std::uint32_t> chosen;
  for (std::uint64_t i = 0; i < wanted; ++i) {
    const std::uint32_t rank = words[random.below(words.size())];
    if (std::find(chosen.begin(), chosen.end(), rank) == chosen.end()) chosen.push_back(rank);
  }
  Topic topic{std::to_string(number + 1), {}};
  for (const std::uint32_t rank : chosen)
    topic.text += (topic.text.empty() ? "" : " ") + words_[rank];
  return topic;
}

std::unique_ptr<index::DocumentSource> synthetic_documents(const SyntheticText& shape,
                                                           std::stop_token stop) {
  return std::make_unique<SyntheticSource>(shape, std::move(stop));
}

void write_synthetic_jsonl(const SyntheticText& shape, std::ostream& out,
                           const std::stop_token& stop) {
  const TextGenerator generator(shape, stop);
  std::string text;
  for (std::uint64_t i = 0; i < shape.documents; ++i) {
    throw_if_stopped(stop);
    text.clear();
    generator.append_text(i, text);
    out << R"({"id": ")" << generator.id(i) << R"(", "contents": ")" << text << "\"}\n";
  }
}

}  // namespace gannet::corpora
