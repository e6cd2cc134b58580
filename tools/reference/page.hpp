// What manual pages and the scripts of shells are made of: a command, its rows of the table of
// options, and its parts.
#pragma once

#include <string>
#include <vector>

#include "tools/options/option_set.hpp"

namespace gannet::tools {

struct Page {
  std::vector<std::string> words = {};  ///< "gannet", "bench", "decode"
  std::string summary = {};
  Description description = {};  ///< without rows if there are parts
  std::vector<Page> parts = {};
};

/// "bench decode": the words behind "gannet".
inline std::string command_of(const Page& page) {
  std::string text;
  for (std::size_t i = 1; i < page.words.size(); ++i) text += (i > 1 ? " " : "") + page.words[i];
  return text;
}

/// Calls `visit` with the page and all below it.
template <class Visit>
void visit_pages(const Page& page, const Visit& visit) {
  visit(page);
  for (const Page& part : page.parts) visit_pages(part, visit);
}

}  // namespace gannet::tools
