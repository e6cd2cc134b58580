// WARC, ISO 28500: 0.17 to 1.1, as ClueWeb, Common Crawl and others write it.
#include "codecs/base/error.hpp"
#include "corpora/documents/web/archive.hpp"
#include "corpora/documents/web/http.hpp"
#include "corpora/markup/markup.hpp"

namespace gannet::corpora {
namespace {

constexpr std::string_view kWarcBegin = "WARC/";
constexpr std::string_view kHttp = "application/http";

bool may_be_page(std::string_view head) {
  const std::string_view type = header_value(head, "warc-type");
  return same_name(type, "response") || same_name(type, "resource") ||
         same_name(type, "conversion");
}

class WarcReader : public ArchiveReader {
 public:
  using ArchiveReader::ArchiveReader;

 private:
  bool begins_record(std::string_view line) const override { return line.starts_with(kWarcBegin); }
  /// "WARC/1.1" and no more.
  bool surely_begins_record(std::string_view line) const override {
    if (!line.starts_with(kWarcBegin)) return false;
    const std::string_view version = trim(line.substr(kWarcBegin.size()));
    return !version.empty() && version.find_first_not_of("0123456789.") == std::string_view::npos;
  }
  std::string_view record_name() const override { return "WARC record"; }

  Body read_head(ArchiveInput& input, std::string& bytes) override {
    const std::size_t begin = bytes.size();
    Body body;
    for (bool ended = false; !ended;) {
      const std::string_view line = input.peek_line(kLongestLine);
      if (!line.ends_with('\n')) {
        body.problem = line.size() < kLongestLine
                           ? "the file ends within a record's header"
                           : "a line of a record's header has more than 65,536 bytes";
        return body;
      }
      if (bytes.size() - begin + line.size() > kMaxHead) {
        body.problem = "a record's header has more than 262,144 bytes";
        return body;
      }
      ended = line == "\n" || line == "\r\n";
      bytes += line;
      input.take(line.size());
    }
    const auto head = std::string_view(bytes).substr(begin);
    const std::string_view length = header_value(head, "content-length");
    const auto size = parse_length(length);
    if (size) {
      body.size = *size;
    } else {
      body.problem = length.empty()
                         ? "the record has no Content-Length"
                         : "'" + std::string(length.substr(0, 40)) + "' is no Content-Length";
    }
    body.wanted = may_be_page(head);
    return body;
  }
};

/// `<urn:uuid:...>` without the brackets; some programs write URLs so, too.
std::string_view without_brackets(std::string_view value) {
  if (value.starts_with('<') && value.ends_with('>')) value = value.substr(1, value.size() - 2);
  return value;
}

class WarcFormat : public ArchiveFormat {
 public:
  std::unique_ptr<ArchiveReader> make_reader(std::size_t max_record_bytes) const override {
    return std::make_unique<WarcReader>(max_record_bytes);
  }

  std::optional<Page> page_of(std::string_view head, std::string_view body, PageIds ids,
                              std::size_t limit, PageRoom& room) const override {
    Page page;
    page.content_type = header_value(head, "content-type");
    page.bytes = body;
    if (same_name(header_value(head, "warc-type"), "response") &&
        !take_response(page, limit, room)) {
      return std::nullopt;
    }
    if (kind_of_page(page.content_type, page.bytes) == PageKind::kOther) return std::nullopt;
    page.url = without_brackets(header_value(head, "warc-target-uri"));
    page.date = header_value(head, "warc-date");
    page.language = header_value(head, "warc-identified-content-language");
    page.id = id_of(head, page.url, ids);
    return page;
  }

 private:
  /// Takes the page out of what a server answered; false if it is none.
  static bool take_response(Page& page, std::size_t limit, PageRoom& room) {
    const std::string_view type = without_parameters(page.content_type);
    if (!type.empty() && !same_name(type, kHttp)) return false;
    const auto response = parse_response(page.bytes);
    if (!response) {
      // ClueWeb22's records have the page alone.
      if (!begins_with_markup(page.bytes)) {
        throw InputError("the response does not begin with HTTP/");
      }
      page.content_type = "text/html";
      return true;
    }
    return take_page(*response, limit, page, room);
  }

  static std::string_view id_of(std::string_view head, std::string_view url, PageIds ids) {
    std::string_view id;
    if (ids == PageIds::kUrl) {
      if (url.empty()) throw InputError("the record has no WARC-Target-URI");
      return url;
    }
    if (ids == PageIds::kAutomatic) {
      id = header_value(head, "warc-trec-id");
      if (id.empty()) id = header_value(head, "clueweb22-id");
    }
    if (id.empty()) id = without_brackets(header_value(head, "warc-record-id"));
    if (id.empty()) throw InputError("the record has no WARC-Record-ID");
    return id;
  }
};

}  // namespace

std::unique_ptr<ArchiveFormat> warc_format() { return std::make_unique<WarcFormat>(); }

}  // namespace gannet::corpora
