// ARC, the format of the Internet Archive before WARC, versions 1 and 2.
#include <algorithm>
#include <array>
#include <vector>

#include "codecs/base/error.hpp"
#include "corpora/documents/web/archive.hpp"
#include "corpora/documents/web/http.hpp"
#include "corpora/markup/markup.hpp"

namespace gannet::corpora {
namespace {

/// The line before a record's content:
///   URL IP-address date content-type length
///   URL IP-address date content-type status checksum location offset file length   (version 2)
struct UrlRecord {
  std::string_view url;
  std::string_view date;  ///< from its year on, to the day, the minute or the second
  std::string_view content_type;
  std::uint64_t length;
};

/// 14 digits; careless crawlers leave the seconds out, or more, and others have milliseconds.
bool is_date(std::string_view text) {
  constexpr std::array<std::size_t, 5> kSizes{14, 12, 10, 8, 17};
  return std::find(kSizes.begin(), kSizes.end(), text.size()) != kSizes.end() &&
         text.find_first_not_of("0123456789") == std::string_view::npos;
}

/// Of version 4 or 6, or what stands for one that is not known.
bool is_address(std::string_view text) {
  return text.find_first_not_of("0123456789abcdefABCDEF.:-") == std::string_view::npos;
}

/// Counted from the end, since URLs of careless crawlers have blanks; types may have some, too
/// ("text/html; charset=utf-8").
std::optional<UrlRecord> parse_url_record(std::string_view line) {
  line = trim(line);
  constexpr std::size_t kMin = 4;  // behind the URL
  constexpr std::size_t kMax = 9;
  std::array<std::string_view, kMax> fields;
  for (std::size_t count = 1; count <= kMax; ++count) {
    const std::size_t blank = line.rfind(' ');
    if (blank == std::string_view::npos || blank == 0) return std::nullopt;
    fields[count - 1] = line.substr(blank + 1);
    line = line.substr(0, blank);
    if (count == 1 && !parse_length(fields[0])) return std::nullopt;
    const bool as_usual = count == kMin || count == kMax;
    if (count < kMin || !is_date(fields[count - 2]) || line.find(':') == std::string_view::npos ||
        (!as_usual && !is_address(fields[count - 1]))) {
      continue;
    }
    // The type reaches up to the length, or is one field of many.
    const std::string_view first = fields[count - 3];
    const std::string_view last = count == kMax ? first : fields[1];
    const auto size = static_cast<std::size_t>(last.data() + last.size() - first.data());
    return UrlRecord{line, fields[count - 2], {first.data(), size}, *parse_length(fields[0])};
  }
  return std::nullopt;
}

class ArcReader : public ArchiveReader {
 public:
  using ArchiveReader::ArchiveReader;

 private:
  bool begins_record(std::string_view line) const override {
    return line.ends_with('\n') && parse_url_record(line).has_value();
  }
  std::string_view record_name() const override { return "ARC record"; }

  Body read_head(ArchiveInput& input, std::string& bytes) override {
    const std::string_view line = input.peek_line(kLongestLine);
    const auto record = parse_url_record(line);
    Body body;
    body.size = record->length;
    // The first record of a file describes it.
    body.wanted = !record->url.starts_with("filedesc:") && !record->url.starts_with("dns:");
    bytes += line;
    input.take(line.size());
    return body;
  }
};

class ArcFormat : public ArchiveFormat {
 public:
  std::unique_ptr<ArchiveReader> make_reader(std::size_t max_record_bytes) const override {
    return std::make_unique<ArcReader>(max_record_bytes);
  }

  std::optional<Page> page_of(std::string_view head, std::string_view body, PageIds ids,
                              std::size_t limit, PageRoom& room) const override {
    const auto record = parse_url_record(head);
    if (!record) return std::nullopt;
    Page page;
    page.url = record->url;
    page.bytes = body;
    page.content_type = record->content_type;
    if (const auto response = parse_response(body)) {
      if (!take_page(*response, limit, page, room)) return std::nullopt;
    } else if (!same_name(without_parameters(page.content_type), "text/html") ||
               !begins_with_markup(body)) {
      // Neither an answer of a server nor a page: of other protocols.
      return std::nullopt;
    }
    if (kind_of_page(page.content_type, page.bytes) == PageKind::kOther) return std::nullopt;
    room.date = iso_of(record->date);
    page.date = room.date;
    page.id = record->url;
    if (ids != PageIds::kUrl) {
      room.id = std::string(record->date) + '/' + std::string(record->url);
      page.id = room.id;
    }
    return page;
  }

 private:
  static std::string iso_of(std::string_view date) {
    std::string digits(date.substr(0, 14));
    digits.resize(14, '0');
    const auto part = [&](std::size_t begin) { return digits.substr(begin, 2); };
    return digits.substr(0, 4) + '-' + part(4) + '-' + part(6) + 'T' + part(8) + ':' + part(10) +
           ':' + part(12) + 'Z';
  }
};

}  // namespace

std::unique_ptr<ArchiveFormat> arc_format() { return std::make_unique<ArcFormat>(); }

}  // namespace gannet::corpora
