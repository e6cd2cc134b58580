#include "corpora/documents/wiki/wiki_page.hpp"

#include "corpora/documents/sources/fields.hpp"
#include "corpora/documents/wiki/xml_events.hpp"
#include "corpora/markup/markup.hpp"

namespace gannet::corpora {
namespace {

/// Where the elements of a page are that count: below it, or below its revision.
constexpr int kPage = 1;
constexpr int kBelowPage = 2;
constexpr int kBelowRevision = 3;

class PageReader : public XmlEvents {
 public:
  explicit PageReader(WikiPage& page) : page_(page) {}

  void start(std::string_view name) override {
    ++depth_;
    target_ = nullptr;
    if (depth_ == kBelowPage) {
      start_below_page(name);
    } else if (depth_ == kBelowRevision && in_revision_) {
      start_below_revision(name);
    }
    if (target_ != nullptr) target_->clear();
  }
  void end() override {
    target_ = nullptr;
    --depth_;
    if (depth_ == kPage) in_revision_ = false;
  }
  void characters(std::string_view text) override {
    if (target_ != nullptr) *target_ += text;
  }

  std::string finish() {
    page_.title = trim(page_.title);
    page_.id = trim(page_.id);
    if (page_.title.empty()) return "the page has no <title>";
    if (page_.id.empty()) return "the page has no <id>";
    if (!has_text_) return "the page has no <revision> with a <text>";
    if (has_space_) {
      page_.space = parse_number<int>(trim(space_));
      if (!page_.space) return "the page's namespace <ns> is no number";
    }
    page_.redirect = page_.redirect || same_name(trim(page_.text).substr(0, 9), "#redirect");
    return {};
  }

 private:
  void start_below_page(std::string_view name) {
    if (name == "title") target_ = &page_.title;
    if (name == "id") target_ = &page_.id;
    if (name == "redirect") page_.redirect = true;
    if (name == "revision") in_revision_ = true;
    if (name == "ns") {
      target_ = &space_;
      has_space_ = true;
    }
  }
  void start_below_revision(std::string_view name) {
    if (name == "timestamp") target_ = &page_.date;
    if (name == "format") target_ = &page_.format;
    if (name == "text") {
      target_ = &page_.text;
      has_text_ = true;
    }
  }

  WikiPage& page_;
  std::string* target_ = nullptr;  ///< of the characters that come
  int depth_ = 0;
  bool in_revision_ = false;
  bool has_text_ = false;
  bool has_space_ = false;
  std::string space_;
};

}  // namespace

std::string parse_page(std::string_view xml, const std::stop_token& stop, WikiPage& page) {
  PageReader reader(page);
  std::string problem = parse_xml(xml, false, reader, stop);
  return problem.empty() ? reader.finish() : problem;
}

}  // namespace gannet::corpora
