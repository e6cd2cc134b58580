#include "tools/output/answer_output.hpp"

#include <fmt/format.h>

#include <algorithm>
#include <span>

#include "tools/options/open_index.hpp"
#include "tools/output/column_output.hpp"
#include "tools/output/hit_snippets.hpp"
#include "tools/output/plan_json.hpp"
#include "tools/terminal/print.hpp"
#include "tools/terminal/progress.hpp"
#include "tools/terminal/screen.hpp"
#include "tools/terminal/standard_output.hpp"

namespace gannet::tools {
namespace {

std::vector<std::uint32_t> docids_of(std::span<const query::Hit> hits) {
  std::vector<std::uint32_t> docids;
  for (const query::Hit& hit : hits) docids.push_back(hit.docid);
  return docids;
}

Json hits_json(const AnswerView& view, const query::Plan& plan, const Answer& answer,
               std::span<const query::Hit> found) {
  HitSnippets snippets(plan, view.index, view.analyzer, view.snippets);
  const HitFields fields(view.index, view.columns.numbers, docids_of(found));
  Json hits = Json::array();
  for (const query::Hit& hit : found) {
    Json& row = hits.emplace_back(
        hit_json(view.index, hit, answer.before + hits.size() + 1, answer.scored));
    if (!fields.empty()) row["fields"] = fields.json(hits.size() - 1);
    if (!view.snippets.wanted && !view.snippets.whole_text) continue;
    auto text = snippet_text(view.index, view.snippets, hit.docid);
    if (!text) continue;
    if (view.snippets.wanted) row["snippet"] = snippets.json(*text, hit.docid);
    if (view.snippets.whole_text) row["text"] = std::move(*text);
  }
  return hits;
}

void print_field_line(const std::string& line) {
  constexpr std::size_t kIndent = 16;
  const auto columns = screen_columns(stdout);
  print("{:{}}{}\n", "", kIndent, wrapped(columns ? printable(line) : line, kIndent, columns));
}

void print_hits(const AnswerView& view, const query::Plan& plan, const Answer& answer,
                std::span<const query::Hit> hits) {
  HitSnippets snippets(plan, view.index, view.analyzer, view.snippets);
  const HitFields fields(view.index, view.columns.numbers, docids_of(hits));
  std::size_t row = 0;
  for (const query::Hit& hit : hits) {
    const std::string score = answer.scored ? fmt::format("{:9.4f}", hit.score) : "        -";
    const std::uint64_t rank = answer.before + ++row;
    print("{:>3}  {}  {}\n", rank, score, one_line(view.index.document_id(hit.docid)));
    if (!fields.empty()) print_field_line(fields.line(row - 1));
    if (!view.snippets.wanted) continue;
    if (const auto text = snippet_text(view.index, view.snippets, hit.docid))
      snippets.print_line(*text, hit.docid);
  }
}

void print_groups(const AnswerView& view, const query::Plan& plan, const Answer& answer) {
  const query::Grouping& grouping = *answer.columns.grouping;
  for (const query::Group& group : grouping.groups) {
    print("{}: {} ({})\n", grouping.field, one_line(group.value), with_commas(group.count));
    print_hits(view, plan, answer, group.hits);
  }
  if (grouping.missing > 0) {
    print("in no group, for they lack {}: {}\n", grouping.field, with_commas(grouping.missing));
  }
}

void print_ranked(const AnswerView& view, const query::Plan& plan, const Answer& answer) {
  bool any = !answer.hits.empty();
  if (answer.columns.grouping) {
    print_groups(view, plan, answer);
    any = !answer.columns.grouping->groups.empty();
  } else {
    print_hits(view, plan, answer, answer.hits);
  }
  // On stderr, so that no output means no hits for a program that reads stdout.
  if (!any && plan.k() > 0) print(stderr, "no documents found\n");
}

/// What the filter lets pass, and how it was applied.
void print_filter(const query::Report& report) {
  if (report.filter.documents == 0 && report.filter.on_candidates > 0) {
    print("filter: evaluated for the documents that are looked at\n");
    return;
  }
  const double share = 100 * static_cast<double>(report.filter.passing) /
                       static_cast<double>(std::max<std::uint64_t>(report.filter.documents, 1));
  print("filter: {} of {} documents pass ({:.3g} percent; {} estimated); {}; {} new, {} kept\n",
        with_commas(report.filter.passing), with_commas(report.filter.documents), share,
        with_commas(report.filter.estimated),
        report.filter.driven > 0 ? "they are looked up in the lists"
                                 : "a mask, what it leaves out is skipped",
        with_commas(report.filter.made), human_bytes(static_cast<double>(report.filter.bytes)));
}

}  // namespace

Json hit_json(const index::Index& index, const query::Hit& hit, std::size_t rank, bool scored) {
  Json json{{"rank", rank}, {"docid", hit.docid}, {"id", index.document_id(hit.docid)}};
  if (scored) json["score"] = shortest(hit.score);
  return json;
}

namespace {

Json correction_json(const query::Correction& correction) {
  Json words = Json::array();
  for (const query::CorrectedWord& word : correction.words) {
    words.push_back({{"word", word.word},
                     {"term", word.term},
                     {"distance", word.distance},
                     {"documents_before", word.documents_before},
                     {"documents", word.documents}});
  }
  return {
      {"query", correction.text}, {"words", std::move(words)}, {"documents", correction.documents}};
}

}  // namespace

void print_answer_json(const AnswerView& view, const std::string& text, const query::Plan& plan,
                       const Answer& answer, const query::Report& report) {
  Json json{{"query", text}};
  if (answer.total) {
    json["total"] = *answer.total;
  } else {
    json["total_at_least"] = answer.total_at_least;
  }
  json["took_ms"] = 1e3 * answer.seconds;
  if (answer.columns.grouping) {
    json["grouping"] = json_of(*answer.columns.grouping, [&](const query::Group& group) {
      return hits_json(view, plan, answer, group.hits);
    });
  } else if (plan.want() == query::Want::kTopK) {
    json["hits"] = hits_json(view, plan, answer, answer.hits);
    json["next"] = answer.next ? Json(*answer.next) : Json();
  } else if (plan.want() == query::Want::kDocids) {
    Json& ids = json["ids"] = Json::array();
    for (const query::Hit& hit : answer.hits) {
      ids.push_back(view.index.document_id(hit.docid));
    }
  }
  add_columns(view.index, answer.columns, json);
  if (plan.want() == query::Want::kTopK) json["scorer"] = json_of(plan.scorer());
  // What was asked for: that deleted documents are in no answer goes without saying.
  const query::Filter filter = plan.filter().without_live();
  if (!filter.is_all()) json["filter"] = query::to_string(filter);
  if (answer.correction) json["did_you_mean"] = correction_json(*answer.correction);
  if (view.show_plan) json["plan"] = json_of(plan);
  json["report"] = json_of(report);
  print_result("search", json);
}

void print_answer(const AnswerView& view, const query::Plan& plan, const Answer& answer) {
  switch (plan.want()) {
    case query::Want::kTopK:
      print_ranked(view, plan, answer);
      if (view.total && answer.total) {
        print("\n{} {}\n", with_commas(*answer.total), *answer.total == 1 ? "match" : "matches");
      }
      if (view.pages && answer.next) print("\nnext: {}\n", *answer.next);
      break;
    case query::Want::kCount:
      print("{}\n", answer.total.value_or(0));
      break;
    case query::Want::kDocids:
      for (const query::Hit& hit : answer.hits) {
        print("{}\n", one_line(view.index.document_id(hit.docid)));
      }
      break;
  }
  print_columns(view.index, answer.columns);
}

void print_summary(const Answer& answer) {
  if (!is_terminal(stderr)) return;
  flush_stdout();  // it stands below the hits
  const std::string time = human_seconds(answer.seconds);
  if (answer.total) {
    print(stderr, "{} in {}\n", counted(*answer.total, "match", "matches"), time);
  } else {
    print(stderr, "at least {} in {}; --total counts them\n",
          counted(answer.total_at_least, "match", "matches"), time);
  }
}

void print_plan(const query::Plan& plan, const query::Report& report) {
  print("{}", query::to_string(plan));
  print("back end {} ({}): {}, {} postings\n", report.backend, report.reason,
        human_seconds(report.seconds), with_commas(report.postings));
  // A tile that was decoded again counts again, so more may be decoded than there are.
  const std::uint64_t skipped =
      report.tiles_total - std::min(report.tiles_total, report.tiles_decoded);
  print("tiles: {} of {} decoded, {} skipped\n", with_commas(report.tiles_decoded),
        with_commas(report.tiles_total), with_commas(skipped));
  if (report.host_bytes_read > 0) {
    print("bus: {} of lists read from the host's memory\n",
          human_bytes(static_cast<double>(report.host_bytes_read)));
  }
  if (!plan.filter().is_all()) print_filter(report);
  if (report.ranges_total == 0) {
    print("path: every match is looked at, nothing is pruned by bounds\n");
    return;
  }
  const std::uint64_t left =
      report.ranges_total - std::min(report.ranges_total, report.ranges_searched);
  print(
      "path: pruned by bounds: {} of {} ranges searched, {} skipped, {} documents scored; bounds "
      "{}, made in {}\n",
      with_commas(report.ranges_searched), with_commas(report.ranges_total), with_commas(left),
      with_commas(report.documents_scored), human_bytes(static_cast<double>(report.bounds_bytes)),
      human_seconds(report.bounds_seconds));
}

}  // namespace gannet::tools
