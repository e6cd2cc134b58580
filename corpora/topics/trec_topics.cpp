#include "corpora/topics/trec_topics.hpp"

#include <algorithm>
#include <array>
#include <span>

#include "codecs/error.hpp"
#include "corpora/documents/trec/sgml_text.hpp"

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
    for (std::size_t at = 0; at + name.size() < attributes_.size(); ++at) {
      if (!same_name(attributes_.substr(at, name.size()), name)) continue;
      std::string_view rest = trim(attributes_.substr(at + name.size()));
      if (!rest.starts_with('=')) continue;
      rest = trim(rest.substr(1));
      if (rest.empty()) return {};
      const bool quoted = rest.front() == '"' || rest.front() == '\'';
      const std::string_view ends = quoted ? rest.substr(0, 1) : std::string_view(" \t\r\n/");
      if (quoted) rest.remove_prefix(1);
      return std::string(trim(rest.substr(0, rest.find_first_of(ends))));
    }
    return {};
  }

  std::string_view attributes_;
  std::string_view body_;
};

}  // namespace

Tag find_topic(std::string_view text, std::size_t from) {
  Tag tag = next_tag(text, from);
  while (tag.found() && (tag.closing || !is_topic(tag))) tag = next_tag(text, tag.end);
  return tag;
}

std::vector<Topic> parse_trec_topics(std::string_view text, std::string_view name,
                                     const TopicOptions& options) {
  std::vector<Topic> topics;
  std::uint64_t line = 1;   // of `counted`
  std::size_t counted = 0;  // bytes of which the line ends are counted
  for (Tag open = find_topic(text, 0); open.found();) {
    const std::string_view passed = text.substr(counted, open.begin - counted);
    line += static_cast<std::uint64_t>(std::count(passed.begin(), passed.end(), '\n'));
    counted = open.begin;
    Tag end = next_tag(text, open.end);
    while (end.found() && !is_topic(end)) end = next_tag(text, end.end);
    const std::size_t stop = end.found() ? end.begin : text.size();
    const TopicText topic(open.attributes, text.substr(open.end, stop - open.end));
    Topic result{topic.number(), topic.text(options), {}, line};
    if (result.id.empty()) {
      throw InputError(std::string(name) + ":" + std::to_string(line) +
                       ": the topic has no number");
    }
    topics.push_back(std::move(result));
    open = end.found() && end.closing ? find_topic(text, end.end) : end;
  }
  if (topics.empty()) throw InputError(std::string(name) + ": there is no <top> in this file");
  return topics;
}

}  // namespace gannet::corpora
