#include "corpora/markup/html/charset.hpp"

#include <algorithm>
#include <optional>

#include "corpora/markup/encoding/decoder.hpp"
#include "corpora/markup/encoding/encoding.hpp"
#include "corpora/markup/html/html_tag.hpp"
#include "corpora/markup/html/raw_text.hpp"
#include "corpora/markup/markup.hpp"

namespace gannet::corpora {
namespace {

constexpr std::size_t kDeclared = 1024;  // bytes where a declaration may stand

/// What a page that could be read as bytes up to its declaration can mean by it.
std::optional<Encoding> readable_as_bytes(std::optional<Encoding> encoding) {
  if (encoding == Encoding::kUtf16le || encoding == Encoding::kUtf16be) return Encoding::kUtf8;
  if (encoding == Encoding::kUserDefined) return Encoding::kWindows1252;
  return encoding;
}

/// "text/html; charset=koi8-r": what follows `charset` and '='.
std::optional<Encoding> in_content(std::string_view content) {
  constexpr std::string_view kCharset = "charset";
  for (std::size_t at = 0; at + kCharset.size() < content.size(); ++at) {
    if (!same_name(content.substr(at, kCharset.size()), kCharset)) continue;
    at = kHtmlBlank.find(content, at + kCharset.size(), false);
    if (at == content.size() || content[at] != '=') continue;
    at = kHtmlBlank.find(content, at + 1, false);
    std::string_view value = content.substr(at);
    if (value.starts_with('"') || value.starts_with('\'')) {
      const std::size_t end = value.find(value.front(), 1);
      return end == kNowhere ? std::nullopt : encoding_called(value.substr(1, end - 1));
    }
    return encoding_called(value.substr(0, value.find_first_of(" \t\r\n\f;")));
  }
  return std::nullopt;
}

/// That of a <meta> whose name ends at `at`.
std::optional<Encoding> in_meta(std::string_view page, std::size_t at) {
  bool is_content_type = false;
  std::optional<Encoding> of_content;
  std::optional<Encoding> charset;
  const HtmlTagEnd end =
      read_attributes(page, at, [&](std::string_view name, std::string_view value) {
        if (same_name(name, "http-equiv")) is_content_type = same_name(value, "content-type");
        if (same_name(name, "content") && !of_content) of_content = in_content(value);
        if (same_name(name, "charset") && !charset) charset = encoding_called(value);
      });
  if (end.end == kNowhere) return std::nullopt;
  return charset ? charset : is_content_type ? of_content : std::nullopt;
}

/// How far metas are looked for.
enum class MetaSearch {
  kPrescan,  ///< the standard's "prescan a byte stream to determine its encoding"
  kHead,     ///< up to the body, as the tokenizer meets them: not in scripts and the like
};

std::optional<Encoding> in_metas(std::string_view page, MetaSearch search) {
  for (std::size_t at = page.find('<'); at != kNowhere; at = page.find('<', at)) {
    const std::string_view rest = page.substr(at);
    if (rest.starts_with("<!") || rest.starts_with("<?")) {
      at = end_of_comment(page, at);
      continue;
    }
    const std::size_t name = at + (rest.starts_with("</") ? 2 : 1);
    ++at;
    if (name >= page.size() || !is_ascii_letter(page[name])) continue;
    const std::size_t name_end = end_of_tag_name(page, name);
    const bool opens = name == at;
    const ElementName element(page.substr(name, name_end - name));
    if (opens && element.view() == "meta") {
      if (const auto encoding = in_meta(page, name_end)) return encoding;
    }
    at = std::min(end_of_html_tag(page, name_end).end, page.size());
    if (search == MetaSearch::kPrescan || !opens) continue;
    if (element.view() == "body") return std::nullopt;
    const HtmlContents contents = contents_of(element.view());
    if (contents != HtmlContents::kMarkup) {
      at = end_of_contents(page, at, element.view(), contents);
    }
  }
  return std::nullopt;
}

/// `<?xml version="1.0" encoding="koi8-r"?>`.
std::optional<Encoding> in_xml_declaration(std::string_view page) {
  constexpr std::string_view kBegin = "<?xml";
  if (!page.starts_with(kBegin)) return std::nullopt;
  const std::size_t last = page.find('>');
  if (last == std::string_view::npos) return std::nullopt;
  std::optional<Encoding> encoding;
  const std::string_view declaration = page.substr(0, last + 1);
  read_attributes(declaration, kBegin.size(), [&](std::string_view name, std::string_view value) {
    if (name == "encoding") encoding = encoding_called(value);
  });
  return encoding;
}

std::optional<Encoding> declared(std::string_view page) {
  const std::string_view begin = page.substr(0, kDeclared);
  auto encoding = in_metas(begin, MetaSearch::kPrescan);
  if (!encoding) encoding = in_xml_declaration(begin);
  // A browser that meets a declaration later changes to it. What is UTF-8 is not read otherwise.
  if (!encoding && page.size() > kDeclared && !is_utf8(page)) {
    encoding = in_metas(page, MetaSearch::kHead);
  }
  return readable_as_bytes(encoding);
}

/// What is neither marked nor labelled.
Encoding detected(std::string_view text) {
  return is_utf8(text) ? Encoding::kUtf8 : Encoding::kWindows1252;
}

}  // namespace

std::string_view html_as_utf8(std::string_view page, std::string& room,
                              std::string_view transport) {
  auto encoding = encoding_marked(page);
  if (!encoding) encoding = encoding_called(transport);
  if (!encoding) encoding = declared(page);
  return decoded(page, encoding ? *encoding : detected(page), room);
}

std::string_view text_as_utf8(std::string_view text, std::string& room,
                              std::string_view transport) {
  auto encoding = encoding_marked(text);
  if (!encoding) encoding = encoding_called(transport);
  if (!encoding) encoding = utf16_without_mark(text);
  return decoded(text, encoding ? *encoding : detected(text), room);
}

}  // namespace gannet::corpora
