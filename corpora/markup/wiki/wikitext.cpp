#include "corpora/markup/wiki/wikitext.hpp"

#include <array>
#include <cstdint>

#include "codecs/base/cancellation.hpp"
#include "corpora/markup/html/elements.hpp"
#include "corpora/markup/html/html_tag.hpp"
#include "corpora/markup/html/references.hpp"
#include "corpora/markup/markup.hpp"
#include "corpora/markup/wiki/wiki_elements.hpp"
#include "corpora/markup/wiki/wiki_link.hpp"
#include "corpora/markup/wiki/wiki_output.hpp"

namespace gannet::corpora {
namespace {

constexpr std::size_t kDeepestNesting = 256;

constexpr std::array<bool, 256> special_characters() {
  std::array<bool, 256> special{};
  for (const char c : std::string_view("\n{}[]|<&'_!"))
    special[static_cast<unsigned char>(c)] = true;
  return special;
}
constexpr std::array<bool, 256> kSpecial = special_characters();

/// One pass from the first byte to the last. What may turn out not to be visible is appended all
/// the same, and taken back once it is closed: so every byte is appended and taken back once, and
/// what is never closed stays.
class WikiText {
 public:
  WikiText(std::string_view in, const WikiNames& names, std::string& text,
           const std::stop_token& stop)
      : in_(in), names_(names), out_(text), ends_(in), check_stop_(stop) {}

  void run() {
    begin_line();
    while (at_ < in_.size()) {
      check_stop_();
      const std::size_t begin = at_;
      while (at_ < in_.size() && !kSpecial[static_cast<unsigned char>(in_[at_])]) ++at_;
      if (at_ > begin) out_.append(in_.substr(begin, at_ - begin));
      if (at_ < in_.size()) take_special();
    }
    end_heading();
    end_gallery_line();
    out_.finish();
  }

 private:
  enum class Kind { kTemplate, kTable, kLink };
  /// What is open.
  struct Frame {
    Kind kind;
    std::size_t begin;                ///< of what was appended since
    WikiLink link = WikiLink::kPage;  ///< kLink
    bool divided = false;             ///< kLink: a '|' was met
    bool attributes = false;          ///< kTable: a '|' may still end attributes of the cell
    bool header = false;              ///< kTable: the cell is one of a header
    bool given = true;                ///< kTable: its beginning is there, not in a template
    bool gallery = false;             ///< kLink: a line of a gallery
    /// kLink: of a file's caption that stands before `begin`; npos: there is none yet
    std::size_t caption = std::string_view::npos;
  };

  void take_special() {
    switch (in_[at_]) {
      case '\n':
        return end_line();
      case '{':
        return open_templates();
      case '}':
        return close_templates();
      case '[':
        return in_.substr(at_ + 1, 1) == "[" ? open_link() : open_external_link();
      case ']':
        return close_link();
      case '|':
        return divide();
      case '<':
        return take_markup();
      case '&':
        out_.end_gap();
        at_ += append_reference(in_.substr(at_), References::kWiki, out_.text());
        return;
      case '\'':
        return take_quotes();
      case '_':
        return take_underscore();
      default:
        return take_exclamation_mark();
    }
  }

  void literal(std::size_t size) {
    out_.append(in_.substr(at_, size));
    at_ += size;
  }
  bool top_is(Kind kind) const { return !frames_.empty() && frames_.back().kind == kind; }
  /// How many bytes like the one here stand side by side.
  std::size_t run_length() const {
    const std::size_t end = in_.find_first_not_of(in_[at_], at_);
    return (end == std::string_view::npos ? in_.size() : end) - at_;
  }
  std::size_t end_of_line() const {
    const std::size_t end = in_.find('\n', at_);
    return end == std::string_view::npos ? in_.size() : end;
  }
  bool push(Frame frame) {
    if (frames_.size() >= kDeepestNesting) return false;
    frames_.push_back(frame);
    ++open_[static_cast<std::size_t>(frame.kind)];
    return true;
  }
  Frame pop() {
    const Frame frame = frames_.back();
    frames_.pop_back();
    --open_[static_cast<std::size_t>(frame.kind)];
    if (frame.gallery) gallery_lines_ = 0;
    return frame;
  }
  std::size_t open(Kind kind) const { return open_[static_cast<std::size_t>(kind)]; }

  // Lines.

  void end_line() {
    end_heading();
    end_gallery_line();
    // A target does not go beyond its line.
    while (top_is(Kind::kLink) && !frames_.back().divided &&
           frames_.back().link != WikiLink::kFile) {
      pop();
    }
    if (top_is(Kind::kTable)) frames_.back().attributes = false;
    external_links_ = 0;
    ++at_;
    out_.newline();
    begin_line();
  }

  void begin_line() {
    if (at_ < gallery_end_) return take_gallery_line();
    skip_blanks();
    if (at_ == in_.size()) return;
    if (in_[at_] == '\n') return leave_links();
    if (take_table_line()) return;
    const char c = in_[at_];
    if (c == '=') {
      at_ += run_length();
      skip_blanks();
      heading_ = true;
      heading_begin_ = out_.size();
    } else if (c == '*' || c == '#' || c == ':' || c == ';') {
      at_ = std::min(in_.find_first_not_of("*#:;", at_), in_.size());
      skip_blanks();
      take_table_line();
    } else if (c == '-' && run_length() >= 4) {
      at_ += run_length();
    }
  }

  void skip_blanks() { at_ = std::min(in_.find_first_not_of(" \t", at_), in_.size()); }

  void end_heading() {
    if (heading_) out_.end_heading(heading_begin_);
    heading_ = false;
  }

  /// No link goes beyond a paragraph.
  void leave_links() {
    while (top_is(Kind::kLink)) pop();
  }

  // Tables.

  /// At the beginning of a line: whether it is one of a table, whose mark is then taken.
  bool take_table_line() {
    const std::string_view line = in_.substr(at_, 2);
    if (line == "{|") {
      at_ = end_of_line();
      push({Kind::kTable, out_.size()});
      return true;
    }
    if (frames_.empty() && is_row_without_table()) {
      push({Kind::kTable, out_.size()});
      frames_.back().given = false;
    }
    if (open(Kind::kTable) == 0 || !(line.starts_with('|') || line.starts_with('!'))) return false;
    if (line == "|}" || line == "|-") leave_links();
    if (!top_is(Kind::kTable)) return false;
    if (line == "|}") {
      at_ += 2;
      pop();
    } else if (line == "|-") {
      at_ = end_of_line();
    } else {
      const bool caption = line == "|+";
      at_ += caption ? 2 : 1;
      begin_cell(line.starts_with('!'));
    }
    return true;
  }

  /// Whether a line outside of all tables is of one that a template began: the mark of a row, or a
  /// cell with attributes.
  bool is_row_without_table() const {
    const std::string_view line = in_.substr(at_, 2);
    if (line == "|-" || line == "|}") return true;
    if (!line.starts_with('|') && !line.starts_with('!')) return false;
    const std::size_t bar = in_.find_first_of("|\n[{<", at_ + 1);
    if (bar == std::string_view::npos || in_[bar] != '|' || in_.substr(bar, 2) == "||")
      return false;
    return in_.substr(at_, bar - at_).find('=') != std::string_view::npos;
  }

  void begin_cell(bool header) {
    Frame& table = frames_.back();
    table.begin = out_.size();
    table.attributes = true;
    table.header = header;
    skip_blanks();
  }

  void next_cell() {
    at_ += 2;
    out_.append(" ");
    begin_cell(frames_.back().header);
  }

  void take_exclamation_mark() {
    const bool ends_cell =
        top_is(Kind::kTable) && frames_.back().header && in_.substr(at_, 2) == "!!";
    ends_cell ? next_cell() : literal(1);
  }

  /// A '|' that does not begin a line.
  void divide() {
    if (frames_.empty() || frames_.back().kind == Kind::kTemplate) return literal(1);
    Frame& frame = frames_.back();
    if (frame.kind == Kind::kTable) {
      if (in_.substr(at_, 2) == "||") return next_cell();
      if (!frame.attributes) return literal(1);
      frame.attributes = false;
      // Where nobody said that this is a table, what has no '=' is text.
      if (!frame.given && out_.from(frame.begin).find('=') == std::string_view::npos)
        return literal(1);
    } else if (frame.divided) {
      if (frame.link != WikiLink::kFile) return literal(1);
      keep_caption(frame);
      ++at_;
      return;
    } else {
      frame.divided = true;
    }
    out_.truncate(frame.begin);
    ++at_;
  }

  /// A part of a file's link ends: the last that is no option is the caption.
  void keep_caption(Frame& link) {
    const std::string_view part = trim(out_.from(link.begin));
    if (part.empty() || is_file_option(part)) return out_.truncate(link.begin);
    if (link.caption != std::string_view::npos) out_.erase(link.caption, link.begin);
    if (link.caption == std::string_view::npos) link.caption = link.begin;
    link.begin = out_.size();
  }

  // Templates.

  void open_templates() {
    const std::size_t run = run_length();
    if (run == 1) return literal(1);
    at_ += run;
    for (std::size_t i = 0; i < run / 2; ++i) {
      if (push({Kind::kTemplate, out_.size()})) continue;
      too_deep_ += run / 2 - i;
      return;
    }
  }

  void close_templates() {
    const std::size_t run = run_length();
    std::size_t pairs = run / 2;
    const std::size_t deep = std::min(pairs, too_deep_);
    too_deep_ -= deep;
    pairs -= deep;
    const std::size_t closed = std::min(pairs, open(Kind::kTemplate));
    for (std::size_t i = 0; i < closed; ++i) close_template();
    // Without a pair that closes anything these are braces.
    if (deep + closed == 0) return literal(run);
    at_ += run;
  }

  void close_template() {
    while (frames_.back().kind != Kind::kTemplate) pop();
    out_.truncate(pop().begin);
    out_.leave_gap();
  }

  // Links.

  void open_link() {
    at_ += 2;
    const bool shown = in_.substr(at_, 1) == ":";
    if (shown) ++at_;
    const std::size_t end = std::min(in_.find_first_of("|[]{}<\n", at_), in_.size());
    if (end == in_.size() || in_[end] == '\n' || in_[end] == '[') return;  // no link
    if (top_is(Kind::kTable)) frames_.back().attributes = false;
    const std::string_view target = in_.substr(at_, end - at_);
    const WikiLink link = shown ? WikiLink::kPage : kind_of_link(target, names_);
    push({Kind::kLink, out_.size(), link});
  }

  void close_link() {
    if (top_is(Kind::kLink) && !frames_.back().gallery && in_.substr(at_, 2) == "]]") {
      at_ += 2;
      return end_link(pop());
    }
    if (external_links_ == 0) return literal(1);
    --external_links_;
    ++at_;
  }

  void end_link(Frame link) {
    if (link.link == WikiLink::kFile) return end_file(link);
    const bool shows =
        link.link == WikiLink::kPage || (link.link == WikiLink::kLanguage && link.divided);
    if (!shows) out_.truncate(link.begin);
  }

  void end_file(Frame& link) {
    if (!link.divided) return out_.truncate(link.begin);
    keep_caption(link);
    if (link.caption != std::string_view::npos && !link.gallery) out_.end_line();
  }

  void open_external_link() {
    static constexpr std::array<std::string_view, 7> kSchemes{
        "http://", "https://", "//", "ftp://", "mailto:", "news:", "irc://"};
    const std::string_view rest = in_.substr(at_ + 1);
    for (const std::string_view scheme : kSchemes) {
      if (!rest.starts_with(scheme)) continue;
      at_ = std::min(in_.find_first_of(" \t\n[]<", at_ + 1), in_.size());
      if (in_.substr(at_, 1) == "]") {
        ++at_;
      } else {
        skip_blanks();
        ++external_links_;
      }
      return;
    }
    literal(1);
  }

  // Elements.

  void take_markup() {
    if (in_.substr(at_, 4) == "<!--") {
      const std::size_t end = ends_.of_comment(at_ + 4);
      at_ = end == std::string_view::npos ? at_ + 4 : end + 3;
      return;
    }
    const Tag tag = tag_at(in_, at_);
    if (!tag.found()) return literal(1);
    const std::optional<std::size_t> element = find_wiki_element(tag.name);
    at_ = tag.end;
    if (!element) return take_html_tag(tag);
    if (element == kGallery) return take_gallery(tag);
    const bool seen = kWikiElements[*element].contents == WikiContents::kHidden;
    if (seen && !tag.closing) out_.leave_gap();
    if (tag.closing || tag.attributes.ends_with('/')) return;
    const WikiEnds::End end = ends_.of_element(*element, at_);
    if (!end.found()) return;
    take_contents(in_.substr(at_, end.begin - at_), kWikiElements[*element].contents);
    at_ = end.end;
  }

  void take_contents(std::string_view contents, WikiContents how) {
    if (how == WikiContents::kHidden || how == WikiContents::kNothing) return;
    if (how == WikiContents::kVerbatim) return out_.append(contents);
    for (;;) {
      const std::size_t reference = contents.find('&');
      out_.append(contents.substr(0, reference));
      if (reference == std::string_view::npos) return;
      contents.remove_prefix(reference);
      out_.end_gap();
      contents.remove_prefix(append_reference(contents, References::kWiki, out_.text()));
    }
  }

  void take_html_tag(const Tag& tag) {
    const ElementName element(tag.name);
    if (is_inline_element(element.view())) return;
    if (element.view() == "td" || element.view() == "th") return out_.append(" ");
    out_.end_line();
  }

  /// Of each line of a gallery, `File:name.jpg|caption`, the caption is text.
  void take_gallery(const Tag& tag) {
    end_gallery_line();
    out_.end_line();
    gallery_end_ = 0;
    if (tag.closing || tag.attributes.ends_with('/')) return;
    const WikiEnds::End end = ends_.of_element(kGallery, at_);
    if (!end.found()) return;
    gallery_end_ = end.begin;
    take_gallery_line();
  }

  void take_gallery_line() {
    const std::size_t end =
        std::min(in_.substr(0, gallery_end_).find_first_of("|\n", at_), gallery_end_);
    const bool divided = end < gallery_end_ && in_[end] == '|';
    at_ = divided ? end + 1 : end;
    if (!divided || !push({Kind::kLink, out_.size(), WikiLink::kFile, true})) return;
    frames_.back().gallery = true;
    ++gallery_lines_;
  }

  /// What is open in a line of a gallery ends with it.
  void end_gallery_line() {
    if (gallery_lines_ == 0) return;
    while (!frames_.back().gallery) pop();
    Frame line = pop();
    end_file(line);
  }

  // What is left.

  void take_quotes() {
    const std::size_t run = run_length();
    if (run == 1) return literal(1);
    at_ += run;
  }

  /// __NOTOC__ and its like; other underscores are text.
  void take_underscore() {
    constexpr std::size_t kLongestWord = 32;
    const std::string_view rest = in_.substr(at_, kLongestWord);
    const std::size_t end = rest.find_first_not_of("ABCDEFGHIJKLMNOPQRSTUVWXYZ", 2);
    if (rest.starts_with("__") && end != std::string_view::npos && end > 2 &&
        rest.substr(end, 2) == "__") {
      at_ += end + 2;
    } else {
      literal(1);
    }
  }

  std::string_view in_;
  const WikiNames& names_;
  WikiOutput out_;
  WikiEnds ends_;
  StopCheck check_stop_;
  std::size_t at_ = 0;
  std::vector<Frame> frames_;
  std::array<std::size_t, 3> open_{};  ///< frames of each kind
  std::size_t too_deep_ = 0;           ///< templates for which there was no frame left
  std::size_t external_links_ = 0;     ///< open ones of this line
  bool heading_ = false;               ///< the line is one
  std::size_t heading_begin_ = 0;
  std::size_t gallery_end_ = 0;    ///< of the gallery that is being read
  std::size_t gallery_lines_ = 0;  ///< frames of such lines: one or none
};

}  // namespace

void append_wikitext(std::string_view wikitext, const WikiNames& names, std::string& text,
                     const std::stop_token& stop) {
  WikiText(wikitext, names, text, stop).run();
}

}  // namespace gannet::corpora
