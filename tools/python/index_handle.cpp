#include "tools/python/index_handle.hpp"

#include <algorithm>
#include <cstdlib>
#include <memory>
#include <optional>
#include <set>

#include "codecs/base/error.hpp"
#include "index/segment/live_documents.hpp"
#include "index/text/analysis_libraries.hpp"
#include "index/text/analyzer.hpp"
#include "query/suggest.hpp"
#include "query/texts/searched_texts.hpp"
#include "tools/options/synonyms_option.hpp"
#include "tools/options/table/searching.hpp"
#include "tools/python/option_table.hpp"

namespace gannet::python {
namespace {

nb::dict statistics(const IndexHandle& self) {
  const index::Statistics& statistics = self.index->statistics();
  nb::dict made;
  made["documents"] = statistics.documents;
  made["terms"] = statistics.terms;
  made["postings"] = statistics.postings;
  made["tokens"] = statistics.tokens;
  made["average_length"] = statistics.average_length();
  made["segments"] = self.index->segments().size();
  made["deleted_documents"] = self.index->deleted_documents();
  if (!self.index->segments().empty()) {
    const index::Segment& first = *self.index->segments().front();
    made["docid_codec"] = std::string(first.docid_codec().name);
    made["freq_codec"] = std::string(first.freq_codec().name);
  }
  made["k1"] = self.index->defaults().k1;
  made["b"] = self.index->defaults().b;
  made["impacts"] = self.index->defaults().payload.impacts;
  made["positions"] = dict_of(tools::positions_size(*self.index));
  return made;
}

nb::dict analyzer(const IndexHandle& self) {
  const index::AnalyzerConfig& config = self.index->analyzer();
  nb::dict made;
  made["tokenizer"] = config.tokenizer;
  made["lowercase"] = config.lowercase;
  made["stemmer"] = config.stemmer;
  made["stopwords"] = config.stopwords;
  made["stopword_list"] = config.stopword_list;
  made["fold_accents"] = config.fold_accents;
  return made;
}

std::vector<std::string> analyze(const IndexHandle& self, const std::string& text) {
  const nb::gil_scoped_release unlocked;
  std::vector<std::string> terms;
  index::Analyzer(self.index->analyzer()).analyze(text, terms);
  return terms;
}

}  // namespace

nb::object dict_of(const tools::PositionsSize& size) {
  if (!size.there()) return nb::none();
  nb::dict made;
  made["number"] = size.number;
  made["bytes"] = size.bytes;
  made["bits_per_position"] = size.bits();
  return made;
}

namespace {

void check_docid(const IndexHandle& self, std::uint64_t docid) {
  const std::uint64_t documents = self.index->statistics().documents;
  if (docid < documents) return;
  throw UsageError("there is no document " + std::to_string(docid) + "; the index has " +
                   std::to_string(documents));
}

nb::list texts_of(const std::vector<std::string>& texts) {
  nb::list all;
  for (const std::string& text : texts) all.append(text_of(text));
  return all;
}

nb::list document_ids(const IndexHandle& self, const Docids& docids) {
  std::vector<std::string> ids;
  {
    const nb::gil_scoped_release unlocked;
    ids.reserve(docids.shape(0));
    for (std::size_t i = 0; i < docids.shape(0); ++i) {
      check_docid(self, docids.data()[i]);
      ids.push_back(self.index->document_id(docids.data()[i]));
    }
  }
  return texts_of(ids);
}

nb::any stored_text(const IndexHandle& self, std::uint64_t docid) {
  check_docid(self, docid);
  std::optional<std::string> text;
  {
    const nb::gil_scoped_release unlocked;
    text = self.index->stored_text(static_cast<index::Docid>(docid));
  }
  return nb::borrow<nb::any>(text ? text_of(*text) : nb::none());
}

/// Terms with document and collection frequencies over all segments.
struct TermTable {
  std::vector<std::string> names = {};
  std::vector<std::uint64_t> documents = {};
  std::vector<std::uint64_t> occurrences = {};
};

/// Those with the prefix, in bytewise order. Touches no Python.
TermTable term_table(const IndexHandle& self, const std::string& prefix, std::uint64_t limit) {
  const auto& segments = self.index->segments();
  std::vector<index::TermRange> ranges;
  for (const auto& segment : segments) {
    ranges.push_back(segment->terms_with_prefix(prefix));
    if (!self.index->schema().has_text()) continue;
    // Terms of text fields come before all others, under keys that are no words.
    const std::uint64_t main = segment->terms_with_prefix(std::string_view("\0", 1)).end;
    ranges.back().first = std::max(ranges.back().first, std::min(main, ranges.back().end));
  }
  std::vector<std::string> next(segments.size());
  const auto load = [&](std::size_t i) {
    next[i] = segments[i]->term(static_cast<index::TermId>(ranges[i].first));
  };
  for (std::size_t i = 0; i < segments.size(); ++i) {
    if (!ranges[i].empty()) load(i);
  }
  TermTable table;
  while (table.names.size() < limit) {
    const std::string* least = nullptr;
    for (std::size_t i = 0; i < segments.size(); ++i) {
      if (!ranges[i].empty() && (least == nullptr || next[i] < *least)) least = &next[i];
    }
    if (least == nullptr) break;
    const std::string term = *least;
    table.documents.push_back(0);
    table.occurrences.push_back(0);
    for (std::size_t i = 0; i < segments.size(); ++i) {
      if (ranges[i].empty() || next[i] != term) continue;
      const auto id = static_cast<index::TermId>(ranges[i].first++);
      table.documents.back() += segments[i]->document_frequency(id);
      table.occurrences.back() += segments[i]->collection_frequency(id);
      if (!ranges[i].empty()) load(i);
    }
    table.names.push_back(term);
  }
  return table;
}

/// Rows (text, term, document frequency).
nb::list suggest(const IndexHandle& self, const std::string& typed, std::uint32_t completions,
                 const std::string& field) {
  query::SuggestOptions options{.completions = completions};
  if (field != index::kContentsField) {
    const query::SearchField named{.name = field};
    options.text = query::searched_texts({&named, 1}, self.index->schema()).front().text;
  }
  std::vector<query::Completion> found;
  {
    const nb::gil_scoped_release unlocked;
    found = query::suggest(*self.index, typed, options);
  }
  nb::list rows;
  for (const query::Completion& one : found) {
    rows.append(nb::make_tuple(text_of(one.text), text_of(one.term), one.document_frequency));
  }
  return rows;
}

nb::tuple terms(const IndexHandle& self, const std::string& prefix, std::uint64_t limit) {
  TermTable table;
  {
    const nb::gil_scoped_release unlocked;
    table = term_table(self, prefix, limit);
  }
  return nb::make_tuple(texts_of(table.names), array_of(std::move(table.documents)),
                        array_of(std::move(table.occurrences)));
}

/// Takes the postings of deleted documents out, from number `first` on; docids are the segment's.
void keep_live(const index::LiveDocuments& live, std::size_t first,
               std::vector<std::uint32_t>& docids, std::vector<std::uint32_t>& frequencies) {
  std::size_t kept = first;
  for (std::size_t p = first; p < docids.size(); ++p) {
    if (!live.has(docids[p])) continue;
    docids[kept] = docids[p];
    frequencies[kept++] = frequencies[p];
  }
  docids.resize(kept);
  frequencies.resize(kept);
}

/// Docids and frequencies of a term over all segments; those of deleted documents if they are
/// wanted.
nb::tuple postings(const IndexHandle& self, const std::string& term, bool deleted) {
  std::vector<std::uint32_t> docids;
  std::vector<std::uint32_t> frequencies;
  {
    const nb::gil_scoped_release unlocked;
    const auto& segments = self.index->segments();
    for (std::size_t i = 0; i < segments.size(); ++i) {
      const auto id = segments[i]->find(term);
      if (!id) continue;
      const index::PostingList list = segments[i]->list(*id);
      const std::size_t before = docids.size();
      docids.resize(before + list.count);
      frequencies.resize(before + list.count);
      list.decode_docids(docids.data() + before);
      list.decode_frequencies(frequencies.data() + before);
      const index::LiveDocuments* const live = self.index->live(i);
      if (live != nullptr && !deleted) keep_live(*live, before, docids, frequencies);
      for (std::size_t p = before; p < docids.size(); ++p) docids[p] += self.index->docid_base(i);
    }
  }
  return nb::make_tuple(array_of(std::move(docids)), array_of(std::move(frequencies)));
}

nb::any document_lengths(const IndexHandle& self) {
  std::vector<std::uint32_t> lengths;
  {
    const nb::gil_scoped_release unlocked;
    lengths.reserve(self.index->statistics().documents);
    for (const auto& segment : self.index->segments()) {
      const auto more = segment->document_lengths();
      lengths.insert(lengths.end(), more.begin(), more.end());
    }
  }
  return array_of(std::move(lengths));
}

std::vector<std::string> warnings(const IndexHandle& self) {
  std::vector<std::string> all = index::library_differences(self.index->analyzer());
  if (self.synonyms == nullptr) return all;
  const std::string left_out = tools::left_out_text(*self.synonyms, self.synonyms_path);
  if (!left_out.empty()) all.push_back(left_out);
  return all;
}

nb::list schema(const IndexHandle& self) {
  nb::list fields;
  for (const index::FieldSpec& field : self.index->schema().fields()) {
    fields.append(nb::make_tuple(field.name, index::type_name(field), field.multi, field.codec));
  }
  return fields;
}

}  // namespace

query::SearcherOptions searcher_options(const nb::dict& options) {
  const auto has = [&](const char* name) {
    return options.contains(name) && !nb::object(options[name]).is_none();
  };
  const auto bytes = [&](const char* name) {
    return tools::parse_size(name, text_value(name, nb::str(nb::object(options[name]))));
  };
  namespace table = tools::options;
  query::SearcherOptions made;
  if (has("backend")) {
    made.backend = value_of<query::BackendChoice>(options, "backend", table::kBackend);
  }
  if (has("threads")) {
    made.cpu.threads = made.cuda.host_threads =
        value_of<unsigned>(options, "threads", table::kHostThreads);
  }
  if (has("bounds_bits")) {
    made.cpu.bounds_bits = made.cuda.bounds_bits =
        value_of<double>(options, "bounds_bits", table::kBoundsBits);
  }
  if (has("candidate_filters")) {
    made.cpu.candidate_filters = made.cuda.candidate_filters =
        value_of<double>(options, "candidate_filters", table::kCandidateFilters);
  }
  if (has("device")) made.cuda.device = value_of<int>(options, "device", table::kDevice);
  if (has("devices")) {
    for (const nb::handle number : nb::iter(nb::object(options["devices"]))) {
      made.cuda.devices.push_back(
          static_cast<int>(whole_number("devices", table::kDevice, number)));
    }
  }
  if (has("spread")) made.cuda.spread = value_of<query::Spread>(options, "spread", table::kSpread);
  if (has("device_budget")) made.cuda.device_bytes = bytes("device_budget");
  if (has("device_memory")) made.cuda.index_bytes = bytes("device_memory");
  return made;
}

IndexHandle::IndexHandle(const std::string& path, const nb::dict& options) {
  const query::SearcherOptions made = searcher_options(options);
  const nb::gil_scoped_release unlocked;
  index = std::make_shared<const index::Index>(index::Index::open(path));
  searcher = std::make_unique<const query::Searcher>(index, made);
}

IndexHandle::IndexHandle(query::Searcher opened)
    : index(opened.shared_index()),
      searcher(std::make_unique<const query::Searcher>(std::move(opened))) {}

void IndexHandle::use_synonyms(const std::string& path) {
  const nb::gil_scoped_release unlocked;
  synonyms = tools::read_synonyms(path, *index);
  synonyms_path = path;
}

std::vector<index::Docid> matches_of(const std::shared_ptr<const index::Index>& index,
                                     const std::string& query, const std::string& filter,
                                     const std::stop_token& stop) {
  if (query.empty() && filter.empty()) {
    throw UsageError("say what to delete: a query, a filter, or '*:*' for all documents");
  }
  const query::Searcher searcher(index, {.backend = query::BackendChoice::kCpu});
  query::Query wanted;
  wanted.want = query::Want::kDocids;
  wanted.text = query.empty() ? "*:*" : query;
  if (!filter.empty()) wanted.filter = query::parse_filter(filter, index->schema());
  const query::Result found = searcher.search(wanted, {.stop = stop});
  return {found.docids.begin(), found.docids.end()};
}

nb::object value_of(const index::FieldSpec& field, const std::string& text) {
  using index::ValueForm;
  switch (field.traits().form) {
    case ValueForm::kWhole: {
      PyObject* const number = PyLong_FromString(text.c_str(), nullptr, 10);
      if (number == nullptr) throw nb::python_error();
      return nb::steal(number);
    }
    case ValueForm::kFloat:
      return nb::float_(std::strtod(text.c_str(), nullptr));
    case ValueForm::kTruth:
      return nb::bool_(text == "true");
    case ValueForm::kString:
      break;
  }
  return text_of(text);
}

/// A handle of the index as it is now, or None.
nb::any refreshed(const IndexHandle& self) {
  std::optional<query::Searcher> searcher;
  {
    const nb::gil_scoped_release unlocked;
    searcher = self.searcher->refresh();
  }
  if (!searcher) return nb::borrow<nb::any>(nb::none());
  auto handle = std::make_unique<IndexHandle>(std::move(*searcher));
  // Read again: an index that was built anew may analyse words otherwise.
  if (self.synonyms != nullptr) handle->use_synonyms(self.synonyms_path);
  return nb::borrow<nb::any>(nb::cast(handle.release(), nb::rv_policy::take_ownership));
}

nb::any find(const IndexHandle& self, const std::string& id) {
  std::optional<index::Docid> docid;
  {
    const nb::gil_scoped_release unlocked;
    docid = self.index->find_document(id);
  }
  return nb::borrow<nb::any>(docid ? nb::object(nb::int_(*docid)) : nb::none());
}

void bind_index(nb::module_& module) {
  nb::class_<IndexHandle>(module, "IndexHandle")
      .def(nb::init<const std::string&, const nb::dict&>(), nb::arg("path"), nb::arg("options"))
      .def_prop_ro("backend", [](const IndexHandle& self) { return self.searcher->backend_name(); })
      .def_prop_ro("documents",
                   [](const IndexHandle& self) {
                     return self.index->statistics().documents - self.index->deleted_documents();
                   })
      .def("stats", statistics)
      .def("analyzer", analyzer)
      .def("schema", schema)
      .def("warnings", warnings)
      .def("use_synonyms", &IndexHandle::use_synonyms, nb::arg("path"))
      .def("analyze", analyze, nb::arg("text"))
      .def("document_ids", document_ids, nb::arg("docids"))
      .def("stored_text", stored_text, nb::arg("docid"))
      .def("document_lengths", document_lengths)
      .def("terms", terms, nb::arg("prefix"), nb::arg("limit"))
      .def("suggest", suggest, nb::arg("prefix"), nb::arg("k"), nb::arg("field"))
      .def("postings", postings, nb::arg("term"), nb::arg("deleted"))
      .def("refreshed", refreshed)
      .def("find", find, nb::arg("id"));
}

}  // namespace gannet::python
