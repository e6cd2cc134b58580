#include "query/snippets/render.hpp"

#include "query/snippets/parts/utf8.hpp"

namespace gannet::query {
namespace {

constexpr std::string_view kReplacement = "\uFFFD";

bool is_control(std::int32_t c) { return c < 0x20 || (c >= 0x7f && c < 0xa0); }

/// It changes the order in which a terminal shows what follows.
bool is_directional(std::int32_t c) {
  return (c >= 0x202a && c <= 0x202e) || (c >= 0x2066 && c <= 0x2069);
}

/// Appends pieces of text on one line, cleaned for terminals.
class LineWriter {
 public:
  void put(std::string_view text, std::string& out) {
    for (std::uint64_t at = 0; at < text.size();) {
      const CodePoint next = code_point_at(text, at);
      if (!next.is_space()) {
        const bool obeyed = is_control(next.value) || is_directional(next.value);
        out += !next.valid() || obeyed ? kReplacement : text.substr(at, next.bytes);
      } else if (!out.ends_with(' ')) {
        out += ' ';
      }
      at += next.bytes;
    }
  }
};

/// Appends pieces of text with HTML's characters escaped.
class HtmlWriter {
 public:
  void put(std::string_view text, std::string& out) {
    for (std::uint64_t at = 0; at < text.size();) {
      const CodePoint next = code_point_at(text, at);
      out += escaped(next.value, text.substr(at, next.bytes));
      at += next.bytes;
    }
  }

 private:
  static std::string_view escaped(std::int32_t c, std::string_view bytes) {
    switch (c) {
      case '&':
        return "&amp;";
      case '<':
        return "&lt;";
      case '>':
        return "&gt;";
      case '"':
        return "&quot;";
      case '\'':
        return "&#39;";
      case '\t':
      case '\n':
      case '\r':
        return bytes;
      default:
        return is_control(c) ? kReplacement : bytes;  // -1 is below all control characters
    }
  }
};

template <class Writer>
std::string render(const Snippet& snippet, std::string_view text, const Markup& markup) {
  std::string out;
  if (snippet.starts_late) out += markup.ellipsis + " ";
  bool first = true;
  for (const Fragment& fragment : snippet.fragments) {
    if (!first) out += " " + markup.ellipsis + " ";
    first = false;
    Writer writer;
    std::uint64_t at = fragment.begin;
    for (const Mark& mark : fragment.marks) {
      writer.put(text.substr(at, mark.begin - at), out);
      out += markup.open;
      writer.put(text.substr(mark.begin, mark.end - mark.begin), out);
      out += markup.close;
      at = mark.end;
    }
    writer.put(text.substr(at, fragment.end - at), out);
  }
  if (snippet.ends_early) out += " " + markup.ellipsis;
  return out;
}

}  // namespace

std::string to_plain_text(const Snippet& snippet, std::string_view text, const Markup& markup) {
  return render<LineWriter>(snippet, text, markup);
}

std::string to_ansi(const Snippet& snippet, std::string_view text) {
  return to_plain_text(snippet, text, {.open = "\033[1;31m", .close = "\033[0m"});
}

std::string to_html(const Snippet& snippet, std::string_view text, const Markup& markup) {
  return render<HtmlWriter>(snippet, text, markup);
}

}  // namespace gannet::query
