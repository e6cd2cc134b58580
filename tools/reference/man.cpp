#include "tools/reference/man.hpp"

#include <fmt/format.h>
#include <fmt/ranges.h>
#include <utf8proc.h>

#include "codecs/base/version.hpp"
#include "tools/options/table/letters.hpp"

namespace gannet::tools {
namespace {

/// A character that troff has a name for, or would print as another one.
std::string_view name_in_troff(char c) {
  switch (c) {
    case '\\':
      return "\\e";
    case '-':
      return "\\-";
    case '\'':
      return "\\(aq";
    case '"':
      return "\\(dq";
    case '`':
      return "\\(ga";
    case '^':
      return "\\(ha";
    case '~':
      return "\\(ti";
    default:
      return {};
  }
}

void append_line(std::string& page, std::string_view text) {
  page += troff(text);
  page += '\n';
}

/// Lines that begin with a blank stay as they are; others are filled, empty ones end a paragraph.
void append_text(std::string& page, std::string_view text) {
  bool verbatim = false;
  bool paragraph = false;  // something stands in this section
  bool gap = false;
  while (!text.empty()) {
    const std::size_t end = text.find('\n');
    const std::string_view line = text.substr(0, end);
    text = end == std::string_view::npos ? std::string_view() : text.substr(end + 1);
    if (line.empty()) {
      gap = paragraph;
      continue;
    }
    const bool now = line.starts_with(' ');
    if (verbatim && !now) page += ".fi\n";
    if (gap) page += ".PP\n";
    if (now && !verbatim) page += ".nf\n";
    append_line(page, line);
    verbatim = now;
    paragraph = true;
    gap = false;
  }
  if (verbatim) page += ".fi\n";
}

void append_section(std::string& page, std::string_view title, std::string_view text) {
  if (text.empty()) return;
  page += fmt::format(".SH {}\n", title);
  append_text(page, text);
}

/// What stands behind the option's name: \fINUMBER\fR.
std::string value_in_troff(const Option& row) {
  const std::string_view type = type_of(row);
  if (type == "flag") return "";
  std::string word = type == "choice" || type == "choices" ? "name" : std::string(type);
  if (type == "texts") word = "text";
  if (kind_of(row) == Kind::kFile) word = "file";
  if (kind_of(row) == Kind::kFolder) word = "folder";
  if (kind_of(row) == Kind::kCommand) word = "command";
  return " \\fI" + word + "\\fR";
}

void append_options(std::string& page, const std::vector<const Option*>& rows) {
  if (rows.empty()) return;
  page += ".SH OPTIONS\n";
  for (const Option* const row : rows) {
    page += ".TP\n";
    if (const char letter = letter_of(row->name)) page += fmt::format("\\fB\\-{}\\fR, ", letter);
    page +=
        fmt::format("\\fB{}\\fR{}\n", troff(fmt::format("--{}", row->name)), value_in_troff(*row));
    std::string sentence = sentence_of(*row);
    if (row->standard.required) sentence += " (required)";
    const std::string_view standard = row->standard.text;
    if (!standard.empty()) sentence += fmt::format(" (default: {})", standard);
    append_line(page, sentence);
  }
}

void append_parts(std::string& page, const std::vector<Page>& parts) {
  if (parts.empty()) return;
  page += ".SH COMMANDS\n";
  for (const Page& part : parts) {
    page +=
        fmt::format(".TP\n\\fB{}\\fR(1)\n", troff(fmt::format("{}", fmt::join(part.words, "-"))));
    append_line(page, part.summary);
  }
}

}  // namespace

std::string troff(std::string_view text) {
  std::string safe;
  if (text.starts_with('.') || text.starts_with('\'')) safe = "\\&";  // would be a request
  const auto* const bytes = reinterpret_cast<const utf8proc_uint8_t*>(text.data());
  for (std::size_t i = 0; i < text.size();) {
    utf8proc_int32_t point = 0;
    const auto length =
        utf8proc_iterate(bytes + i, static_cast<utf8proc_ssize_t>(text.size() - i), &point);
    if (length > 1) {
      safe += fmt::format("\\[u{:04X}]", static_cast<unsigned>(point));
    } else {
      const std::string_view name = name_in_troff(text[i]);
      name.empty() ? safe += text[i] : safe += name;
    }
    i += length > 1 ? static_cast<std::size_t>(length) : 1;
  }
  return safe;
}

std::string man_page(const Page& page) {
  const std::string name = troff(fmt::format("{}", fmt::join(page.words, "-")));
  const HelpText& help = page.description.help;
  std::string text = fmt::format(".TH \"{}\" 1 \"\" \"gannet {}\" \"Gannet\"\n", name, kVersion);
  text += fmt::format(".SH NAME\n{} \\- {}\n", name, troff(page.summary));
  text += ".SH SYNOPSIS\n";
  append_line(text, !help.usage.empty()
                        ? std::string(help.usage)
                        : fmt::format("{} PART [OPTIONS]", fmt::join(page.words, " ")));
  append_section(text, "DESCRIPTION", help.description);
  append_parts(text, page.parts);
  append_options(text, page.description.rows);
  append_section(text, "EXAMPLES", help.examples);
  if (page.words.size() > 1) text += ".SH SEE ALSO\n\\fBgannet\\fR(1)\n";
  return text;
}

}  // namespace gannet::tools
