// Where documents are, and why they have their scores.
#include <optional>

#include "codecs/base/error.hpp"
#include "query/explain.hpp"
#include "tools/python/common.hpp"
#include "tools/python/index_handle.hpp"
#include "tools/python/search_options.hpp"

namespace gannet::python {
namespace {

nb::dict dict_of(const query::ExplainedTerm& term) {
  nb::dict made;
  made["term"] = text_of(term.term);
  made["document_frequency"] = term.document_frequency;
  made["collection_frequency"] = term.collection_frequency;
  made["weight"] = term.weight;
  made["required"] = term.required;
  made["frequency"] = term.frequency;
  made["length"] = term.length;
  made["contribution"] = term.contribution;
  made["formula"] = term.formula;
  made["positions"] = term.positions;
  nb::list words;
  for (const query::ExplainedPhraseWord& word : term.phrase_words) {
    nb::dict one;
    one["word"] = text_of(word.word);
    one["document_frequency"] = word.document_frequency;
    one["factor"] = word.factor;
    words.append(one);
  }
  made["phrase_words"] = words;
  return made;
}

nb::dict dict_of(const query::ExplainedExpansion& expansion) {
  nb::list terms;
  for (const query::ExpandedTerm& term : expansion.terms) {
    nb::dict one;
    one["term"] = text_of(term.term);
    one["frequency"] = term.frequency;
    one["distance"] = term.distance ? nb::object(nb::int_(*term.distance)) : nb::none();
    one["boost"] = term.boost;
    terms.append(one);
  }
  nb::dict made;
  made["word"] = text_of(expansion.word);
  made["found"] = expansion.found;
  made["terms"] = terms;
  return made;
}

nb::dict dict_of(const query::ExplainedWord& word, const query::Explanation& explanation) {
  nb::list terms;
  for (const std::uint32_t term : word.terms) terms.append(text_of(explanation.terms[term].term));
  nb::dict made;
  made["terms"] = terms;
  made["document_frequency"] = word.document_frequency;
  made["weight"] = word.weight;
  made["contribution"] = word.contribution;
  made["formula"] = word.formula;
  return made;
}

nb::dict dict_of(const query::ExplainedFilter& filter) {
  nb::dict made;
  made["filter"] = text_of(filter.filter);
  made["passes"] = filter.passes;
  return made;
}

nb::dict dict_of(const query::Mismatch& mismatch) {
  nb::list names;
  for (const std::string& name : mismatch.names) names.append(text_of(name));
  nb::dict made;
  made["kind"] = std::string(query::mismatch_name(mismatch.kind));
  made["names"] = names;
  made["message"] = text_of(query::to_string(mismatch));
  return made;
}

nb::dict dict_of(const query::Explanation& explanation) {
  nb::list terms;
  nb::list words;
  nb::list expansions;
  nb::list filters;
  nb::list mismatches;
  for (const query::ExplainedTerm& term : explanation.terms) terms.append(dict_of(term));
  for (const query::ExplainedWord& word : explanation.words) {
    words.append(dict_of(word, explanation));
  }
  for (const query::ExplainedExpansion& expansion : explanation.expansions) {
    expansions.append(dict_of(expansion));
  }
  for (const query::ExplainedFilter& filter : explanation.filters) filters.append(dict_of(filter));
  for (const query::Mismatch& mismatch : explanation.mismatches) {
    mismatches.append(dict_of(mismatch));
  }
  nb::dict made;
  made["matches"] = explanation.matches;
  made["score"] = explanation.score;
  made["terms"] = terms;
  made["words"] = words;
  made["expansions"] = expansions;
  made["filters"] = filters;
  made["mismatches"] = mismatches;
  return made;
}

nb::dict explain(const IndexHandle& self, const std::string& text, const std::string& id,
                 const nb::dict& options) {
  const SearchRequest request = search_request(options, *self.index, self.synonyms);
  query::Explanation explanation;
  std::optional<index::DocumentPlace> place;
  {
    const nb::gil_scoped_release unlocked;
    place = self.index->locate_document(id);
    if (!place) throw UsageError("no document has the id '" + id + "'");
    const query::Plan plan = planned(*self.searcher, request, {&text, 1}, request.search).front();
    explanation = query::explain(*self.index, plan, place->docid);
    if (!request.plain) {
      query::Query query = request.query;
      query.text = text;
      explanation.expansions = query::explain_expansions(
          *self.index, index::Analyzer(self.index->analyzer()), query, place->docid);
    }
  }
  nb::dict made = dict_of(explanation);
  made["id"] = text_of(id);
  made["docid"] = place->docid;
  return made;
}

/// (docid, segment, whether it is live), or None.
nb::object locate(const IndexHandle& self, const std::string& id) {
  std::optional<index::DocumentPlace> place;
  {
    const nb::gil_scoped_release unlocked;
    place = self.index->locate_document(id);
  }
  if (!place) return nb::none();
  return nb::make_tuple(place->docid, place->segment, place->live);
}

}  // namespace

void bind_explanation(nb::module_& module) {
  module.def("explain", explain, nb::arg("index"), nb::arg("query"), nb::arg("id"),
             nb::arg("options"));
  module.def("locate", locate, nb::arg("index"), nb::arg("id"));
}

}  // namespace gannet::python
