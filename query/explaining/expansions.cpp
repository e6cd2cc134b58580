// The terms that inexact words of a query stand for, in one document.
#include <algorithm>
#include <optional>
#include <set>
#include <string>
#include <utility>
#include <vector>

#include "query/explain.hpp"
#include "query/inexact/code_points.hpp"
#include "query/inexact/edit_distance.hpp"
#include "query/language/expand_word.hpp"
#include "query/language/parse.hpp"
#include "query/language/read_window.hpp"
#include "query/postings/document_places.hpp"
#include "query/postings/posting_stream.hpp"
#include "query/texts/searched_texts.hpp"

namespace gannet::query {
namespace {

std::uint32_t frequency_in_document(const index::Segment& segment, const std::string& key,
                                    index::Docid docid) {
  const auto term = segment.find(key);
  if (!term) return 0;
  PostingStream stream(segment, *term);
  if (!stream.seek(docid) || stream.docid() != docid) return 0;
  return stream.frequency(stream.posting());
}

/// Goes through the syntax of a query.
class Expansions {
 public:
  Expansions(const index::Index& index, const index::Analyzer& analyzer, const Query& query,
             index::Docid docid)
      : index_(index),
        analyzer_(analyzer),
        place_(place_of(index, docid)),
        expander_(index, analyzer, query),
        texts_(searched_texts(query.search_fields, index.schema())) {}

  void add(const Syntax& syntax, std::optional<std::uint32_t> outside) {
    const std::optional<std::uint32_t> text = syntax.text ? syntax.text : outside;
    switch (syntax.kind) {
      case Syntax::Kind::kWildcard:
      case Syntax::Kind::kRegex:
      case Syntax::Kind::kFuzzy:
        return add_word(syntax, text);
      case Syntax::Kind::kPhrase:
        return add_phrase(syntax, text);
      case Syntax::Kind::kGroup:
      case Syntax::Kind::kAnd:
      case Syntax::Kind::kOr:
      case Syntax::Kind::kNot:
        for (const Syntax& part : syntax.parts) add(part, text);
        return;
      case Syntax::Kind::kWord:
      case Syntax::Kind::kPredicate:
      case Syntax::Kind::kSynonym:
      case Syntax::Kind::kWindow:
        break;
    }
  }

  std::vector<ExplainedExpansion> take() { return std::move(made_); }

 private:
  void add_word(const Syntax& syntax, std::optional<std::uint32_t> text) {
    if (text) return add_in(syntax, *text);
    for (const SearchedText& searched : texts_) add_in(syntax, searched.text);
  }

  /// The beginning of a word that a phrase may end with, which its text's analyzer decides.
  void add_phrase(const Syntax& syntax, std::optional<std::uint32_t> text) {
    if (!text) {
      for (const SearchedText& searched : texts_) add_phrase(syntax, searched.text);
      return;
    }
    const bool main = *text == index::kMainText;
    const index::Analyzer& analyzer = main ? analyzer_ : index_.text_analyzer(*text);
    if (const auto prefix = prefix_of_phrase(syntax, analyzer)) add_in(*prefix, *text);
  }

  void add_in(const Syntax& syntax, std::uint32_t text) {
    std::string word(syntax.word);
    if (text != index::kMainText) {
      word = std::string(text_name(index_.schema(), text)) + ":" + word;
    }
    if (!seen_.insert(word).second) return;
    const auto expanded = expander_.expand(syntax, text);
    if (!expanded) return;
    ExplainedExpansion& made = made_.emplace_back();
    made.word = std::move(word);
    made.found = expanded->terms.size();
    const bool fuzzy = syntax.kind == Syntax::Kind::kFuzzy;
    const std::u32string spelling = fuzzy ? code_points(expanded->spelling) : std::u32string();
    const index::Segment& segment = *index_.segments()[place_.segment];
    for (std::size_t i = 0; i < expanded->terms.size(); ++i) {
      const std::string& term = expanded->terms[i];
      const std::uint32_t frequency =
          frequency_in_document(segment, index::text_key(text, term), place_.docid);
      if (frequency == 0) continue;
      ExpandedTerm& one = made.terms.emplace_back(ExpandedTerm{term, frequency});
      if (!fuzzy) continue;
      one.distance = edit_distance(spelling, code_points(term));
      one.boost = expanded->weights[i];
    }
  }

  const index::Index& index_;
  const index::Analyzer& analyzer_;
  SegmentPlace place_;
  WordExpander expander_;
  std::vector<SearchedText> texts_;
  std::set<std::string> seen_;
  std::vector<ExplainedExpansion> made_;
};

}  // namespace

std::vector<ExplainedExpansion> explain_expansions(const index::Index& index,
                                                   const index::Analyzer& analyzer,
                                                   const Query& query, index::Docid docid) {
  if (!query.terms.empty()) return {};
  Expansions expansions(index, analyzer, query, docid);
  expansions.add(parse(query.text, index.schema()), {});
  return expansions.take();
}

}  // namespace gannet::query
