// Documents of several values of two texts, and the positions that a naive analysis finds in them.
#pragma once

#include <algorithm>
#include <cstdint>
#include <map>
#include <memory>
#include <random>
#include <span>
#include <string>
#include <utility>
#include <vector>

#include "index/builder.hpp"
#include "index/index.hpp"
#include "index/positions/position_cursor.hpp"
#include "index/text/analyzer.hpp"

namespace gannet::test {

inline constexpr std::uint32_t kTitleText = 1;  ///< the text field's number in the schema

/// A document of several values of the main text, and of a text field.
struct ValuesOfTexts {
  std::string id;
  std::vector<std::string> main, title;
};

class ValuesSource final : public index::DocumentSource {
 public:
  ValuesSource(std::span<const ValuesOfTexts> documents, std::size_t batch)
      : documents_(documents), batch_(batch) {}

  std::unique_ptr<index::RawBatch> read() override {
    if (next_ == documents_.size()) return nullptr;
    auto raw = std::make_unique<Range>();
    raw->first = next_;
    next_ = raw->end = std::min(next_ + batch_, documents_.size());
    return raw;
  }
  std::unique_ptr<index::ParsedBatch> parse(std::unique_ptr<index::RawBatch> raw) const override {
    const auto& range = static_cast<const Range&>(*raw);
    auto parsed = std::make_unique<index::ParsedBatch>();
    for (std::size_t i = range.first; i < range.end; ++i) {
      parsed->add(documents_[i].id);
      for (const std::string& text : documents_[i].main) parsed->add_field("part", text);
      for (const std::string& text : documents_[i].title) parsed->add_value(kTitleText, text);
    }
    return parsed;
  }
  std::uint64_t bytes_read() const override { return next_; }
  std::uint64_t bytes_total() const override { return documents_.size(); }

 private:
  struct Range final : index::RawBatch {
    std::size_t first = 0, end = 0;
  };
  std::span<const ValuesOfTexts> documents_;
  std::size_t batch_;
  std::size_t next_ = 0;
};

/// Key of the term, then id of the document.
using PositionsFound = std::map<std::pair<std::string, std::string>, std::vector<std::uint32_t>>;

/// Places of the terms of a text's values; returns the span.
inline std::uint32_t add_positions(const std::vector<std::string>& values,
                                   const index::AnalyzerConfig& config, std::uint32_t text,
                                   const std::string& id, PositionsFound& found) {
  index::Analyzer analyzer(config);
  index::Analyzer::Worker worker(analyzer);
  std::uint32_t span = 0;
  for (const std::string& value : values) {
    std::vector<std::string> tokens;
    analyzer.tokenize(value, [&](std::string_view token) { tokens.emplace_back(token); });
    if (tokens.empty()) continue;
    std::uint32_t place = span == 0 ? 0 : span + 100;
    for (const std::string& token : tokens) {
      const std::string term(worker.term_of(token));
      if (!term.empty()) found[{index::text_key(text, term), id}].push_back(place);
      ++place;
    }
    span = place;
  }
  return span;
}

inline PositionsFound expected_positions(std::span<const ValuesOfTexts> documents,
                                         const index::WriteOptions& options) {
  PositionsFound found;
  for (const ValuesOfTexts& document : documents) {
    add_positions(document.main, options.analyzer, index::kMainText, document.id, found);
    if (options.schema.empty()) continue;
    add_positions(document.title,
                  index::text_analyzer(options.analyzer, options.schema.fields()[kTitleText].text),
                  kTitleText, document.id, found);
  }
  return found;
}

/// Of documents that are not deleted.
inline PositionsFound positions_in(const index::Index& opened) {
  PositionsFound found;
  for (std::size_t s = 0; s < opened.segments().size(); ++s) {
    const index::Segment& segment = *opened.segments()[s];
    for (index::TermId t = 0; t < segment.statistics().terms; ++t) {
      const index::PostingList list = segment.list(t);
      std::vector<std::uint32_t> docids(list.count), freqs(list.count), positions;
      list.decode_docids(docids.data());
      list.decode_frequencies(freqs.data());
      index::decode_list_positions(segment, t, list, docids, freqs, positions);
      std::size_t at = 0;
      for (std::size_t i = 0; i < docids.size(); at += freqs[i++]) {
        if (!opened.is_live(opened.docid_base(s) + docids[i])) continue;
        const auto first = positions.begin() + static_cast<std::ptrdiff_t>(at);
        found[{segment.term(t), segment.document_id(docids[i])}].assign(first, first + freqs[i]);
      }
    }
  }
  return found;
}

inline std::string random_value(std::mt19937& random, std::size_t most) {
  static const char* const kDropped[] = {"the", "of", "and"};
  std::string text;
  for (std::size_t words = random() % (most + 1); words > 0; --words) {
    const double x = static_cast<double>(random() % 1000) / 1000;
    text += random() % 5 == 0 ? kDropped[random() % 3]
                              : "w" + std::to_string(static_cast<int>(x * x * x * 300));
    text += ' ';
  }
  return text;
}

inline std::vector<ValuesOfTexts> random_values_of_texts(std::size_t count, unsigned seed) {
  std::mt19937 random(seed);
  std::vector<ValuesOfTexts> documents(count);
  for (std::size_t i = 0; i < count; ++i) {
    documents[i].id = "d" + std::to_string(i);
    for (std::size_t n = random() % 4; n > 0; --n) {
      documents[i].main.push_back(random_value(random, 60));
    }
    for (std::size_t n = random() % 3; n > 0; --n) {
      documents[i].title.push_back(random_value(random, 6));
    }
  }
  return documents;
}

inline index::BuildOptions options_with_title() {
  index::BuildOptions options;
  options.write.analyzer.stopwords = "english";
  options.write.schema =
      index::Schema({index::parse_field("n:i32"), index::parse_field("title:text")});
  options.write.overwrite = true;
  return options;
}

}  // namespace gannet::test
