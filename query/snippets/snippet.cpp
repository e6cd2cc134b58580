#include "query/snippets/snippet.hpp"

#include <algorithm>
#include <utility>

#include "codecs/base/error.hpp"
#include "query/snippets/parts/best_window.hpp"
#include "query/snippets/parts/fragment_cutter.hpp"
#include "query/snippets/parts/marked_terms.hpp"
#include "query/snippets/parts/matches.hpp"
#include "query/snippets/parts/utf8.hpp"

namespace gannet::query {
namespace {

SnippetOptions checked(SnippetOptions options) {
  if (const auto problem = snippet_problem(options)) throw UsageError(*problem);
  return options;
}

/// The place between its neighbours in `taken` (ascending) that `range` has.
ByteRange room_around(ByteRange range, std::span<const ByteRange> taken, ByteRange all) {
  for (const ByteRange& other : taken) {
    if (other.end <= range.begin) all.begin = other.end;
    if (other.begin >= range.end) all.end = std::min(all.end, other.begin);
  }
  return all;
}

/// Ranges with only white space between them become one.
std::vector<ByteRange> joined(std::string_view text, const std::vector<ByteRange>& ranges) {
  std::vector<ByteRange> all;
  for (const ByteRange& range : ranges) {
    if (!all.empty() && skip_spaces(text, all.back().end, range.begin) == range.begin) {
      all.back().end = range.end;
    } else {
      all.push_back(range);
    }
  }
  return all;
}

}  // namespace

std::optional<std::string> snippet_problem(const SnippetOptions& options) {
  if (options.fragments < 1 || options.fragments > kMaxFragments) {
    return "a snippet has 1 to " + std::to_string(kMaxFragments) + " fragments, not " +
           std::to_string(options.fragments);
  }
  if (options.length < kMinFragmentLength || options.length > kMaxFragmentLength) {
    return "fragments have " + std::to_string(kMinFragmentLength) + " to " +
           std::to_string(kMaxFragmentLength) + " characters, not " +
           std::to_string(options.length);
  }
  return std::nullopt;
}

struct SnippetMaker::Impl {
  Impl(const Plan& plan, const index::Analyzer& analyzer, SnippetOptions wanted)
      : options(std::move(wanted)), terms(plan), finder(terms, analyzer), cutter(options.length) {}

  Snippet make(std::string_view text, IndexedText of);
  Snippet make(std::string_view text, IndexedText of, const std::stop_token& stop);
  std::vector<ByteRange> best_ranges(std::string_view text, const TermMatches& matches,
                                     ByteRange all);
  void mark(const TermMatches& matches, std::vector<Fragment>& fragments) const;

  SnippetOptions options;
  MarkedTerms terms;
  MatchFinder finder;
  FragmentCutter cutter;
};

/// The fragments' ranges in the order of the text. `all` of the text is not empty.
std::vector<ByteRange> SnippetMaker::Impl::best_ranges(std::string_view text,
                                                       const TermMatches& matches, ByteRange all) {
  std::vector<ByteRange> ranges;
  std::vector<bool> shown(terms.size());
  while (ranges.size() < options.fragments) {
    const ByteRange core = best_window(matches, terms, options.length, shown, ranges);
    if (core.empty()) break;
    const ByteRange made = cutter.cut(text, core, room_around(core, ranges, all));
    matches.each([&](const TermMatch& match) {
      if (made.contains(match)) shown[match.item] = true;
    });
    const auto after = [](const ByteRange& a, const ByteRange& b) { return a.begin < b.begin; };
    ranges.insert(std::upper_bound(ranges.begin(), ranges.end(), made, after), made);
  }
  if (ranges.empty()) ranges.push_back(cutter.cut(text, {all.begin, all.begin}, all));
  return joined(text, ranges);
}

/// Marks of tokens that overlap become one; tokens that an end of the fragment cuts are none.
void SnippetMaker::Impl::mark(const TermMatches& matches, std::vector<Fragment>& fragments) const {
  auto fragment = fragments.begin();
  matches.each([&](const TermMatch& match) {
    while (fragment != fragments.end() && fragment->end < match.end) ++fragment;
    if (fragment == fragments.end() || match.begin < fragment->begin) return;
    std::vector<Mark>& marks = fragment->marks;
    const std::uint32_t term = terms.term_of(match.item);
    if (marks.empty() || marks.back().end <= match.begin) {
      marks.push_back({match.begin, match.end, term});
      return;
    }
    Mark& last = marks.back();
    last.end = match.end;
    if (terms.worth(term) > terms.worth(last.term)) last.term = term;
  });
}

SnippetMaker::SnippetMaker(const Plan& plan, const index::Analyzer& analyzer,
                           SnippetOptions options)
    : impl_(std::make_unique<Impl>(plan, analyzer, checked(std::move(options)))) {}
SnippetMaker::~SnippetMaker() = default;
SnippetMaker::SnippetMaker(SnippetMaker&&) noexcept = default;
SnippetMaker& SnippetMaker::operator=(SnippetMaker&&) noexcept = default;

Snippet SnippetMaker::make(std::string_view text) { return impl_->make(text, {}); }

Snippet SnippetMaker::make(std::string_view text, const index::Index& index, index::Docid docid) {
  return impl_->make(text, {&index, docid});
}

Snippet SnippetMaker::Impl::make(std::string_view text, IndexedText of) {
  return within_limits(options,
                       [&](const SnippetOptions& limited) { return make(text, of, limited.stop); });
}

Snippet SnippetMaker::Impl::make(std::string_view text, IndexedText of,
                                 const std::stop_token& stop) {
  const std::uint64_t begin = skip_spaces(text, 0, text.size());
  const ByteRange all{begin, trim_spaces(text, begin, text.size())};
  Snippet snippet;
  if (all.empty()) return snippet;
  const TermMatches matches(finder, text, of, stop);
  for (const ByteRange& range : best_ranges(text, matches, all)) {
    snippet.fragments.push_back({range.begin, range.end, {}});
  }
  mark(matches, snippet.fragments);
  snippet.starts_late = snippet.fragments.front().begin > all.begin;
  snippet.ends_early = snippet.fragments.back().end < all.end;
  return snippet;
}

Snippet make_snippet(std::string_view text, const Plan& plan, const index::Analyzer& analyzer,
                     const SnippetOptions& options) {
  return SnippetMaker(plan, analyzer, options).make(text);
}

}  // namespace gannet::query
