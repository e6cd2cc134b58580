#include "corpora/markup/html_text.hpp"

#include <libxml/HTMLparser.h>

#include <algorithm>
#include <array>
#include <cstdint>
#include <memory>
#include <mutex>
#include <new>

#include "codecs/core/cancellation.hpp"
#include "corpora/markup/charset.hpp"
#include "corpora/markup/elements.hpp"
#include "corpora/markup/markup.hpp"

namespace gannet::corpora {
namespace {

/// Deeper elements are not kept on the parser's stack, which it searches at end tags.
constexpr int kDeepestTag = 512;
constexpr std::size_t kChunk = std::size_t{1} << 16;

template <std::size_t N>
constexpr bool is_sorted(const std::array<std::string_view, N>& names) {
  return std::is_sorted(names.begin(), names.end());
}

constexpr std::array<std::string_view, 7> kHidden{"iframe", "noscript", "object",  "script",
                                                  "style",  "svg",      "template"};
static_assert(is_sorted(kHidden));

template <std::size_t N>
bool contains(const std::array<std::string_view, N>& names, std::string_view name) {
  return std::binary_search(names.begin(), names.end(), name);
}

constexpr std::string_view kTitle = "title";

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

  /// Takes away the line end that </body> makes behind the last line, which may be the title's.
  void finish() {
    if (text_.size() > start_ && text_.back() == '\n') text_.pop_back();
    if (title_ != Title::kBehind) place_ = {};
    place_.begin = std::min(place_.begin, text_.size());
    place_.size = std::min(place_.size, text_.size() - place_.begin);
  }

  /// The first title that is closed; known once the page is finished.
  TitlePlace title() const { return place_; }

  htmlParserCtxtPtr parser = nullptr;

 private:
  enum class Title { kAhead, kInside, kBehind };

  void start(std::string_view name) {
    separate(name);
    if (name == kTitle && hidden_ == 0 && title_ == Title::kAhead) {
      title_ = Title::kInside;
      place_.begin = text_.size();
    }
    const bool hides = contains(kHidden, name);
    if (parser->nameNr > kDeepestTag && (!hides || hidden_ > 0)) {
      forget_element();
    } else if (hides) {
      ++hidden_;
    }
  }

  void end(std::string_view name) {
    if (name == kTitle && title_ == Title::kInside) {
      title_ = Title::kBehind;
      place_.size = text_.size() - place_.begin;
    }
    separate(name);
    if (hidden_ > 0 && contains(kHidden, name)) --hidden_;
  }

  void append(const xmlChar* text, int size) {
    if (hidden_ > 0) return;
    text_.append(reinterpret_cast<const char*>(text), static_cast<std::size_t>(size));
  }

  void separate(std::string_view name) {
    if (hidden_ > 0 || text_.size() == start_ || text_.back() == '\n' || is_inline_element(name))
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
  Title title_ = Title::kAhead;
  TitlePlace place_;
  int hidden_ = 0;  ///< hidden elements around what is being read
};

constexpr std::string_view kBlank = " \t\r\n\f";

bool is_letter(char c) { return (c >= 'a' && c <= 'z') || (c >= 'A' && c <= 'Z'); }
bool is_letter_or_digit(char c) { return is_letter(c) || (c >= '0' && c <= '9'); }
bool is_in_name(char c) {
  return is_letter_or_digit(c) || c == '-' || c == '_' || c == ':' || c == '.';
}
char lower(char c) { return c >= 'A' && c <= 'Z' ? static_cast<char>(c - 'A' + 'a') : c; }

/// The longest name of an element or entity that is known has 10 letters.
constexpr std::size_t kLongestKnown = 15;
/// A name with a NUL behind it, as the parser's tables are asked.
using KnownName = std::array<char, kLongestKnown + 1>;

std::string_view view_of(const KnownName& name) { return name.data(); }
const xmlChar* xml_of(const KnownName& name) {
  return reinterpret_cast<const xmlChar*>(name.data());
}

bool is_known_element(const KnownName& name) {
  return htmlTagLookup(xml_of(name)) != nullptr || contains(kHidden, view_of(name)) ||
         is_inline_element(view_of(name));
}

/// The name that the parser is told for an element's: its own in small letters if it means
/// anything to the parser or to us, else one of 256. The parser keeps every name that it has seen,
/// and searches longer the more there are. Names that are shared only blur which of several unknown
/// elements an end tag ends.
KnownName name_for_parser(std::string_view name) {
  KnownName known{};
  if (name.size() <= kLongestKnown) {
    std::transform(name.begin(), name.end(), known.begin(), lower);
    if (is_known_element(known)) return known;
    known.fill(0);
  }
  std::uint32_t hash = 2166136261u;  // FNV-1a
  for (const char c : name) hash = (hash ^ static_cast<unsigned char>(lower(c))) * 16777619u;
  constexpr std::string_view kDigits = "0123456789abcdef";
  hash ^= hash >> 16;
  known[0] = 'x';
  known[1] = kDigits[hash >> 4 & 15];
  known[2] = kDigits[hash & 15];
  return known;
}

/// Whether the text behind an '&' begins with what the parser makes a character of.
bool is_reference(std::string_view text) {
  if (text.starts_with('#')) return true;
  KnownName name{};
  std::size_t size = 0;
  while (size < std::min(text.size(), kLongestKnown) && is_letter_or_digit(text[size])) {
    name[size] = text[size];
    ++size;
  }
  return size < text.size() && text[size] == ';' && htmlEntityLookup(xml_of(name)) != nullptr;
}

/// Passes a page on to the parser in chunks: its text and the names of its tags. Attributes stay
/// behind, since the parser compares each of them with all that came before in its tag; so do
/// names that mean nothing, which it would collect, comments and scripts, which nobody sees, and
/// NUL bytes, at which it would end.
class Feed {
 public:
  Feed(htmlParserCtxtPtr parser, std::string_view page, const std::stop_token& stop)
      : parser_(parser), page_(page), stop_(stop) {}

  void run() {
    for (std::size_t at = 0; at != std::string_view::npos;) {
      const std::size_t open = page_.find('<', at);
      pass_text(
          page_.substr(at, open == std::string_view::npos ? std::string_view::npos : open - at));
      at = open == std::string_view::npos ? std::string_view::npos : pass_markup(open);
    }
    parse(true);
  }

 private:
  /// Passes on what the '<' at `at` begins; returns its end, or std::string_view::npos if it goes
  /// on to the end of the page, as the HTML standard has it of tags and comments that are not
  /// closed.
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
    return found == std::string_view::npos ? std::string_view::npos : found + size;
  }

  std::size_t pass_tag(std::size_t begin, bool closing) {
    const std::size_t name_end = page_.find_first_of(" \t\r\n\f/>", begin);
    const std::size_t end = end_of_tag(name_end);
    if (end == std::string_view::npos) return std::string_view::npos;
    const auto* const first = page_.data() + begin;
    const auto* const last = std::find_if_not(first, page_.data() + name_end, is_in_name);
    const KnownName told = name_for_parser({first, last});
    const std::string_view name = view_of(told);
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
    while (at != std::string_view::npos) {
      at = page_.find_first_not_of(" \t\r\n\f/", at);
      if (at == std::string_view::npos) break;
      if (page_[at] == '>') return at + 1;
      at = page_.find_first_of(" \t\r\n\f/>=", at + 1);  // a name may begin with '='
      const std::size_t equals = page_.find_first_not_of(kBlank, at);
      if (equals == std::string_view::npos || page_[equals] != '=') continue;
      at = end_of_value(page_.find_first_not_of(kBlank, equals + 1));
    }
    return std::string_view::npos;
  }

  /// Behind the attribute value that begins at `at`.
  std::size_t end_of_value(std::size_t at) const {
    if (at == std::string_view::npos) return std::string_view::npos;
    const char c = page_[at];
    if (c == '"' || c == '\'') return behind(page_.find(c, at + 1), 1);
    return page_.find_first_of(" \t\r\n\f>", at);
  }

  /// Where the end tag of a script or style sheet is.
  std::size_t end_of_raw_text(std::string_view name, std::size_t at) const {
    at = page_.find("</", at);
    while (at != std::string_view::npos && !same_name(page_.substr(at + 2, name.size()), name)) {
      at = page_.find("</", at + 2);
    }
    return at;
  }

  void pass_text(std::string_view text) {
    for (;;) {
      const std::size_t reference = text.find('&');
      pass(text.substr(0, reference));
      if (reference == std::string_view::npos) return;
      text.remove_prefix(reference + 1);
      pass(is_reference(text) ? "&" : "&amp;");
    }
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

TitlePlace append_html_text(std::string_view html, std::string& text, const std::stop_token& stop,
                            std::string_view charset) {
  static std::once_flag initialised;
  std::call_once(initialised, xmlInitParser);
  std::string converted;
  const std::string_view page = html_as_utf8(html, converted, charset);
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
  return visible.title();
}

}  // namespace gannet::corpora
