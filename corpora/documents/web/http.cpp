#include "corpora/documents/web/http.hpp"

#include <algorithm>
#include <charconv>
#include <cstdint>

#include "codecs/base/error.hpp"
#include "corpora/documents/web/content_coding.hpp"
#include "corpora/markup/markup.hpp"

namespace gannet::corpora {
namespace {

/// What may stand behind a type of content: careless servers leave the semicolon out, or quote it.
constexpr std::string_view kEndsOfType = " \t\r\n;,\"'";

/// Takes the first line off a text, without its line end.
std::string_view take_line(std::string_view& text) {
  const std::size_t end = text.find('\n');
  std::string_view line = text.substr(0, end);
  text.remove_prefix(end == std::string_view::npos ? text.size() : end + 1);
  if (line.ends_with('\r')) line.remove_suffix(1);
  return line;
}

/// The size that a line before a chunk says; nothing if it says none.
std::optional<std::uint64_t> chunk_size(std::string_view line) {
  line = trim(line.substr(0, line.find(';')));
  std::uint64_t size = 0;
  const auto [end, error] = std::from_chars(line.data(), line.data() + line.size(), size, 16);
  if (line.empty() || error != std::errc() || end != line.data() + line.size()) {
    return std::nullopt;
  }
  return size;
}

/// Joins the chunks of a body, as far as there are any; false if it does not begin with one.
bool join_chunks(std::string_view body, std::string& out) {
  out.clear();
  for (bool first = true; !body.empty(); first = false) {
    const auto size = chunk_size(take_line(body));
    if (!size) return !first;
    if (*size == 0) break;
    const auto there = static_cast<std::size_t>(std::min<std::uint64_t>(*size, body.size()));
    out.append(body.substr(0, there));
    body.remove_prefix(there);
    take_line(body);
  }
  return true;
}

/// Where the last of the codings listed begins, behind its comma.
std::size_t last_coding(std::string_view codings) {
  return codings.rfind(',') + 1;  // npos + 1 is 0
}

bool is_chunked(std::string_view transfer) {
  return same_name(trim(transfer.substr(last_coding(transfer))), "chunked");
}

/// Those of the content, then those that the whole body had for its transfer, before `chunked`.
std::string codings_of(std::string_view head) {
  std::string codings(header_value(head, "content-encoding"));
  std::string_view transfer = header_value(head, "transfer-encoding");
  if (is_chunked(transfer)) transfer = transfer.substr(0, last_coding(transfer));
  if (!transfer.empty()) codings.append(codings.empty() ? "" : ",").append(transfer);
  return codings;
}

}  // namespace

std::string_view header_value(std::string_view head, std::string_view name) {
  while (!head.empty()) {
    const std::string_view line = take_line(head);
    const std::size_t colon = line.find(':');
    if (colon == std::string_view::npos || !same_name(trim(line.substr(0, colon)), name)) continue;
    // Lines that begin with a blank go on with the one before.
    const char* end = line.data() + line.size();
    while (head.starts_with(' ') || head.starts_with('\t')) {
      const std::string_view more = take_line(head);
      end = more.data() + more.size();
    }
    const char* const begin = line.data() + colon + 1;
    return trim({begin, static_cast<std::size_t>(end - begin)});
  }
  return {};
}

std::string_view parameter_of(std::string_view value, std::string_view name) {
  const std::string_view type = without_parameters(value);
  value.remove_prefix(
      type.empty() ? 0 : static_cast<std::size_t>(type.data() - value.data()) + type.size());
  for (std::size_t semicolon = value.find_first_of(kEndsOfType);
       semicolon != std::string_view::npos;) {
    value.remove_prefix(semicolon + 1);
    semicolon = value.find(';');
    const std::string_view parameter = value.substr(0, semicolon);
    const std::size_t equals = parameter.find('=');
    if (equals == std::string_view::npos || !same_name(trim(parameter.substr(0, equals)), name))
      continue;
    std::string_view found = trim(parameter.substr(equals + 1));
    const std::size_t begin = found.find_first_not_of("\"'");
    if (begin == std::string_view::npos) return {};
    found.remove_prefix(begin);
    return found.substr(0, found.find_first_of("\"' \t,"));
  }
  return {};
}

std::string_view without_parameters(std::string_view value) {
  value.remove_prefix(std::min(value.find_first_not_of(" \t\r\n\"'"), value.size()));
  return value.substr(0, value.find_first_of(kEndsOfType));
}

std::string_view host_of(std::string_view url) {
  const std::size_t scheme = url.find("://");
  if (scheme == std::string_view::npos) return {};
  url.remove_prefix(scheme + 3);
  url = url.substr(0, url.find_first_of("/?#\\"));
  if (const std::size_t user = url.rfind('@'); user != std::string_view::npos)
    url.remove_prefix(user + 1);
  if (url.starts_with('[')) return url.substr(0, url.find(']') + 1);  // IPv6
  return url.substr(0, url.find(':'));
}

SplitMessage split_head(std::string_view message) {
  std::string_view rest = message;
  while (!rest.empty()) {
    const std::size_t line = message.size() - rest.size();
    if (take_line(rest).empty()) return {message.substr(0, line), rest};
  }
  return {message, {}};
}

std::optional<HttpResponse> parse_response(std::string_view message) {
  if (!message.starts_with("HTTP/")) return std::nullopt;
  const SplitMessage split = split_head(message);
  HttpResponse response{0, split.head, split.body};
  std::string_view status = message.substr(0, message.find('\n'));
  status.remove_prefix(std::min(status.find(' '), status.size()));
  status = trim(status);
  std::from_chars(status.data(), status.data() + status.size(), response.status);
  return response;
}

std::size_t content_limit(std::string_view message, std::size_t most) {
  constexpr std::size_t kMaxRatio = 1032;
  constexpr std::size_t kAlwaysAllowed = std::size_t{1} << 20;
  const auto response = parse_response(message);
  if (!response || codings_of(response->head).empty()) return 0;
  if (message.size() >= most / kMaxRatio) return most;
  return std::min(most, std::max(kAlwaysAllowed, message.size() * kMaxRatio));
}

std::string_view decoded_body(const HttpResponse& response, std::size_t limit, std::string& chunks,
                              std::string& content) {
  std::string_view body = response.body;
  if (is_chunked(header_value(response.head, "transfer-encoding")) && join_chunks(body, chunks)) {
    body = chunks;
  }
  return undo_codings(codings_of(response.head), body, limit, chunks, content);
}

}  // namespace gannet::corpora
