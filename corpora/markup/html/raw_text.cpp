#include "corpora/markup/html/raw_text.hpp"

#include <algorithm>

#include "corpora/markup/html/html_tag.hpp"
#include "corpora/markup/markup.hpp"

namespace gannet::corpora {
namespace {

constexpr std::string_view kScriptName = "script";

/// Whether a tag `name` begins behind the '<' or '</' that ends at `at`.
bool has_name(std::string_view page, std::size_t at, std::string_view name) {
  constexpr ByteSet kBehind{" \t\n\r\f/>"};
  const std::size_t end = at + name.size();
  return end < page.size() && kBehind.has(page[end]) &&
         same_name(page.substr(at, name.size()), name);
}

std::size_t end_of_raw_text(std::string_view page, std::size_t at, std::string_view name) {
  for (at = page.find("</", at); at != kNowhere; at = page.find("</", at + 2)) {
    if (has_name(page, at + 2, name)) return at;
  }
  return page.size();
}

/// In what looks like a comment, a script may have another one, whose end tag is not its own.
std::size_t end_of_script(std::string_view page, std::size_t at) {
  enum class In { kScript, kComment, kCommentedScript };
  constexpr ByteSet kMarks{"<-"};
  In in = In::kScript;
  for (at = kMarks.find(page, at); at < page.size(); at = kMarks.find(page, at)) {
    const std::string_view rest = page.substr(at, 4);
    if (in == In::kScript && rest == "<!--") {
      in = In::kComment;
      at += 2;  // `<!-->` is a whole one
    } else if (in != In::kScript && rest.starts_with("-->")) {
      in = In::kScript;
      at += 3;
    } else if (rest.starts_with("</") && has_name(page, at + 2, kScriptName)) {
      if (in != In::kCommentedScript) return at;
      in = In::kComment;
      at += 2;
    } else {
      const bool opens = rest.starts_with('<') && has_name(page, at + 1, kScriptName);
      if (in == In::kComment && opens) in = In::kCommentedScript;
      ++at;
    }
  }
  return page.size();
}

/// Of a comment whose text begins at `at`: at `-->` or `--!>`, and at once at `>` and `->`.
std::size_t end_of_comment_text(std::string_view page, std::size_t at) {
  const std::string_view rest = page.substr(at, 2);
  if (rest.starts_with('>')) return at + 1;
  if (rest == "->") return at + 2;
  for (at = page.find("--", at); at != kNowhere; at = page.find("--", at + 1)) {
    const std::string_view end = page.substr(at + 2, 2);
    if (end.starts_with('>')) return at + 3;
    if (end == "!>") return at + 4;
  }
  return page.size();
}

}  // namespace

HtmlContents contents_of(std::string_view name) {
  if (name == kScriptName) return HtmlContents::kScript;
  if (name == "title" || name == "textarea") return HtmlContents::kText;
  if (name == "plaintext") return HtmlContents::kPlainText;
  const bool raw = name == "style" || name == "xmp" || name == "iframe" || name == "noscript";
  return raw ? HtmlContents::kRaw : HtmlContents::kMarkup;
}

std::size_t end_of_contents(std::string_view page, std::size_t at, std::string_view name,
                            HtmlContents contents) {
  if (contents == HtmlContents::kPlainText) return page.size();
  if (contents == HtmlContents::kScript) return end_of_script(page, at);
  return end_of_raw_text(page, at, name);
}

std::size_t end_of_comment(std::string_view page, std::size_t at) {
  if (page.substr(at, 4) == "<!--") return end_of_comment_text(page, at + 4);
  const std::size_t end = page.find('>', at);
  return end == kNowhere ? page.size() : end + 1;
}

}  // namespace gannet::corpora
