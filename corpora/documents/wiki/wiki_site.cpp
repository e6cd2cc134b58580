#include "corpora/documents/wiki/wiki_site.hpp"

#include <algorithm>
#include <optional>

#include "corpora/documents/sources/fields.hpp"
#include "corpora/documents/wiki/xml_events.hpp"
#include "corpora/markup/markup.hpp"

namespace gannet::corpora {
namespace {

constexpr int kFiles = 6;
constexpr int kMedia = -2;
constexpr int kCategories = 14;

class SiteReader : public XmlEvents {
 public:
  explicit SiteReader(WikiSite& site) : site_(site) {}

  void start(std::string_view name) override {
    name_ = name;
    text_.clear();
    key_.reset();
  }
  void end() override {
    if (name_ == "base") {
      site_.base = text_.substr(0, text_.rfind('/') + 1);
    } else if (name_ == "namespace" && key_) {
      site_.namespaces.emplace_back(*key_, text_);
      if (*key_ == kFiles || *key_ == kMedia) site_.names.files.push_back(text_);
      if (*key_ == kCategories) site_.names.categories.push_back(text_);
    }
    name_.clear();
  }
  void attribute(std::string_view name, std::string_view value) override {
    if (name == "key") key_ = parse_number<int>(value);
    if (name == "xml:lang" && name_ == "mediawiki") site_.language = value;
  }
  void characters(std::string_view text) override {
    if (!name_.empty()) text_ += text;
  }

 private:
  WikiSite& site_;
  std::string name_;
  std::string text_;
  std::optional<int> key_;
};

/// What stands in the path of a URL as it is, by MediaWiki's own rule.
bool stands_for_itself(char c) {
  return (c >= 'a' && c <= 'z') || (c >= 'A' && c <= 'Z') || (c >= '0' && c <= '9') ||
         std::string_view("-_.~;@$!*(),/:").find(c) != std::string_view::npos;
}

}  // namespace

std::string page_name(std::string_view title) {
  std::string name(title);
  std::replace(name.begin(), name.end(), ' ', '_');
  return name;
}

int WikiSite::namespace_of(std::string_view title) const {
  const std::size_t colon = title.find(':');
  if (colon == std::string_view::npos) return 0;
  for (const auto& [number, name] : namespaces) {
    if (!name.empty() && same_name(name, title.substr(0, colon))) return number;
  }
  return 0;
}

std::string WikiSite::url_of(std::string_view title) const {
  if (base.empty()) return {};
  constexpr std::string_view kDigits = "0123456789ABCDEF";
  std::string url = base;
  for (const char c : page_name(title)) {
    if (stands_for_itself(c)) {
      url += c;
      continue;
    }
    const auto byte = static_cast<unsigned char>(c);
    url += {'%', kDigits[byte >> 4], kDigits[byte & 15]};
  }
  return url;
}

std::string parse_site(std::string_view head, const std::stop_token& stop, WikiSite& site) {
  if (trim(head).empty()) return {};
  SiteReader reader(site);
  return parse_xml(head, true, reader, stop);
}

}  // namespace gannet::corpora
