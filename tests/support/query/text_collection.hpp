// Documents with several texts, indexed, and what BM25 makes of them by a formula of its own.
#pragma once

#include <algorithm>
#include <cmath>
#include <filesystem>
#include <map>
#include <memory>
#include <random>
#include <string>
#include <utility>
#include <vector>

#include "index/builder.hpp"
#include "index/index.hpp"

namespace gannet::test {

/// texts[0] is the main one, texts[i] that of field i - 1; words with blanks between.
struct TextsDocument {
  std::vector<std::string> texts;
};

/// Documents d0, d1, ...
class TextsSource final : public index::DocumentSource {
 public:
  TextsSource(const std::vector<TextsDocument>& documents, std::size_t begin, std::size_t end)
      : documents_(documents), next_(begin), end_(end) {}

  std::unique_ptr<index::RawBatch> read() override {
    if (next_ == end_) return nullptr;
    auto raw = std::make_unique<Range>();
    raw->first = next_;
    next_ = raw->end = std::min(next_ + 300, end_);
    return raw;
  }
  std::unique_ptr<index::ParsedBatch> parse(std::unique_ptr<index::RawBatch> raw) const override {
    const auto& range = static_cast<const Range&>(*raw);
    auto parsed = std::make_unique<Batch>();
    parsed->ids.reserve(range.end - range.first);
    for (std::size_t i = range.first; i < range.end; ++i) {
      const std::vector<std::string>& texts = documents_[i].texts;
      parsed->add(parsed->ids.emplace_back("d" + std::to_string(i)), texts[0]);
      for (std::uint32_t field = 0; field + 1 < texts.size(); ++field) {
        if (!texts[field + 1].empty()) parsed->add_value(field, texts[field + 1]);
      }
    }
    return parsed;
  }
  std::uint64_t bytes_read() const override { return next_; }
  std::uint64_t bytes_total() const override { return end_; }

 private:
  struct Range : index::RawBatch {
    std::size_t first, end;
  };
  struct Batch : index::ParsedBatch {
    std::vector<std::string> ids;
  };
  const std::vector<TextsDocument>& documents_;
  std::size_t next_;
  std::size_t end_;
};

/// Words w0 (in half of the texts) to w19; fields are short, and some documents lack them. `letter`
/// stands for the w.
inline std::vector<TextsDocument> random_texts(std::size_t documents, std::uint32_t fields,
                                               unsigned seed, char letter = 'w') {
  std::mt19937 random(seed);
  std::vector<TextsDocument> all(documents);
  for (TextsDocument& document : all) {
    for (std::uint32_t text = 0; text <= fields; ++text) {
      std::string& words = document.texts.emplace_back();
      if (random() % 5 == text) continue;  // it lacks this one
      for (std::size_t n = 1 + random() % (text == 0 ? 40 : 8); n > 0; --n) {
        const double x = static_cast<double>(random() % 1000) / 1000;
        words += letter + std::to_string(static_cast<int>(x * x * 20)) + " ";
      }
    }
  }
  return all;
}

/// What a test counts by itself.
class TextCounts {
 public:
  explicit TextCounts(const std::vector<TextsDocument>& documents) {
    for (const TextsDocument& document : documents) {
      auto& own = counts_.emplace_back(document.texts.size());
      for (std::size_t text = 0; text < document.texts.size(); ++text) {
        const std::string& words = document.texts[text];
        for (std::size_t begin = 0; begin < words.size();) {
          const std::size_t end = words.find(' ', begin);
          ++own[text][words.substr(begin, end - begin)];
          begin = end + 1;
        }
      }
    }
    for (std::size_t text = 0; !counts_.empty() && text < counts_[0].size(); ++text) {
      averages_.push_back(average_of(text));
    }
  }

  std::size_t documents() const { return counts_.size(); }
  double frequency(std::size_t document, std::size_t text, const std::string& word) const {
    const auto found = counts_[document][text].find(word);
    return found == counts_[document][text].end() ? 0 : found->second;
  }
  bool has(std::size_t document, std::size_t text, const std::string& word) const {
    return frequency(document, text, word) > 0;
  }
  double length(std::size_t document, std::size_t text) const {
    double sum = 0;
    for (const auto& [word, n] : counts_[document][text]) sum += n;
    return sum;
  }
  /// Over all documents for the main text; for a field over those that have it.
  double average(std::size_t text) const { return averages_.at(text); }
  /// Of documents that have the word in one of the texts.
  double idf(const std::vector<std::size_t>& texts, const std::string& word) const {
    const auto [found, added] = idfs_.try_emplace({texts, word});
    if (added) found->second = idf_of(texts, word);
    return found->second;
  }

 private:
  double average_of(std::size_t text) const {
    double tokens = 0;
    double having = 0;
    for (std::size_t d = 0; d < counts_.size(); ++d) {
      tokens += length(d, text);
      having += text == 0 || length(d, text) > 0 ? 1 : 0;
    }
    return having == 0 ? 0 : tokens / having;
  }
  double idf_of(const std::vector<std::size_t>& texts, const std::string& word) const {
    double df = 0;
    for (std::size_t d = 0; d < counts_.size(); ++d) {
      const auto has_word = [&](std::size_t text) { return has(d, text, word); };
      df += std::ranges::any_of(texts, has_word) ? 1 : 0;
    }
    return std::log(1 + (static_cast<double>(documents()) - df + 0.5) / (df + 0.5));
  }

  std::vector<std::vector<std::map<std::string, double>>> counts_;  ///< by document and text
  std::vector<double> averages_;                                    ///< by text
  mutable std::map<std::pair<std::vector<std::size_t>, std::string>, double> idfs_;
};

/// Fields f0, f1, ... of type text, f0 of weight 2.
inline index::Schema texts_schema(std::uint32_t fields) {
  std::vector<index::FieldSpec> specs;
  for (std::uint32_t i = 0; i < fields; ++i) {
    specs.push_back(
        index::parse_field("f" + std::to_string(i) + ":text" + (i == 0 ? ":weight=2" : "")));
  }
  return index::Schema(std::move(specs));
}

/// Fields f0, f1, ... of type text and weight 1, for queries whose own weights are as large or as
/// small as may be.
inline index::Schema plain_texts_schema(std::uint32_t fields) {
  std::vector<index::FieldSpec> specs;
  for (std::uint32_t i = 0; i < fields; ++i) {
    specs.push_back(index::parse_field("f" + std::to_string(i) + ":text"));
  }
  return index::Schema(std::move(specs));
}

inline index::BuildOptions texts_options(const index::Schema& schema) {
  index::BuildOptions options;
  options.write.schema = schema;
  options.write.analyzer.stemmer = "none";
  options.memory = std::uint64_t{256} << 20;
  return options;
}

/// The documents as an index of several segments, which end at `ends`.
inline std::shared_ptr<const index::Index> build_texts(const std::filesystem::path& directory,
                                                       const std::vector<TextsDocument>& documents,
                                                       const index::Schema& schema,
                                                       const std::vector<std::size_t>& ends,
                                                       bool store = false) {
  std::vector<std::shared_ptr<const index::Segment>> segments;
  index::BuildOptions options = texts_options(schema);
  options.write.store_text = store;
  std::size_t begin = 0;
  for (const std::size_t end : ends) {
    TextsSource source(documents, begin, end);
    const std::filesystem::path part = directory / std::to_string(end);
    index::build_index(source, part, options);
    segments.push_back(index::Index::open(part).segments().front());
    begin = end;
  }
  return std::make_shared<const index::Index>(std::move(segments), options.write.analyzer,
                                              options.write.defaults, schema);
}

}  // namespace gannet::test
