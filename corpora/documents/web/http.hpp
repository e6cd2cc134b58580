// HTTP messages as archives keep them.
#pragma once

#include <cstddef>
#include <optional>
#include <string>
#include <string_view>

namespace gannet::corpora {

/// The value of the first line `name: value` of a header, whatever the case of the name and with
/// blanks before the colon; without white space at both ends, empty if there is none. Lines may end
/// with LF alone, and go on with lines that begin with a blank, whose line ends are in the value.
std::string_view header_value(std::string_view head, std::string_view name);

/// The value of a parameter of a header's value, as charset in `text/html; charset="utf-8"`; empty
/// if there is none.
std::string_view parameter_of(std::string_view value, std::string_view name);

/// What stands before the parameters, or before a blank, without quotes: `text/html`.
std::string_view without_parameters(std::string_view value);

/// The host of a URL, without user and port; empty if there is none.
std::string_view host_of(std::string_view url);

/// An answer of a server. Views.
struct HttpResponse {
  int status = 0;
  std::string_view head = {};
  std::string_view body = {};
};

/// Splits a response; nothing if it does not begin with `HTTP/`. What has no empty line is all
/// header. A status that is no number is 0.
std::optional<HttpResponse> parse_response(std::string_view message);

/// Splits a header from what follows its empty line.
struct SplitMessage {
  std::string_view head = {};
  std::string_view body = {};
};
SplitMessage split_head(std::string_view message);

/// The most bytes that the body of a message may have once its codings are undone: 1 MiB, or 1,032
/// times the size of the message if that is more, and never more than `most`. Deflate has no larger
/// ratio (zlib's documentation, "Maximum Compression Factor"). 0 if no content coding is named.
std::size_t content_limit(std::string_view message, std::size_t most);

/// The body as the server's program made it: the chunks of `Transfer-Encoding: chunked` joined, and
/// the codings of `Transfer-Encoding` and `Content-Encoding` undone (gzip, deflate, zstd). Crawlers
/// may have done either and left the header as it was, so a body that does not begin as the header
/// says is taken as it is. A body that ends too early gives what is there. A view of the body,
/// `chunks` or `content`. Throws InputError with the reason for damaged data, for other codings,
/// and for more than `limit` bytes.
std::string_view decoded_body(const HttpResponse& response, std::size_t limit, std::string& chunks,
                              std::string& content);

}  // namespace gannet::corpora
