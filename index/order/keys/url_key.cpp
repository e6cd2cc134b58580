#include "index/order/keys/url_key.hpp"

#include <algorithm>
#include <iterator>

namespace gannet::index {
namespace {

// Both are less than all that hosts have: a site comes before those below it, and
// "com.example" with all below it before "com.example-2".
constexpr char kLabelEnd = '\x01';
constexpr char kPartEnd = '\0';

char lower(char c) { return c >= 'A' && c <= 'Z' ? static_cast<char>(c - 'A' + 'a') : c; }
bool is_port_digit(char c) { return c >= '0' && c <= '9'; }

std::string_view without_scheme(std::string_view url) {
  const std::size_t slashes = url.find("//");
  if (slashes == std::string_view::npos) return url;
  // Slashes of a path are no host's.
  if (slashes != 0 && url.find_first_of("/?#") != slashes) return url;
  if (slashes != 0 && url[slashes - 1] != ':') return url;
  return url.substr(slashes + 2);
}

/// Takes the port off the end of a host.
std::string_view take_port(std::string_view& host) {
  const std::size_t colon = host.rfind(':');
  if (colon == std::string_view::npos || host.find(']', colon) != std::string_view::npos) return {};
  const std::string_view port = host.substr(colon + 1);
  if (!std::ranges::all_of(port, is_port_digit)) return {};
  host = host.substr(0, colon);
  return port == "80" || port == "443" ? std::string_view() : port;
}

bool is_address(std::string_view host) {
  if (host.starts_with('[')) return true;
  const std::string_view last = host.substr(host.rfind('.') + 1);
  return !last.empty() && std::ranges::all_of(last, is_port_digit);
}

void append_lower(std::string_view text, std::string& out) {
  std::ranges::transform(text, std::back_inserter(out), lower);
}

void append_host(std::string_view host, std::string& out) {
  if (host.ends_with('.')) host.remove_suffix(1);
  if (is_address(host)) return append_lower(host, out);
  while (true) {
    const std::size_t dot = host.rfind('.');
    if (dot == std::string_view::npos) break;
    append_lower(host.substr(dot + 1), out);
    out += kLabelEnd;
    host = host.substr(0, dot);
  }
  append_lower(host, out);
}

}  // namespace

std::string url_key(std::string_view url) {
  const std::string_view rest = without_scheme(url);
  const std::size_t end = std::min(rest.find_first_of("/?#"), rest.size());
  std::string_view host = rest.substr(0, end);
  host = host.substr(host.rfind('@') + 1);
  const std::string_view port = take_port(host);
  std::string key;
  key.reserve(url.size() + 2);
  append_host(host, key);
  key += kPartEnd;
  key += port;
  key += kPartEnd;
  key += rest.substr(end);
  return key;
}

}  // namespace gannet::index
