#include "corpora/markup/html/html_text.hpp"

#include <algorithm>

#include "codecs/base/cancellation.hpp"
#include "corpora/markup/html/charset.hpp"
#include "corpora/markup/html/elements.hpp"
#include "corpora/markup/html/html_tag.hpp"
#include "corpora/markup/html/open_elements.hpp"
#include "corpora/markup/html/raw_text.hpp"
#include "corpora/markup/html/references.hpp"
#include "corpora/markup/markup.hpp"

namespace gannet::corpora {
namespace {

constexpr std::string_view kReplacement = "\xef\xbf\xbd";

/// Appends the visible text of a page to a string.
class VisibleText {
 public:
  explicit VisibleText(std::string& text) : text_(text), start_(text.size()) {}

  /// Text as it stands in the page. `references`: it may have character references.
  /// `null` is what a zero byte becomes.
  void append(std::string_view piece, bool references, std::string_view null) {
    constexpr ByteSet kSpecial{std::string_view("&\r\0", 3)};
    // Blanks before all text are none of it.
    const bool first = text_.size() == start_;
    for (std::size_t at = first ? kHtmlBlank.find(piece, 0, false) : 0; at < piece.size();) {
      const std::size_t end = kSpecial.find(piece, at);
      text_.append(piece, at, end - at);
      at = end;
      if (at < piece.size()) at += append_special(piece.substr(at), references, null);
    }
  }

  /// A block begins or ends.
  void end_line() {
    if (text_.size() > start_ && text_.back() != '\n') text_ += '\n';
  }

  void begin_title() {
    if (title_ != Title::kAhead) return;
    title_ = Title::kInside;
    place_.begin = text_.size();
  }
  void end_title() {
    if (title_ != Title::kInside) return;
    title_ = Title::kBehind;
    place_.size = text_.size() - place_.begin;
  }

  /// Takes away the line end behind the last line, which may be the title's.
  void finish() {
    if (text_.size() > start_ && text_.back() == '\n') text_.pop_back();
    if (title_ != Title::kBehind) place_ = {};
    place_.begin = std::min(place_.begin, text_.size());
    place_.size = std::min(place_.size, text_.size() - place_.begin);
  }

  /// The first title; known once the page is finished.
  TitlePlace title() const { return place_; }

 private:
  enum class Title { kAhead, kInside, kBehind };

  /// Takes what `rest` begins with; returns its size.
  std::size_t append_special(std::string_view rest, bool references, std::string_view null) {
    if (rest.front() == '\0') {
      text_ += null;
      return 1;
    }
    if (rest.front() == '\r') {
      text_ += '\n';
      return rest.substr(1, 1) == "\n" ? 2 : 1;
    }
    if (references) return append_reference(rest, References::kHtml, text_);
    text_ += '&';
    return 1;
  }

  std::string& text_;
  std::size_t start_;  ///< of this page's text
  Title title_ = Title::kAhead;
  TitlePlace place_;
};

/// Goes through a page as the tokenizer of the HTML standard does. No tree is made: nothing but
/// OpenElements depends on what is around a place.
class MarkupReader {
 public:
  MarkupReader(std::string_view page, VisibleText& out, const std::stop_token& stop)
      : page_(page), out_(out), check_stop_(stop) {}

  void read() {
    while (at_ < page_.size()) {
      check_stop_();
      const std::size_t open = std::min(page_.find('<', at_), page_.size());
      append(page_.substr(at_, open - at_), true, elements_.is_foreign() ? kReplacement : "");
      at_ = open;
      if (at_ < page_.size()) take_markup();
    }
  }

 private:
  void append(std::string_view text, bool references, std::string_view null) {
    if (!elements_.hides()) out_.append(text, references, null);
  }

  void take_markup() {
    const std::string_view rest = page_.substr(at_);
    const std::size_t name = rest.starts_with("</") ? 2 : 1;
    if (name < rest.size() && is_ascii_letter(rest[name])) return take_tag(name == 2);
    if (rest.starts_with("<![CDATA[") && elements_.allows_character_data())
      return take_character_data();
    const bool comment = rest.starts_with("<!") || rest.starts_with("<?");
    if (comment || (name == 2 && rest.size() > 2)) {
      at_ = end_of_comment(page_, at_);
    } else {
      append(rest.substr(0, name), false, "");
      at_ += name;
    }
  }

  void take_character_data() {
    constexpr std::size_t kBehindOpening = 9;
    const std::size_t begin = at_ + kBehindOpening;
    const std::size_t end = std::min(page_.find("]]>", begin), page_.size());
    append(page_.substr(begin, end - begin), false, kReplacement);
    at_ = std::min(end + 3, page_.size());
  }

  void take_tag(bool closing) {
    const std::size_t begin = at_ + (closing ? 2 : 1);
    const std::size_t name_end = end_of_tag_name(page_, begin);
    bool font_style = false;
    const HtmlTagEnd end =
        read_attributes(page_, name_end, [&](std::string_view name, std::string_view /*value*/) {
          font_style = font_style || same_name(name, "color") || same_name(name, "face") ||
                       same_name(name, "size");
        });
    // Of a tag that does not end nothing is seen.
    at_ = std::min(end.end, page_.size());
    if (end.end == kNowhere) return;
    const ElementName name(page_.substr(begin, name_end - begin));
    if (closing) {
      separate(name.view());
      elements_.end(name.view());
    } else {
      elements_.break_out(name.view(), font_style);
      separate(name.view());
      start(name.view(), end.self_closing);
    }
  }

  void start(std::string_view name, bool self_closing) {
    const bool foreign = elements_.is_foreign();
    elements_.start(name, self_closing);
    const HtmlContents contents = contents_of(name);
    if (!foreign && contents != HtmlContents::kMarkup) take_contents(name, contents);
  }

  /// The contents of an element that are no markup; the end tag is left.
  void take_contents(std::string_view name, HtmlContents contents) {
    const std::size_t end = end_of_contents(page_, at_, name, contents);
    const std::string_view text = page_.substr(at_, end - at_);
    at_ = end;
    const bool seen =
        contents == HtmlContents::kText || contents == HtmlContents::kPlainText || name == "xmp";
    if (!seen || elements_.hides()) return;
    const bool title = name == "title";
    if (title) out_.begin_title();
    out_.append(text, contents == HtmlContents::kText, kReplacement);
    if (title) out_.end_title();
  }

  void separate(std::string_view name) {
    if (!elements_.hides() && !is_inline_element(name)) out_.end_line();
  }

  std::string_view page_;
  VisibleText& out_;
  StopCheck check_stop_;
  std::size_t at_ = 0;
  OpenElements elements_;
};

}  // namespace

TitlePlace append_html_text(std::string_view html, std::string& text, const std::stop_token& stop,
                            std::string_view charset) {
  throw_if_stopped(stop);
  std::string converted;
  const std::string_view page = html_as_utf8(html, converted, charset);
  VisibleText visible(text);
  MarkupReader(page, visible, stop).read();
  visible.finish();
  return visible.title();
}

}  // namespace gannet::corpora
