// XML dumps as MediaWiki writes them.
#pragma once

#include <string>
#include <string_view>

namespace gannet::test {

/// `text` as character data.
inline std::string xml_escaped(std::string_view text) {
  std::string out;
  for (const char c : text) {
    if (c == '<') {
      out += "&lt;";
    } else if (c == '>') {
      out += "&gt;";
    } else if (c == '&') {
      out += "&amp;";
    } else if (c == '"') {
      out += "&quot;";
    } else {
      out += c;
    }
  }
  return out;
}

inline std::string wiki_head() {
  return "<mediawiki xmlns=\"http://www.mediawiki.org/xml/export-0.11/\" version=\"0.11\" "
         "xml:lang=\"de\">\n  <siteinfo>\n    <sitename>Wikipedia</sitename>\n"
         "    <base>https://de.wikipedia.org/wiki/Wikipedia:Hauptseite</base>\n"
         "    <namespaces>\n"
         "      <namespace key=\"-2\" case=\"first-letter\">Medium</namespace>\n"
         "      <namespace key=\"0\" case=\"first-letter\" />\n"
         "      <namespace key=\"6\" case=\"first-letter\">Datei</namespace>\n"
         "      <namespace key=\"14\" case=\"first-letter\">Kategorie</namespace>\n"
         "    </namespaces>\n  </siteinfo>\n";
}

/// `inside`: elements between <ns> and <revision>.
inline std::string wiki_page(std::string_view id, std::string_view title, std::string_view wikitext,
                             std::string_view space = "0", std::string_view inside = {}) {
  return "  <page>\n    <title>" + xml_escaped(title) + "</title>\n    <ns>" + std::string(space) +
         "</ns>\n    <id>" + std::string(id) + "</id>\n" + std::string(inside) +
         "    <revision>\n      <id>9" + std::string(id) +
         "</id>\n      <timestamp>2026-11-23T01:02:03Z</timestamp>\n"
         "      <contributor>\n        <username>A</username>\n        <id>7</id>\n"
         "      </contributor>\n      <model>wikitext</model>\n"
         "      <format>text/x-wiki</format>\n      <text bytes=\"1\" xml:space=\"preserve\">" +
         xml_escaped(wikitext) + "</text>\n      <sha1>x</sha1>\n    </revision>\n  </page>\n";
}

inline std::string wiki_end() { return "</mediawiki>\n"; }

}  // namespace gannet::test
