// Elements of an XML text, one after the other: libxml2's SAX parser, bounded.
#pragma once

#include <stop_token>
#include <string>
#include <string_view>

namespace gannet::corpora {

/// Told what is in a text. What its functions throw ends the parsing and is thrown again.
class XmlEvents {
 public:
  virtual ~XmlEvents() = default;
  virtual void start(std::string_view name) = 0;
  /// Of the element that was started last.
  virtual void attribute(std::string_view /*name*/, std::string_view /*value*/) {}
  virtual void end() = 0;
  virtual void characters(std::string_view text) = 0;
};

/// Parses all of a text, or one that may end anywhere (`cut_off`). Returns what is wrong with it;
/// empty: nothing. Nothing outside the text is read, no entities but those of XML itself are known,
/// and elements nested deeper than 256 and tags longer than 4,096 bytes are mistakes, so that the
/// time is in proportion to the text. Throws CancelledError once `stop` asks for it. Thread-safe.
std::string parse_xml(std::string_view text, bool cut_off, XmlEvents& events,
                      const std::stop_token& stop);

}  // namespace gannet::corpora
