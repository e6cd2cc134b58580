// Elements of HTML.
#pragma once

#include <algorithm>
#include <array>
#include <string_view>

namespace gannet::corpora {

// Elements at which a line ends, so that no word reaches over them: those that the HTML standard
// renders as blocks, parts of tables, or boxes of their own within a line, that are not shown, and
// annotations beside the text (<rt>). All others, those that nobody knows included, may stand
// inside a word.
inline constexpr std::array<std::string_view, 102> kSeparators{
    "address",    "applet",   "article",    "aside",     "audio",   "bgsound",
    "blockquote", "body",     "br",         "button",    "canvas",  "caption",
    "center",     "col",      "colgroup",   "datalist",  "dd",      "desc",
    "details",    "dialog",   "dir",        "div",       "dl",      "dt",
    "embed",      "fieldset", "figcaption", "figure",    "footer",  "foreignobject",
    "form",       "frame",    "frameset",   "h1",        "h2",      "h3",
    "h4",         "h5",       "h6",         "head",      "header",  "hgroup",
    "hr",         "html",     "iframe",     "image",     "img",     "input",
    "isindex",    "legend",   "li",         "link",      "listing", "main",
    "marquee",    "math",     "menu",       "menuitem",  "meta",    "meter",
    "mi",         "mn",       "mo",         "ms",        "mtext",   "multicol",
    "nav",        "noembed",  "noframes",   "noscript",  "object",  "ol",
    "optgroup",   "option",   "p",          "plaintext", "pre",     "progress",
    "rp",         "rt",       "rtc",        "script",    "search",  "section",
    "select",     "style",    "summary",    "svg",       "table",   "tbody",
    "td",         "template", "text",       "textarea",  "tfoot",   "th",
    "thead",      "title",    "tr",         "ul",        "video",   "xmp"};
static_assert(std::is_sorted(kSeparators.begin(), kSeparators.end()));

/// `name` in small letters.
constexpr bool is_inline_element(std::string_view name) {
  return !std::binary_search(kSeparators.begin(), kSeparators.end(), name);
}

}  // namespace gannet::corpora
