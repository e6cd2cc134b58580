// Searching: one query with all that goes with its hits, batches as arrays.
#include <span>

#include "codecs/base/error.hpp"
#include "corpora/evaluation/trec_run.hpp"
#include "corpora/topics/topics.hpp"
#include "index/text/analyzer.hpp"
#include "query/columns/field_values.hpp"
#include "query/more_like_this.hpp"
#include "query/search_columns.hpp"
#include "query/snippets/render.hpp"
#include "query/snippets/snippet.hpp"
#include "tools/options/table/option.hpp"
#include "tools/python/column_results.hpp"
#include "tools/python/common.hpp"
#include "tools/python/index_handle.hpp"
#include "tools/python/search_options.hpp"

namespace gannet::python {
namespace {

using Docids = nb::ndarray<const std::uint32_t, nb::ndim<1>, nb::c_contig, nb::device::cpu>;
using Scores = nb::ndarray<const float, nb::ndim<1>, nb::c_contig, nb::device::cpu>;
using Offsets = nb::ndarray<const std::uint64_t, nb::ndim<1>, nb::c_contig, nb::device::cpu>;

/// Arrays of hits in lists of Hit.
void add_hits(std::span<const query::Hit> hits, bool scored, nb::dict& made) {
  std::vector<std::uint32_t> docids;
  std::vector<float> scores;
  for (const query::Hit& hit : hits) {
    docids.push_back(hit.docid);
    if (scored) scores.push_back(hit.score);
  }
  made["docids"] = array_of(std::move(docids));
  made["scores"] = scored ? nb::object(array_of(std::move(scores))) : nb::none();
}

nb::object groups_of(const query::ColumnResults& results) {
  if (!results.grouping) return nb::none();
  nb::list groups;
  for (const query::Group& group : results.grouping->groups) {
    nb::dict made;
    made["value"] = text_of(group.value);
    made["count"] = group.count;
    add_hits(group.hits, results.scored, made);
    groups.append(made);
  }
  return groups;
}

/// Answers the request. `text`: of the query, unless that has terms.
nb::dict answer(const IndexHandle& self, const SearchRequest& request, const std::string& text,
                const nb::dict& options) {
  const query::ColumnQuery columns = column_query(options, *self.index, request.query.k);
  struct Found {
    query::Plan plan;
    query::Report report;
    query::ColumnResults columns;
    std::uint64_t count = 0;
  };
  const auto work = [&](const std::stop_token& stop) {
    Found found;
    query::SearchOptions search = request.search;
    search.stop = stop;
    found.plan = planned(*self.searcher, request, {&text, 1}, search).front();
    if (!columns.empty()) {
      found.columns = query::search_columns(*self.searcher, found.plan, columns, {.stop = stop},
                                            &found.report, search);
      found.count = found.columns.count;
      return found;
    }
    const query::Results results = self.searcher->search({&found.plan, 1}, &found.report, search);
    const auto hits = results[0].hits();
    found.columns.hits.assign(hits.begin(), hits.end());
    found.columns.scored = found.plan.want() == query::Want::kTopK;
    found.count = results.counts[0];
    return found;
  };
  Found found;
  if (request.quick && columns.empty()) {
    const nb::gil_scoped_release unlocked;
    found = work({});
  } else {
    found = interruptible(work);
  }
  nb::dict made;
  add_hits(found.columns.hits, found.columns.scored, made);
  made["count"] = found.count;
  // Fewer hits than were wanted are all that there are.
  const bool counted =
      !columns.empty() || found.plan.want() != query::Want::kTopK || found.count < found.plan.k();
  if (counted) made["total"] = found.count;
  made["groups"] = groups_of(found.columns);
  add_columns(*self.index, found.columns, made);
  made["report"] = dict_of(found.report);
  made["plan"] = nb::cast(PlanHandle{self.index, std::move(found.plan)});
  return made;
}

nb::dict search(const IndexHandle& self, const std::string& text, const nb::dict& options) {
  return answer(self, search_request(options, *self.index), text, options);
}

/// By the document with the id or, without one, by the text.
nb::dict more_like_this(const IndexHandle& self, const std::optional<std::string>& id,
                        const std::string& text, const nb::dict& options) {
  SearchRequest request = search_request(options, *self.index);
  {
    const nb::gil_scoped_release unlocked;
    const index::Analyzer analyzer(self.index->analyzer());
    if (id) {
      const auto place = self.index->locate_document(*id);
      if (!place) throw UsageError("no document has the id '" + *id + "'");
      request.query = query::like_document(*self.index, analyzer, place->docid, request.query);
    } else {
      request.query = query::like_text(*self.index, analyzer, text, request.query);
    }
  }
  return answer(self, request, "", options);
}

nb::dict search_batch(const IndexHandle& self, const std::vector<std::string>& texts,
                      const nb::dict& options) {
  const SearchRequest request = search_request(options, *self.index);
  const auto results = std::make_shared<query::Results>();
  query::Report report;
  interruptible([&](const std::stop_token& stop) {
    query::SearchOptions search = request.search;
    search.stop = stop;
    const std::vector<query::Plan> plans = planned(*self.searcher, request, texts, search);
    *results = self.searcher->search(plans, &report, search);
  });
  nb::dict made = dict_of(results);
  made["report"] = dict_of(report);
  return made;
}

nb::list field_values(const IndexHandle& self, const std::vector<std::string>& fields,
                      const Docids& docids) {
  const index::Schema& schema = self.index->schema();
  const auto numbers = query::field_numbers(schema, fields, "fields");
  std::vector<std::vector<query::FieldValues>> values;
  {
    const nb::gil_scoped_release unlocked;
    values = query::field_values(*self.index, numbers, {docids.data(), docids.shape(0)});
  }
  nb::list rows;
  for (const auto& document : values) {
    nb::dict row;
    for (std::size_t i = 0; i < numbers.size(); ++i) {
      const index::FieldSpec& field = schema.fields()[numbers[i]];
      nb::list all;
      for (const std::string& value : document[i]) all.append(value_of(field, value));
      row[field.name.c_str()] = field.multi           ? nb::object(all)
                                : document[i].empty() ? nb::none()
                                                      : nb::object(all[0]);
    }
    rows.append(row);
  }
  return rows;
}

/// The snippets of documents as text; None where no text is stored.
nb::list snippets(const PlanHandle& self, const Docids& docids, std::uint32_t fragments,
                  std::uint32_t length, const std::string& highlight) {
  tools::choice_named("highlight", {"html", "text", "none"}, highlight);
  std::vector<std::optional<std::string>> made;
  interruptible([&](const std::stop_token& stop) {
    const index::Analyzer analyzer(self.index->analyzer());
    query::SnippetMaker maker(self.plan, analyzer, {fragments, length, stop});
    for (std::size_t i = 0; i < docids.shape(0); ++i) {
      const auto text = self.index->stored_text(docids.data()[i]);
      std::optional<std::string>& snippet = made.emplace_back();
      if (!text) continue;
      const query::Snippet found = maker.make(*text);
      const query::Markup marks =
          highlight == "text" ? query::Markup{.open = "*", .close = "*"} : query::Markup{};
      snippet = highlight == "html" ? query::to_html(found, *text)
                                    : query::to_plain_text(found, *text, marks);
    }
  });
  nb::list all;
  for (const auto& snippet : made) all.append(snippet ? text_of(*snippet) : nb::none());
  return all;
}

/// Writes hits of a batch as a TREC run, as `gannet run` does.
void write_run(const IndexHandle& self, const std::string& path, const std::string& tag,
               const std::vector<std::string>& topics, const Docids& docids, const Scores& scores,
               const Offsets& offsets) {
  if (offsets.shape(0) != topics.size() + 1) throw UsageError("a run has a list for every topic");
  interruptible([&](const std::stop_token& stop) {
    corpora::RunWriter writer(path, tag, stop);
    corpora::RunLines lines(tag);
    for (std::size_t i = 0; i < topics.size(); ++i) {
      std::uint64_t rank = 0;
      for (std::uint64_t h = offsets.data()[i]; h < offsets.data()[i + 1]; ++h) {
        lines.add(topics[i], self.index->document_id(docids.data()[h]), ++rank, scores.data()[h]);
      }
      writer.append(lines.text());
      lines.clear();
    }
    writer.close();
  });
}

/// (id, text) of a topics file.
std::vector<std::pair<std::string, std::string>> read_topics(const std::string& path,
                                                             const std::string& encoding) {
  std::vector<std::pair<std::string, std::string>> made;
  const nb::gil_scoped_release unlocked;
  corpora::TopicOptions options;
  options.encoding = encoding;
  for (corpora::Topic& topic : corpora::read_topics(path, options)) {
    if (!topic.vector.empty()) {
      throw UsageError(path + ": vectors of terms are topics of the command 'gannet run' only");
    }
    made.emplace_back(std::move(topic.id), std::move(topic.text));
  }
  return made;
}

}  // namespace

void bind_search(nb::module_& module) {
  nb::class_<PlanHandle>(module, "PlanHandle")
      .def("__str__", [](const PlanHandle& self) { return query::to_string(self.plan); })
      .def("snippets", snippets, nb::arg("docids"), nb::arg("fragments"), nb::arg("length"),
           nb::arg("highlight"));
  module.def("search", search, nb::arg("index"), nb::arg("query"), nb::arg("options"));
  module.def("more_like_this", more_like_this, nb::arg("index"), nb::arg("id").none(),
             nb::arg("text"), nb::arg("options"));
  module.def("search_batch", search_batch, nb::arg("index"), nb::arg("queries"),
             nb::arg("options"));
  module.def("field_values", field_values, nb::arg("index"), nb::arg("fields"), nb::arg("docids"));
  module.def("write_run", write_run, nb::arg("index"), nb::arg("path"), nb::arg("tag"),
             nb::arg("topics"), nb::arg("docids"), nb::arg("scores"), nb::arg("offsets"));
  module.def("read_topics", read_topics, nb::arg("path"), nb::arg("encoding"));
}

}  // namespace gannet::python
