// A page of a wiki's dump.
#pragma once

#include <optional>
#include <stop_token>
#include <string>
#include <string_view>

namespace gannet::corpora {

struct WikiPage {
  std::string id = {};
  std::string title = {};
  std::optional<int> space = {};  ///< its namespace; old dumps do not say it
  bool redirect = false;
  // Of the last revision:
  std::string date = {};    ///< ISO 8601, UTC
  std::string format = {};  ///< "text/x-wiki"; empty: that
  std::string text = {};
};

/// Reads an element `<page>`. Returns what is wrong with it, or nothing. Throws CancelledError.
std::string parse_page(std::string_view xml, const std::stop_token& stop, WikiPage& page);

}  // namespace gannet::corpora
