// What may have been meant by a query.
#include "query/did_you_mean.hpp"

#include <optional>
#include <string>

#include "tools/python/common.hpp"
#include "tools/python/index_handle.hpp"
#include "tools/python/search_options.hpp"

namespace gannet::python {
namespace {

/// (text, rows of words, documents), or None.
nb::object did_you_mean(const IndexHandle& self, const std::string& text, const nb::dict& options) {
  SearchRequest request = search_request(options, *self.index);
  request.query.text = text;
  std::optional<query::Correction> correction;
  stoppable(request, [&](const std::stop_token& stop) {
    request.search.stop = stop;
    correction = query::did_you_mean(*self.searcher, request.query, request.plain, request.search);
    return 0;
  });
  if (!correction) return nb::none();
  nb::list words;
  for (const query::CorrectedWord& word : correction->words) {
    words.append(nb::make_tuple(text_of(word.word), text_of(word.term), word.distance,
                                word.documents_before, word.documents));
  }
  return nb::make_tuple(text_of(correction->text), words, correction->documents);
}

}  // namespace

void bind_did_you_mean(nb::module_& module) {
  module.def("did_you_mean", did_you_mean, nb::arg("index"), nb::arg("query"), nb::arg("options"));
}

}  // namespace gannet::python
