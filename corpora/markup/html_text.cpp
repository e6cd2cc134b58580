#include "corpora/markup/html_text.hpp"

#include <libxml/HTMLparser.h>

#include <algorithm>
#include <array>
#include <memory>
#include <mutex>
#include <new>

#include "codecs/core/cancellation.hpp"
#include "corpora/markup/charset.hpp"
#include "corpora/markup/markup.hpp"

namespace gannet::corpora {
namespace {

/// Deeper elements are not kept on the parser's stack, which it searches at end tags.
constexpr int kDeepest = 512;
constexpr std::size_t kChunk = std::size_t{1} << 16;

template <std::size_t N>
constexpr bool is_sorted(const std::array<std::string_view, N>& names) {
  return std::is_sorted(names.begin(), names.end());
}

constexpr std::array<std::string_view, 7> kHidden{"iframe", "noscript", "object",  "script",
                                                  "style",  "svg",      "template"};
// Inline elements may stand inside a word.
constexpr std::array<std::string_view, 26> kInline{
    "a",      "abbr", "b",    "big",  "cite", "code", "dfn",   "em",   "font",
    "i",      "kbd",  "mark", "q",    "s",    "samp", "small", "span", "strike",
    "strong", "sub",  "sup",  "time", "tt",   "u",    "var",   "wbr"};
static_assert(is_sorted(kHidden) && is_sorted(kInline));

template <std::size_t N>
bool contains(const std::array<std::string_view, N>& names, std::string_view name) {
  return std::binary_search(names.begin(), names.end(), name);
}

std::string_view view_of(const xmlChar* text) { return reinterpret_cast<const char*>(text); }

/// What the parser calls back.
class VisibleText {
 public:
  explicit VisibleText(std::string& text) : text_(text), start_(text.size()) {}

  static htmlSAXHandler handler() {
    htmlSAXHandler handler{};
    handler.startElement = [](void* self, const xmlChar* name, const xmlChar** /*attributes*/) {
      static_cast<VisibleText*>(self)->start(view_of(name));
    };
    handler.endElement = [](void* self, const xmlChar* name) {
      static_cast<VisibleText*>(self)->end(view_of(name));
    };
    handler.characters = [](void* self, const xmlChar* text, int size) {
      static_cast<VisibleText*>(self)->append(text, size);
    };
    handler.ignorableWhitespace = handler.characters;
    handler.cdataBlock = handler.characters;
    return handler;
  }

  /// Takes away the line end that </body> makes behind the last line.
  void finish() {
    if (text_.size() > start_ && text_.back() == '\n') text_.pop_back();
  }

  htmlParserCtxtPtr parser = nullptr;

 private:
  void start(std::string_view name) {
    separate(name);
    const bool hides = contains(kHidden, name);
    if (parser->nameNr > kDeepest && (!hides || hidden_ > 0)) {
      forget_element();
    } else if (hides) {
      ++hidden_;
    }
  }

  void end(std::string_view name) {
    separate(name);
    if (hidden_ > 0 && contains(kHidden, name)) --hidden_;
  }

  void append(const xmlChar* text, int size) {
    if (hidden_ > 0) return;
    text_.append(reinterpret_cast<const char*>(text), static_cast<std::size_t>(size));
  }

  void separate(std::string_view name) {
    if (hidden_ > 0 || text_.size() == start_ || text_.back() == '\n' || contains(kInline, name))
      return;
    text_ += '\n';
  }

  /// Takes the element that has just been opened off the parser's stack, as its own pop does.
  void forget_element() const {
    parser->nameTab[--parser->nameNr] = nullptr;
    parser->name = parser->nameTab[parser->nameNr - 1];
  }

  std::string& text_;
  std::size_t start_;  ///< of this page's text
  int hidden_ = 0;     ///< hidden elements around what is being read
};

constexpr std::size_t kNone = std::string_view::npos;
constexpr std::string_view kBlank = " \t\r\n\f";

bool is_letter(char c) { return (c >= 'a' && c <= 'z') || (c >= 'A' && c <= 'Z'); }

/// Passes a page on to the parser in chunks: its text and the names of its tags. Attributes stay
/// behind, since the parser compares each of them with all that came before in its tag; so do
/// comments and scripts, which nobody sees, and NUL bytes, at which it would end.
class Feed {
 public:
  Feed(htmlParserCtxtPtr parser, std::string_view page, const std::stop_token& stop)
      : parser_(parser), page_(page), stop_(stop) {}

  void run() {
    for (std::size_t at = 0; at != kNone;) {
      const std::size_t open = page_.find('<', at);
      pass(page_.substr(at, open == kNone ? kNone : open - at));
      at = open == kNone ? kNone : pass_markup(open);
    }
    parse(true);
  }

 private:
  /// Passes on what the '<' at `at` begins; returns its end, or kNone if it goes on to the end of
  /// the page, as the HTML standard has it of tags and comments that are not closed.
  std::size_t pass_markup(std::size_t at) {
    const std::string_view rest = page_.substr(at);
    if (rest.starts_with("<!--")) return behind(page_.find("-->", at + 4), 3);
    if (rest.starts_with("<!") || rest.starts_with("<?")) return behind(page_.find('>', at), 1);
    const bool closing = rest.starts_with("</");
    const std::size_t name = at + (closing ? 2 : 1);
    if (name < page_.size() && is_letter(page_[name])) return pass_tag(name, closing);
    if (closing) return behind(page_.find('>', at), 1);
    pass("&lt;");
    return at + 1;
  }

  static std::size_t behind(std::size_t found, std::size_t size) {
    return found == kNone ? kNone : found + size;
  }

  std::size_t pass_tag(std::size_t begin, bool closing) {
    const std::size_t name_end = page_.find_first_of(" \t\r\n\f/>", begin);
    const std::size_t end = end_of_tag(name_end);
    if (end == kNone) return kNone;
    const std::string_view name = page_.substr(begin, std::min(name_end - begin, kLongestName));
    const bool ended = same_name(name, "svg") && page_[end - 2] == '/';
    pass(closing ? "</" : "<");
    pass(name);
    pass(ended ? "/>" : ">");
    const bool raw = !closing && (same_name(name, "script") || same_name(name, "style"));
    return raw ? end_of_raw_text(name, end) : end;
  }

  /// Behind the '>' that ends a tag, whose name ends at `at`: not one between the quotes of a
  /// value.
  std::size_t end_of_tag(std::size_t at) const {
    while (at != kNone) {
      at = page_.find_first_not_of(" \t\r\n\f/", at);
      if (at == kNone) break;
      if (page_[at] == '>') return at + 1;
      at = page_.find_first_of(" \t\r\n\f/>=", at + 1);  // a name may begin with '='
      const std::size_t equals = page_.find_first_not_of(kBlank, at);
      if (equals == kNone || page_[equals] != '=') continue;
      at = end_of_value(page_.find_first_not_of(kBlank, equals + 1));
    }
    return kNone;
  }

  /// Behind the attribute value that begins at `at`.
  std::size_t end_of_value(std::size_t at) const {
    if (at == kNone) return kNone;
    const char c = page_[at];
    if (c == '"' || c == '\'') return behind(page_.find(c, at + 1), 1);
    return page_.find_first_of(" \t\r\n\f>", at);
  }

  /// Where the end tag of a script or style sheet is.
  std::size_t end_of_raw_text(std::string_view name, std::size_t at) const {
    at = page_.find("</", at);
    while (at != kNone && !same_name(page_.substr(at + 2, name.size()), name)) {
      at = page_.find("</", at + 2);
    }
    return at;
  }

  void pass(std::string_view text) {
    for (const char c : text) {
      chunk_[size_++] = c == '\0' ? ' ' : c;
      if (size_ == kChunk) parse(false);
    }
  }

  void parse(bool at_end) {
    throw_if_stopped(stop_);
    htmlParseChunk(parser_, chunk_.data(), static_cast<int>(size_), at_end ? 1 : 0);
    size_ = 0;
  }

  static constexpr std::size_t kLongestName = 64;

  htmlParserCtxtPtr parser_;
  std::string_view page_;
  const std::stop_token& stop_;
  std::array<char, kChunk> chunk_{};
  std::size_t size_ = 0;
};

struct FreeParser {
  void operator()(htmlParserCtxtPtr parser) const {
    if (parser->myDoc != nullptr) xmlFreeDoc(parser->myDoc);
    htmlFreeParserCtxt(parser);
  }
};

}  // namespace

void append_html_text(std::string_view html, std::string& text, const std::stop_token& stop) {
  static std::once_flag initialised;
  std::call_once(initialised, xmlInitParser);
  std::string converted;
  const std::string_view page = html_as_utf8(html, converted);
  VisibleText visible(text);
  htmlSAXHandler handler = VisibleText::handler();
  const std::unique_ptr<htmlParserCtxt, FreeParser> parser(
      htmlCreatePushParserCtxt(&handler, &visible, nullptr, 0, nullptr, XML_CHAR_ENCODING_UTF8));
  if (!parser) throw std::bad_alloc();
  htmlCtxtUseOptions(parser.get(), HTML_PARSE_RECOVER | HTML_PARSE_NOERROR | HTML_PARSE_NOWARNING |
                                       HTML_PARSE_NONET | HTML_PARSE_IGNORE_ENC);
  visible.parser = parser.get();
  Feed(parser.get(), page, stop).run();
  visible.finish();
}

}  // namespace gannet::corpora
