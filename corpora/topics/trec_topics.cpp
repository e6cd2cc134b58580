#include "corpora/topics/trec_topics.hpp"

#include <algorithm>
#include <array>
#include <span>

#include "codecs/base/error.hpp"
#include "corpora/documents/trec/sgml_text.hpp"
#include "corpora/markup/html/html_tag.hpp"

namespace gannet::corpora {
namespace {

/// A part of a topic: the tags that open it, and the label that may stand before its text.
struct TopicPart {
  std::array<std::string_view, 3> tags;
  std::string_view label;
};

constexpr TopicPart kNumber{{"num", "number", "id"}, "number"};
constexpr TopicPart kTitlePart{{"title", "query", ""}, "topic"};
constexpr TopicPart kSummaryPart{{"summary", "smry", ""}, "summary"};
constexpr TopicPart kDescription{{"desc", "description", "question"}, "description"};
constexpr TopicPart kNarrative{{"narr", "narrative", ""}, "narrative"};

/// CLEF's tags say the language first: EN-title, C-FR-desc.
std::string_view bare(std::string_view name) {
  const std::string_view last = name.substr(name.rfind('-') + 1);
  return last.empty() ? name : last;
}

bool opens(const Tag& tag, const TopicPart& part) {
  return !tag.closing &&
         std::any_of(part.tags.begin(), part.tags.end(),
                     [&](std::string_view name) { return same_name(bare(tag.name), name); });
}

bool is_topic(const Tag& tag) { return same_name(tag.name, "top") || same_name(tag.name, "topic"); }

// A title may hold markup of its own; a part ends at the next tag that topics are made of.
bool is_structure(const Tag& tag) {
  static constexpr std::array<std::string_view, 17> kNames{
      "num",       "number", "id",   "title", "query", "desc", "description", "question", "narr",
      "narrative", "dom",    "head", "con",   "fac",   "def",  "smry",        "summary"};
  return is_topic(tag) || same_name(tag.name, "subtopic") ||
         std::any_of(kNames.begin(), kNames.end(),
                     [&](std::string_view name) { return same_name(name, bare(tag.name)); });
}

// Without tags; every run of white space one blank.
std::string plain(std::string_view markup) {
  std::string stripped(markup.size(), '\0');
  stripped.resize(static_cast<std::size_t>(sgml_text(markup, stripped.data()) - stripped.data()));
  std::string words;
  for (std::string_view rest = trim(stripped); !rest.empty();) {
    const std::size_t end = std::min(rest.find_first_of(" \t\r\n\f\v"), rest.size());
    if (!words.empty()) words += ' ';
    words += rest.substr(0, end);
    rest = trim(rest.substr(end));
  }
  return words;
}

// Drops "Label:" (or "Label :") at the front.
std::string_view without_label(std::string_view text, std::string_view label) {
  if (!same_name(text.substr(0, label.size()), label)) return text;
  const std::string_view rest = trim(text.substr(label.size()));
  return rest.starts_with(':') ? trim(rest.substr(1)) : text;
}

/// The text with blanks for its comments, which may have tags: a view of it, or of `room`.
std::string_view without_comments(std::string_view text, std::string& room) {
  room.clear();
  std::size_t done = 0;
  for (std::size_t at; (at = text.find("<!--", done)) != std::string_view::npos;) {
    const std::size_t end = text.find("-->", at + 4);
    if (end == std::string_view::npos) break;
    room.append(text, done, at - done).append(" ");
    done = end + 3;
  }
  if (done == 0) return text;
  return room.append(text, done);
}

/// One topic: its attributes, and the text behind its opening tag.
class TopicText {
 public:
  TopicText(std::string_view attributes, std::string_view body)
      : attributes_(trim(attributes)), body_(body) {}

  std::string number() const {
    std::string number = part(kNumber);
    if (number.empty()) number = attribute("number");
    if (number.empty()) number = attribute("id");
    const bool digits = number.find_first_not_of("0123456789") == std::string_view::npos;
    const std::size_t zeros = number.find_first_not_of('0');
    return digits && zeros != std::string_view::npos ? number.substr(zeros) : number;
  }

  std::string text(const TopicOptions& options) const {
    std::string all;
    const auto add = [&](bool wanted, const TopicPart& what) {
      const std::string text = wanted ? part(what) : "";
      if (!all.empty() && !text.empty()) all += ' ';
      all += text;
    };
    if (options.title) all = title();
    add(options.description, kDescription);
    add(options.narrative, kNarrative);
    return all;
  }

 private:
  /// The title or query; of topics without either the summary (as those for clinical decision
  /// support have it), or else whatever stands in no part that has another name (precision
  /// medicine, clinical trials).
  std::string title() const {
    for (const TopicPart& wanted : {kTitlePart, kSummaryPart}) {
      if (std::string text = part(wanted); !text.empty()) return text;
    }
    return other_text();
  }

  /// The text outside the parts that have names. A part without an end tag goes up to the next.
  std::string other_text() const {
    std::string markup;
    std::size_t begin = 0;
    for (Tag tag = next_tag(body_, 0);; tag = next_tag(body_, tag.end)) {
      const bool ends = !tag.found();
      if (!ends && !is_structure(tag)) continue;
      if (begin != std::string_view::npos && (ends || !tag.closing)) {
        markup += body_.substr(begin, ends ? std::string_view::npos : tag.begin - begin);
        markup += ' ';
      }
      if (ends) return plain(markup);
      begin = tag.closing ? tag.end : std::string_view::npos;
    }
  }

  std::string part(const TopicPart& wanted) const {
    Tag open = next_tag(body_, 0);
    while (open.found() && !opens(open, wanted)) open = next_tag(body_, open.end);
    if (!open.found()) return {};
    Tag end = next_tag(body_, open.end);
    while (end.found() && !is_structure(end)) end = next_tag(body_, end.end);
    const std::size_t length = end.found() ? end.begin - open.end : std::string_view::npos;
    const std::string text = plain(body_.substr(open.end, length));
    return std::string(without_label(text, wanted.label));
  }

  std::string attribute(std::string_view name) const {
    std::string found;
    const std::string tag = std::string(attributes_) + '>';
    read_attributes(tag, 0, [&](std::string_view key, std::string_view value) {
      if (found.empty() && same_name(key, name)) found = trim(value);
    });
    return found;
  }

  std::string_view attributes_;
  std::string_view body_;
};

}  // namespace

Tag TopicTags::next(std::size_t from) {
  constexpr std::string_view kComment = "<!--";
  for (std::size_t at = text_.find('<', from); at != std::string_view::npos;
       at = text_.find('<', at)) {
    if (comments_end_ && text_.substr(at).starts_with(kComment)) {
      const std::size_t end = text_.find("-->", at + kComment.size());
      comments_end_ = end != std::string_view::npos;
      at = comments_end_ ? end : at + 1;
      continue;
    }
    if (const Tag tag = tag_at(text_, at); tag.found() && is_topic(tag)) return tag;
    ++at;
  }
  return {};
}

Tag TopicTags::next_opening(std::size_t from) {
  Tag tag = next(from);
  while (tag.found() && tag.closing) tag = next(tag.end);
  return tag;
}

std::vector<Topic> parse_trec_topics(std::string_view text, std::string_view name,
                                     const TopicOptions& options) {
  std::vector<Topic> topics;
  std::uint64_t line = 1;   // of `counted`
  std::size_t counted = 0;  // bytes of which the line ends are counted
  std::string room;
  TopicTags tags(text);
  for (Tag open = tags.next_opening(0); open.found();) {
    const std::string_view passed = text.substr(counted, open.begin - counted);
    line += static_cast<std::uint64_t>(std::count(passed.begin(), passed.end(), '\n'));
    counted = open.begin;
    const Tag end = tags.next(open.end);
    const std::size_t stop = end.found() ? end.begin : text.size();
    const TopicText topic(open.attributes,
                          without_comments(text.substr(open.end, stop - open.end), room));
    Topic result{topic.number(), topic.text(options), {}, line};
    if (result.id.empty()) {
      throw InputError(std::string(name) + ":" + std::to_string(line) +
                       ": the topic has no number");
    }
    topics.push_back(std::move(result));
    open = end.found() && end.closing ? tags.next_opening(end.end) : end;
  }
  if (topics.empty()) throw InputError(std::string(name) + ": there is no <top> in this file");
  return topics;
}

}  // namespace gannet::corpora
