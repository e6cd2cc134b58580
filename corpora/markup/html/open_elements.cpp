#include "corpora/markup/html/open_elements.hpp"

#include <algorithm>
#include <array>

namespace gannet::corpora {
namespace {

constexpr std::size_t kDeepest = 512;

/// Elements of HTML that end a drawing or formula.
constexpr std::array<std::string_view, 44> kBreakOut{
    "b",      "big",  "blockquote", "body",  "br",   "center", "code",    "dd",   "div",
    "dl",     "dt",   "em",         "embed", "h1",   "h2",     "h3",      "h4",   "h5",
    "h6",     "head", "hr",         "i",     "img",  "li",     "listing", "menu", "meta",
    "nobr",   "ol",   "p",          "pre",   "ruby", "s",      "small",   "span", "strike",
    "strong", "sub",  "sup",        "table", "tt",   "u",      "ul",      "var"};
static_assert(std::is_sorted(kBreakOut.begin(), kBreakOut.end()));

}  // namespace

bool OpenElements::breaks_out(std::string_view name, bool font_style) {
  return std::binary_search(kBreakOut.begin(), kBreakOut.end(), name) ||
         (name == "font" && font_style);
}

OpenElements::Kind OpenElements::kind_of(std::string_view name) {
  struct Known {
    std::string_view name;
    Kind kind;
  };
  static constexpr std::array<Known, 12> kKnown{{{"desc", Kind::kDescription},
                                                 {"foreignobject", Kind::kForeignObject},
                                                 {"math", Kind::kMath},
                                                 {"mi", Kind::kMathText},
                                                 {"mn", Kind::kMathText},
                                                 {"mo", Kind::kMathText},
                                                 {"ms", Kind::kMathText},
                                                 {"mtext", Kind::kMathText},
                                                 {"svg", Kind::kSvg},
                                                 {"template", Kind::kTemplate},
                                                 {"text", Kind::kText},
                                                 {"title", Kind::kTitle}}};
  for (const Known& known : kKnown) {
    if (known.name == name) return known.kind;
  }
  return Kind::kNone;
}

bool OpenElements::is_foreign() const {
  if (open_.empty()) return false;
  const Kind kind = open_.back().kind;
  return kind == Kind::kSvg || kind == Kind::kMath || kind == Kind::kText;
}

bool OpenElements::allows_character_data() const {
  return !open_.empty() && open_.back().kind != Kind::kTemplate;
}

void OpenElements::push(Kind kind, bool hides, bool hidden_around) {
  if (!open_.empty() && open_.back().kind == kind) {
    ++open_.back().number;
  } else if (open_.size() < kDeepest) {
    open_.push_back({kind, hides, hidden_around, 1});
  }
}

void OpenElements::pop() {
  if (--open_.back().number == 0) open_.pop_back();
}

void OpenElements::leave_foreign() {
  while (is_foreign()) open_.pop_back();
}

void OpenElements::start_foreign(Kind kind) {
  const bool in_math = open_.back().kind == Kind::kMath;
  switch (kind) {
    case Kind::kSvg:
    case Kind::kMath:
      return push(kind, hides(), hidden_around());
    case Kind::kMathText:
      if (in_math) push(kind, hides(), hides());
      return;
    case Kind::kText:
    case Kind::kForeignObject:
      if (!in_math) push(kind, hidden_around(), hidden_around());
      return;
    case Kind::kDescription:
    case Kind::kTitle:
      if (!in_math) push(kind, true, true);
      return;
    default:
      return;
  }
}

void OpenElements::start(std::string_view name, bool self_closing) {
  const Kind kind = kind_of(name);
  if (kind == Kind::kNone) return;
  const bool foreign = is_foreign();
  if (self_closing && (foreign || kind != Kind::kTemplate)) return;
  if (foreign) return start_foreign(kind);
  if (kind == Kind::kTemplate) push(kind, true, true);
  if (kind == Kind::kSvg) push(kind, true, hides());
  if (kind == Kind::kMath) push(kind, hides(), hides());
}

void OpenElements::end(std::string_view name) {
  if (open_.empty()) return;
  if (is_foreign() && (name == "p" || name == "br")) return leave_foreign();
  const Kind kind = kind_of(name);
  if (kind == Kind::kNone) return;
  // Nothing ends what is around a template, but the template's own end what is in it.
  const auto found = std::find_if(open_.rbegin(), open_.rend(), [&](const Open& open) {
    return open.kind == kind || open.kind == Kind::kTemplate;
  });
  if (found == open_.rend() || found->kind != kind) return;
  open_.erase(found.base(), open_.end());
  pop();
}

}  // namespace gannet::corpora
