#include "corpora/documents/wiki/xml_events.hpp"

#include <libxml/parser.h>

#include <exception>
#include <memory>
#include <mutex>
#include <new>

#include "codecs/base/cancellation.hpp"
#include "corpora/markup/markup.hpp"

namespace gannet::corpora {
namespace {

/// libxml2 compares each attribute of a tag with all before it.
constexpr std::size_t kLongestTag = 4096;
/// libxml2 itself knows no limit where it is fed in chunks.
constexpr std::size_t kDeepestElement = 256;
constexpr std::size_t kBytesPerPush = std::size_t{1} << 16;

std::string_view xml_view(const xmlChar* text) { return reinterpret_cast<const char*>(text); }

/// Passes on what libxml2 calls back; no exception goes through its frames.
class Callbacks {
 public:
  Callbacks(XmlEvents& events, const std::stop_token& stop) : events_(events), stop_(stop) {}

  static xmlSAXHandler handler() {
    xmlSAXHandler handler{};
    handler.startElement = [](void* self, const xmlChar* name, const xmlChar** attributes) {
      auto& callbacks = *static_cast<Callbacks*>(self);
      if (++callbacks.depth_ > kDeepestElement) return xmlStopParser(callbacks.parser);
      callbacks.guarded([&](XmlEvents& events) {
        events.start(xml_view(name));
        for (; attributes != nullptr && attributes[0] != nullptr; attributes += 2) {
          if (attributes[1] != nullptr)
            events.attribute(xml_view(attributes[0]), xml_view(attributes[1]));
        }
      });
    };
    handler.endElement = [](void* self, const xmlChar* /*name*/) {
      auto& callbacks = *static_cast<Callbacks*>(self);
      --callbacks.depth_;
      callbacks.guarded([](XmlEvents& events) { events.end(); });
    };
    handler.characters = [](void* self, const xmlChar* text, int size) {
      static_cast<Callbacks*>(self)->guarded([&](XmlEvents& events) {
        events.characters({reinterpret_cast<const char*>(text), static_cast<std::size_t>(size)});
      });
    };
    handler.ignorableWhitespace = handler.characters;
    handler.cdataBlock = handler.characters;
    return handler;
  }

  void rethrow() const {
    if (error_) std::rethrow_exception(error_);
  }

  bool too_deep() const { return depth_ > kDeepestElement; }

  xmlParserCtxtPtr parser = nullptr;

 private:
  template <class F>
  void guarded(F&& tell) {
    if (error_) return;
    try {
      throw_if_stopped(stop_);
      tell(events_);
    } catch (...) {
      error_ = std::current_exception();
      xmlStopParser(parser);
    }
  }

  XmlEvents& events_;
  const std::stop_token& stop_;
  std::exception_ptr error_;
  std::size_t depth_ = 0;
};

struct FreeXmlParser {
  void operator()(xmlParserCtxtPtr parser) const {
    if (parser->myDoc != nullptr) xmlFreeDoc(parser->myDoc);
    xmlFreeParserCtxt(parser);
  }
};

bool has_long_tag(std::string_view text) {
  constexpr std::string_view kRaw = "<![CDATA[";
  for (std::size_t at = text.find('<'); at != std::string_view::npos; at = text.find('<', at)) {
    if (text.substr(at, kRaw.size()) == kRaw) {
      at = text.find("]]>", at);
      if (at == std::string_view::npos)
        return false;  // and it does not end, as the parser will say
    } else {
      const std::size_t end = text.substr(at, kLongestTag).find('>');
      if (end == std::string_view::npos) return text.size() - at > kLongestTag;
      at += end;
    }
  }
  return false;
}

std::string problem_of(const xmlParserCtxt& parser) {
  const char* const message = parser.lastError.message;
  return "not well-formed XML: " +
         std::string(message == nullptr ? "it ends too early" : trim(message));
}

}  // namespace

std::string parse_xml(std::string_view text, bool cut_off, XmlEvents& events,
                      const std::stop_token& stop) {
  static std::once_flag initialised;
  std::call_once(initialised, xmlInitParser);
  if (has_long_tag(text)) return "not well-formed XML: a tag of more than 4,096 bytes";
  Callbacks callbacks(events, stop);
  xmlSAXHandler handler = Callbacks::handler();
  const std::unique_ptr<xmlParserCtxt, FreeXmlParser> parser(
      xmlCreatePushParserCtxt(&handler, &callbacks, nullptr, 0, nullptr));
  if (!parser) throw std::bad_alloc();
  callbacks.parser = parser.get();
  xmlCtxtUseOptions(parser.get(), XML_PARSE_NONET | XML_PARSE_NOERROR | XML_PARSE_NOWARNING);
  for (std::size_t at = 0; at < text.size() && parser->wellFormed != 0; at += kBytesPerPush) {
    const std::string_view chunk = text.substr(at, kBytesPerPush);
    const bool last = at + chunk.size() == text.size() && !cut_off;
    xmlParseChunk(parser.get(), chunk.data(), static_cast<int>(chunk.size()), last ? 1 : 0);
    callbacks.rethrow();
    if (callbacks.too_deep()) return "elements are nested deeper than 256";
  }
  return parser->wellFormed != 0 ? "" : problem_of(*parser);
}

}  // namespace gannet::corpora
