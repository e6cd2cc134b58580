#include "tools/output/hit_snippets.hpp"

#include <algorithm>

#include "query/snippets/render.hpp"
#include "tools/terminal/print.hpp"
#include "tools/terminal/screen.hpp"

namespace gannet::tools {
namespace {

const query::Markup kAsterisks{.open = "*", .close = "*"};

std::string rendered(const query::Snippet& snippet, std::string_view text, Highlight highlight) {
  switch (highlight) {
    case Highlight::kText:
      return query::to_plain_text(snippet, text, kAsterisks);
    case Highlight::kHtml:
      return query::to_html(snippet, text);
    case Highlight::kAnsi:
      return query::to_ansi(snippet, text);
    case Highlight::kNone:
      break;
  }
  return query::to_plain_text(snippet, text);
}

}  // namespace

HitSnippets::HitSnippets(const query::Plan& plan, const index::Index& index,
                         const index::Analyzer& analyzer, const SnippetChoice& choice)
    : index_(index), of_field_(choice.field.has_value()), highlight_(choice.highlight) {
  if (!choice.wanted) return;
  for (const query::PlanTerm& term : plan.terms()) terms_.push_back(term.text);
  maker_.emplace(plan, analyzer, choice.options);
}

query::Snippet HitSnippets::make(std::string_view text, index::Docid docid) {
  return of_field_ ? maker_->make(text) : maker_->make(text, index_, docid);
}

void HitSnippets::print_line(std::string_view text, index::Docid docid) {
  if (!maker_) return;
  std::string line = rendered(make(text, docid), text, highlight_);
  if (line.empty()) return;
  // HTML keeps the text's line ends, which are blanks there.
  std::replace_if(
      line.begin(), line.end(), [](char c) { return c == '\n' || c == '\r'; }, ' ');
  constexpr std::size_t kIndent = 16;
  const std::string shown = highlight_ == Highlight::kAnsi ? line : printable(line);
  const std::string indented =
      fmt::format("{:{}}{}\n", "", kIndent, wrapped(shown, kIndent, screen_columns(stdout)));
  if (highlight_ == Highlight::kAnsi) {
    print_styled(stdout, indented);  // cleaned already
  } else {
    print_text(stdout, indented);
  }
}

Json HitSnippets::json(std::string_view text, index::Docid docid) {
  const query::Snippet snippet = make(text, docid);
  Json fragments = Json::array();
  for (const query::Fragment& fragment : snippet.fragments) {
    Json marks = Json::array();
    for (const query::Mark& mark : fragment.marks) {
      marks.push_back({{"begin", mark.begin}, {"end", mark.end}, {"term", terms_[mark.term]}});
    }
    const std::string_view piece = text.substr(fragment.begin, fragment.end - fragment.begin);
    fragments.push_back({{"begin", fragment.begin},
                         {"end", fragment.end},
                         {"text", piece},
                         {"marks", std::move(marks)}});
  }
  Json json = Json::object();
  json["fragments"] = std::move(fragments);
  if (highlight_ == Highlight::kHtml) json["html"] = rendered(snippet, text, highlight_);
  if (highlight_ == Highlight::kText) json["plain"] = rendered(snippet, text, highlight_);
  if (highlight_ == Highlight::kAnsi) json["ansi"] = rendered(snippet, text, highlight_);
  return json;
}

}  // namespace gannet::tools
