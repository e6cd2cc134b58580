// Archives of the web, written record by record as their standards have it.
#pragma once

#include <algorithm>
#include <string>
#include <string_view>

namespace gannet::test {

/// What a server answers, with the lines of `headers` (each with its CRLF).
inline std::string http_response(std::string_view body, std::string_view headers = {},
                                 std::string_view status = "200 OK") {
  return "HTTP/1.1 " + std::string(status) + "\r\n" + std::string(headers) + "\r\n" +
         std::string(body);
}

inline constexpr std::string_view kHtmlType = "Content-Type: text/html\r\n";

/// `content` in chunks of at most `size` bytes.
inline std::string chunked(std::string_view content, std::size_t size) {
  std::string all;
  constexpr std::string_view kDigits = "0123456789abcdef";
  for (; !content.empty(); content.remove_prefix(std::min(size, content.size()))) {
    const std::size_t part = std::min(size, content.size());
    std::string hex;
    for (std::size_t rest = part; rest > 0; rest /= 16) hex.insert(0, 1, kDigits[rest % 16]);
    all += hex + "\r\n" + std::string(content.substr(0, part)) + "\r\n";
  }
  return all + "0\r\n\r\n";
}

/// A record of WARC/1.1 with the lines of `headers` (each with its CRLF) besides type and length.
inline std::string warc_record(std::string_view type, std::string_view headers,
                               std::string_view body) {
  return "WARC/1.1\r\nWARC-Type: " + std::string(type) + "\r\n" + std::string(headers) +
         "Content-Length: " + std::to_string(body.size()) + "\r\n\r\n" + std::string(body) +
         "\r\n\r\n";
}

/// A response to http with the id `<urn:uuid:ID>` and the URL http://ID.example.org/.
inline std::string warc_page(std::string_view id, std::string_view message,
                             std::string_view more_headers = {}) {
  const std::string name(id);
  return warc_record("response",
                     "WARC-Record-ID: <urn:uuid:" + name + ">\r\nWARC-Target-URI: http://" + name +
                         ".example.org/\r\nWARC-Date: 2026-11-23T01:02:03Z\r\n"
                         "Content-Type: application/http; msgtype=response\r\n" +
                         std::string(more_headers),
                     message);
}

/// A record of ARC, version 1.
inline std::string arc_record(std::string_view url, std::string_view type, std::string_view body) {
  return std::string(url) + " 192.0.2.1 20261123010203 " + std::string(type) + ' ' +
         std::to_string(body.size()) + '\n' + std::string(body) + '\n';
}

inline std::string arc_head() {
  return arc_record("filedesc://test.arc", "text/plain",
                    "1 0 Test\nURL IP-address Archive-date Content-type Archive-length\n");
}

inline std::string trec_web_document(std::string_view id, std::string_view header,
                                     std::string_view page) {
  return "<DOC>\n<DOCNO>" + std::string(id) + "</DOCNO>\n<DOCHDR>\n" + std::string(header) +
         "\n</DOCHDR>\n" + std::string(page) + "\n</DOC>\n";
}

}  // namespace gannet::test
