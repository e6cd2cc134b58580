// Searching: one query with all that goes with its hits, batches as arrays.
#include <memory>
#include <optional>
#include <span>

#include "codecs/base/error.hpp"
#include "corpora/evaluation/trec_run.hpp"
#include "corpora/topics/topics.hpp"
#include "index/text/analyzer.hpp"
#include "query/columns/field_values.hpp"
#include "query/more_like_this.hpp"
#include "query/paging.hpp"
#include "query/search_columns.hpp"
#include "query/snippets/render.hpp"
#include "query/snippets/snippet.hpp"
#include "tools/options/output_files.hpp"
#include "tools/options/table/searching.hpp"
#include "tools/options/table/topics.hpp"
#include "tools/python/column_results.hpp"
#include "tools/python/common.hpp"
#include "tools/python/index_handle.hpp"
#include "tools/python/option_table.hpp"
#include "tools/python/search_options.hpp"

namespace gannet::python {
namespace {

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

/// The page of hits that offset and after name.
query::PageRequest page_of(const nb::dict& options, std::uint32_t hits) {
  const nb::object offset = options["offset"];
  const nb::object after = options["after"];
  return query::page_request(
      hits,
      offset.is_none() ? 0 : value_of<std::uint32_t>(options, "offset", tools::options::kOffset),
      after.is_none() ? std::string() : text_value("after", after));
}

/// Searches the segments that an index had at a cursor's first page, where it has more now. Results
/// do not depend on the back end, and nobody copies segments to a device for a page.
std::unique_ptr<const query::Searcher> searcher_of(
    const IndexHandle& self, const std::shared_ptr<const index::Index>& index) {
  if (index == self.index) return nullptr;
  query::SearcherOptions options;
  options.backend = query::BackendChoice::kCpu;
  return std::make_unique<const query::Searcher>(index, options);
}

/// Answers the request. `text`: of the query, unless that has terms.
nb::dict answer(const IndexHandle& self, const SearchRequest& request, const std::string& text,
                const nb::dict& options) {
  query::ColumnQuery columns = column_query(options, *self.index, request.query.k);
  const auto index = query::index_of(request.page, self.index);
  const auto own = searcher_of(self, index);
  const query::Searcher& searcher = own != nullptr ? *own : *self.searcher;
  struct Found {
    query::Plan plan;
    query::Report report;
    query::ColumnResults columns;
    std::uint64_t count = 0;
    std::optional<std::uint64_t> total = {};  ///< all that match, where they were counted
  };
  const auto work = [&](const std::stop_token& stop) {
    Found found;
    query::SearchOptions search = request.search;
    search.stop = stop;
    found.plan = planned(searcher, request, {&text, 1}, search).front();
    if (found.plan.want() == query::Want::kTopK) {
      found.plan = query::plan_of(request.page, found.plan, columns);
    }
    if (!columns.empty()) {
      found.columns = query::search_columns(searcher, found.plan, columns, {.stop = stop},
                                            &found.report, search);
      found.count = found.columns.count;
      found.total = found.count;
      return found;
    }
    const query::Results results = searcher.search({&found.plan, 1}, &found.report, search);
    const auto hits = results[0].hits();
    found.columns.hits.assign(hits.begin(), hits.end());
    found.columns.scored = found.plan.want() == query::Want::kTopK;
    found.count = results.counts[0];
    if (!found.columns.scored) {
      found.total = found.count;
    } else if (const auto known = query::matches_of(request.page, *index, found.count);
               known.exact) {
      found.total = known.documents;
    } else if (request.total) {
      found.total = totals_of(searcher, {&found.plan, 1}, search)[0];
    }
    return found;
  };
  Found found;
  if (request.quick && columns.empty()) {
    const nb::gil_scoped_release unlocked;
    found = work(request.stop);
  } else {
    found = stoppable(request, work);
  }
  nb::dict made;
  if (found.plan.want() == query::Want::kTopK) {
    query::cut(request.page, found.columns.hits);
    const auto next = query::next_page(request.page, *index, found.plan, columns,
                                       found.columns.hits, found.total);
    made["next"] = next ? nb::object(nb::str(next->c_str())) : nb::none();
    made["before"] = request.page.before();
  }
  add_hits(found.columns.hits, found.columns.scored, made);
  made["count"] = request.total && found.total ? *found.total : found.count;
  if (found.total) made["total"] = *found.total;
  made["groups"] = groups_of(found.columns);
  add_columns(*self.index, found.columns, made);
  made["report"] = dict_of(found.report);
  made["plan"] = nb::cast(PlanHandle{index, std::move(found.plan)});
  return made;
}

nb::dict search(const IndexHandle& self, const std::string& text, const nb::dict& options) {
  SearchRequest request = search_request(options, *self.index, self.synonyms);
  request.page = page_of(options, request.query.k);
  return answer(self, request, text, options);
}

/// By the document with the id or, without one, by the text.
nb::dict more_like_this(const IndexHandle& self, const std::optional<std::string>& id,
                        const std::string& text, const nb::dict& options) {
  SearchRequest request = search_request(options, *self.index, self.synonyms);
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

/// The number of a field that keeps texts; nothing for an empty name, which is the main text.
std::optional<std::size_t> stored_field(const index::Index& index, const std::string& name) {
  if (name.empty()) return {};
  const int number = index.schema().find(name);
  if (number < 0) throw UsageError("field: no field is called '" + name + "'");
  if (index.schema().fields()[static_cast<std::size_t>(number)].is_stored()) {
    return static_cast<std::size_t>(number);
  }
  throw UsageError("field: '" + name + "' keeps no text; build the index with the type 'stored'");
}

/// The snippets of documents as text; None where no text is stored.
nb::list snippets(const PlanHandle& self, const Docids& docids, std::uint32_t fragments,
                  std::uint32_t length, const std::string& highlight, const std::string& field) {
  tools::choice_named("highlight", {"html", "text", "none"}, highlight);
  const std::optional<std::size_t> stored = stored_field(*self.index, field);
  std::vector<std::optional<std::string>> made;
  interruptible([&](const std::stop_token& stop) {
    const index::Analyzer analyzer(self.index->analyzer());
    query::SnippetMaker maker(self.plan, analyzer, {fragments, length, stop});
    for (std::size_t i = 0; i < docids.shape(0); ++i) {
      const auto text = stored ? self.index->stored_field(*stored, docids.data()[i])
                               : self.index->stored_text(docids.data()[i]);
      std::optional<std::string>& snippet = made.emplace_back();
      if (!text) continue;
      const query::Snippet found =
          stored ? maker.make(*text) : maker.make(*text, *self.index, docids.data()[i]);
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
               const Offsets& offsets, bool ranked, const std::string& format, bool overwrite) {
  if (offsets.shape(0) != topics.size() + 1) throw UsageError("a run has a list for every topic");
  const auto layout = static_cast<corpora::RunLayout>(tools::choice_named(
      "format", tools::options::names_in<tools::options::kRunFormatNames>(), format));
  tools::check_text_output(path, overwrite);
  interruptible([&](const std::stop_token& stop) {
    corpora::RunWriter writer(path, tag, stop, layout, tools::existing_output(overwrite));
    corpora::RunLines lines(tag, layout);
    for (std::size_t i = 0; i < topics.size(); ++i) {
      std::uint64_t rank = 0;
      const std::uint64_t hits = offsets.data()[i + 1] - offsets.data()[i];
      for (std::uint64_t h = offsets.data()[i]; h < offsets.data()[i + 1]; ++h) {
        const std::string id = self.index->document_id(docids.data()[h]);
        if (ranked) {
          lines.add_ranked(topics[i], id, ++rank, hits);
        } else {
          lines.add(topics[i], id, ++rank, scores.data()[h]);
        }
      }
      writer.append(lines.text());
      lines.clear();
    }
    writer.close();
  });
}

/// (id, text), or of vectors (id, {term: weight}), of a topics file.
nb::list read_topics(const std::string& path, const std::string& encoding,
                     const std::string& format, const std::vector<std::string>& parts) {
  corpora::TopicOptions options;
  options.encoding = encoding;
  options.format = static_cast<corpora::TopicFormat>(tools::choice_named(
      "topic_format", tools::options::names_in<tools::options::kTopicFormatNames>(), format));
  options.title = options.description = options.narrative = false;
  bool* const wanted[] = {&options.title, &options.description, &options.narrative};
  for (const std::string& part : parts) {
    *wanted[tools::choice_named(
        "topic_fields", tools::options::names_in<tools::options::kTopicFieldNames>(), part)] = true;
  }
  std::vector<corpora::Topic> topics;
  {
    const nb::gil_scoped_release unlocked;
    topics = corpora::read_topics(path, options);
  }
  nb::list made;
  for (const corpora::Topic& topic : topics) {
    nb::dict terms;
    for (const corpora::TopicTerm& term : topic.vector) terms[term.term.c_str()] = term.weight;
    made.append(nb::make_tuple(
        topic.id, topic.vector.empty() ? nb::object(text_of(topic.text)) : nb::object(terms)));
  }
  return made;
}

}  // namespace

void bind_search(nb::module_& module) {
  nb::class_<PlanHandle>(module, "PlanHandle")
      .def("__str__", [](const PlanHandle& self) { return query::to_string(self.plan); })
      .def("snippets", snippets, nb::arg("docids"), nb::arg("fragments"), nb::arg("length"),
           nb::arg("highlight"), nb::arg("field"));
  module.def("search", search, nb::arg("index"), nb::arg("query"), nb::arg("options"));
  module.def("more_like_this", more_like_this, nb::arg("index"), nb::arg("id").none(),
             nb::arg("text"), nb::arg("options"));
  nb::class_<Stop>(module, "Stop").def(nb::init<>()).def("request", [](Stop& self) {
    self.source.request_stop();
  });
  module.def("field_values", field_values, nb::arg("index"), nb::arg("fields"), nb::arg("docids"));
  module.def("write_run", write_run, nb::arg("index"), nb::arg("path"), nb::arg("tag"),
             nb::arg("topics"), nb::arg("docids"), nb::arg("scores"), nb::arg("offsets"),
             nb::arg("ranked"), nb::arg("format"), nb::arg("overwrite"));
  module.def("read_topics", read_topics, nb::arg("path"), nb::arg("encoding"), nb::arg("format"),
             nb::arg("parts"));
}

}  // namespace gannet::python
