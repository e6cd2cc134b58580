// What the target `snippet` tries: the snippets of any bytes are what snippet.hpp says, by a search
// through all stretches of the text, and what is made of them is clean.
#pragma once

#include <simdjson.h>

#include <algorithm>
#include <cstdint>
#include <span>
#include <string>
#include <tuple>
#include <vector>

#include "bench/fuzz/disagreement.hpp"
#include "bench/fuzz/parts/file_input.hpp"
#include "index/text/analyzer.hpp"
#include "query/snippets/parts/marked_terms.hpp"
#include "query/snippets/render.hpp"
#include "query/snippets/snippet.hpp"

namespace gannet::fuzz {

/// A text, a plan of some of its words, and the snippet of them.
class SnippetCase {
 public:
  SnippetCase(std::string_view text, const index::Analyzer& analyzer, unsigned picked,
              query::SnippetOptions options)
      : text_(text), options_(std::move(options)), plan_(plan_of(analyzer, picked)) {
    snippet_ = query::make_snippet(text, plan_, analyzer, options_);
    need(snippet_ == query::make_snippet(text, plan_, analyzer, options_),
         "a text has two different snippets");
    find_tokens(analyzer);
  }

  void check() const {
    check_fragments();
    check_marks();
    check_size();
    if (options_.fragments == 1) check_coverage();
    check_html();
    check_plain_text();
  }

 private:
  struct Token {
    std::uint64_t begin, end;
    std::uint32_t term;
  };
  using Characters = std::uint64_t;

  /// Every `picked`-th distinct term of the text is in the query, every third of these excluded.
  query::Plan plan_of(const index::Analyzer& analyzer, unsigned picked) const {
    std::vector<std::string> words;
    analyzer.analyze(text_, words);
    std::sort(words.begin(), words.end());
    words.erase(std::unique(words.begin(), words.end()), words.end());
    query::Plan::Parts parts;
    parts.collection = {100'000, 1'000'000};
    for (std::size_t i = 0; i < words.size() && parts.terms.size() < 12; i += picked) {
      const auto number = static_cast<std::uint32_t>(parts.terms.size());
      const bool excluded = number % 3 == 2;
      parts.terms.push_back({words[i], 1 + (i * 7919) % 1000, excluded ? 0.0f : 1.0f});
      parts.expression.push_back({query::Node::Kind::kTerm, number});
      if (excluded) parts.expression.push_back({query::Node::Kind::kNot, 1});
      if (number > 0) parts.expression.push_back({query::Node::Kind::kOr, 2});
    }
    return query::Plan(std::move(parts));
  }

  void find_tokens(const index::Analyzer& analyzer) {
    index::Analyzer::Worker worker(analyzer);
    analyzer.tokenize(text_, [&](std::string_view token, std::string_view place) {
      const std::string term(worker.term_of(token));
      const auto begin = static_cast<std::uint64_t>(place.data() - text_.data());
      for (std::uint32_t i = 0; i < plan_.terms().size(); ++i) {
        if (plan_.terms()[i].text != term || plan_.terms()[i].weight == 0) continue;
        tokens_.push_back({begin, begin + place.size(), i});
      }
    });
  }

  /// Code points, and single bytes that are part of none; no more than one apart from the real
  /// number for a sequence that breaks off.
  Characters characters(std::uint64_t begin, std::uint64_t end) const {
    const auto leads = [](char c) { return (static_cast<unsigned char>(c) & 0xC0) != 0x80; };
    return static_cast<Characters>(std::count_if(text_.begin() + static_cast<std::ptrdiff_t>(begin),
                                                 text_.begin() + static_cast<std::ptrdiff_t>(end),
                                                 leads));
  }

  std::string_view piece(const query::Fragment& fragment) const {
    return text_.substr(fragment.begin, fragment.end - fragment.begin);
  }

  void check_fragments() const {
    need(snippet_.fragments.size() <= options_.fragments, "there are too many fragments");
    std::uint64_t end = 0;
    for (const query::Fragment& fragment : snippet_.fragments) {
      need(end <= fragment.begin && fragment.begin < fragment.end && fragment.end <= text_.size(),
           "fragments are out of order or of the text");
      end = fragment.end;
    }
    const std::string_view blanks = " \t\r\n\v\f";
    for (const query::Fragment& fragment : snippet_.fragments) {
      need(blanks.find(piece(fragment).front()) == blanks.npos || fragment.end - fragment.begin > 1,
           "a fragment begins with a blank");
      if (simdjson::validate_utf8(text_.data(), text_.size())) {
        need(simdjson::validate_utf8(piece(fragment).data(), piece(fragment).size()),
             "a fragment cuts a code point");
      }
    }
    if (!tokens_.empty()) need(!snippet_.fragments.empty(), "a text with matches has no snippet");
  }

  /// Marks are the union of the tokens in a fragment, each in one piece.
  void check_marks() const {
    for (const query::Fragment& fragment : snippet_.fragments) {
      std::vector<Token> expected;
      for (const Token& token : tokens_) {
        if (token.begin < fragment.begin || token.end > fragment.end) continue;
        if (!expected.empty() && token.begin < expected.back().end) {
          expected.back().end = token.end;
        } else {
          expected.push_back(token);
        }
      }
      const auto same = [](const query::Mark& mark, const Token& token) {
        return mark.begin == token.begin && mark.end == token.end;
      };
      need(std::equal(fragment.marks.begin(), fragment.marks.end(), expected.begin(),
                      expected.end(), same),
           "marks are not on the tokens of the query's terms");
      for (const query::Mark& mark : fragment.marks) {
        need(std::any_of(tokens_.begin(), tokens_.end(),
                         [&](const Token& token) {
                           return token.term == mark.term && mark.begin <= token.begin &&
                                  token.end <= mark.end;
                         }),
             "a mark has a term that is not there");
      }
    }
  }

  /// The ends may move outwards by a grapheme cluster.
  void check_size() const {
    constexpr Characters kSlack = 200;
    Characters longest = options_.length;
    for (const Token& token : tokens_) {
      longest = std::max(longest, characters(token.begin, token.end));
    }
    Characters all = 0;
    for (const query::Fragment& fragment : snippet_.fragments) {
      all += characters(fragment.begin, fragment.end);
    }
    need(all <= options_.fragments * (longest + kSlack), "fragments are too long");
  }

  /// No stretch of the text has more worth of terms than the fragment.
  void check_coverage() const {
    if (tokens_.empty() || !simdjson::validate_utf8(text_.data(), text_.size())) return;
    const query::MarkedTerms terms(plan_);
    const auto worth = [&](auto inside) {
      std::vector<bool> seen(plan_.terms().size());
      std::uint64_t sum = 0;
      for (const Token& token : tokens_) {
        if (seen[token.term] || !inside(token)) continue;
        seen[token.term] = true;
        sum += terms.worth(token.term);
      }
      return sum;
    };
    const auto within = [&](std::uint64_t begin, std::uint64_t end) {
      return worth([=](const Token& t) { return begin <= t.begin && t.end <= end; });
    };
    const query::Fragment& fragment = snippet_.fragments.front();
    const std::uint64_t shown = within(fragment.begin, fragment.end);
    for (std::size_t i = 0; i < tokens_.size() && i < 200; ++i) {
      for (std::size_t j = i; j < tokens_.size() && j < i + 50; ++j) {
        if (characters(tokens_[i].begin, tokens_[j].end) > options_.length) break;
        need(within(tokens_[i].begin, tokens_[j].end) <= shown,
             "another stretch has more of the query's terms");
      }
    }
  }

  static std::string unescaped(std::string_view html) {
    constexpr std::pair<std::string_view, char> kEscapes[] = {
        {"&amp;", '&'}, {"&lt;", '<'}, {"&gt;", '>'}, {"&quot;", '"'}, {"&#39;", '\''}};
    std::string text;
    while (!html.empty()) {
      need(html.find_first_of("<>\"'") != 0, "a character of HTML is not escaped");
      std::size_t used = 1;
      char c = html.front();
      for (const auto& [escape, character] : kEscapes) {
        if (!html.starts_with(escape)) continue;
        used = escape.size();
        c = character;
      }
      need(c != '&' || used > 1, "an & is not escaped");
      text += c;
      html.remove_prefix(used);
    }
    return text;
  }

  void check_html() const {
    for (const query::Fragment& fragment : snippet_.fragments) {
      query::Snippet single;
      single.fragments = {fragment};
      const std::string back = unescaped(query::to_html(single, text_, {}));
      need(simdjson::validate_utf8(back.data(), back.size()), "HTML is not UTF-8");
      const std::string_view bytes = piece(fragment);
      const bool control = std::any_of(bytes.begin(), bytes.end(), [](char c) {
        return static_cast<unsigned char>(c) < 0x20 || c == 0x7f || c == '\xC2';
      });
      if (!control && simdjson::validate_utf8(bytes.data(), bytes.size())) {
        need(back == bytes, "HTML is not the fragment");
      }
    }
    const std::string html = query::to_html(snippet_, text_);
    need(simdjson::validate_utf8(html.data(), html.size()), "HTML with marks is not UTF-8");
  }

  void check_plain_text() const {
    const std::string line = query::to_plain_text(snippet_, text_);
    need(simdjson::validate_utf8(line.data(), line.size()), "a line is not UTF-8");
    for (const char c : line) {
      need(static_cast<unsigned char>(c) >= 0x20 && c != 0x7f, "a line has control characters");
    }
    need(line.find("  ") == line.npos, "a line has two blanks side by side");
  }

  std::string_view text_;
  query::SnippetOptions options_;
  query::Plan plan_;
  query::Snippet snippet_;
  std::vector<Token> tokens_;
};

/// Input: a byte of choices, and a text.
inline void try_snippet(std::span<const std::uint8_t> input) {
  static const index::Analyzer unicode{index::AnalyzerConfig{}};
  static const index::Analyzer verbatim{index::verbatim_analyzer()};
  if (input.empty()) return;
  const unsigned choice = input.front();
  query::SnippetOptions options;
  options.fragments = 1 + choice % 4;
  options.length = choice & 4u ? 10 : 40;
  SnippetCase(text_of(input.subspan(1)), choice & 8u ? verbatim : unicode, 1 + (choice >> 4),
              options)
      .check();
}

}  // namespace gannet::fuzz
