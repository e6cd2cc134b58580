// Where what is no markup ends in a page: comments, scripts, titles.
#pragma once

#include <cstddef>
#include <string_view>

namespace gannet::corpora {

/// What an element's contents are.
enum class HtmlContents {
  kMarkup,
  kRaw,        ///< text up to the end tag: <style>
  kText,       ///< the same with character references: <title>
  kScript,     ///< text up to the end tag, but for those in comments that open a script
  kPlainText,  ///< text up to the end of the page
};

/// `name` in small letters.
HtmlContents contents_of(std::string_view name);

/// The '<' of the end tag that ends the contents of element `name` that begin at `at`; the end of
/// the page if there is none.
std::size_t end_of_contents(std::string_view page, std::size_t at, std::string_view name,
                            HtmlContents contents);

/// Behind the comment, declaration or instruction that begins at `at` with `<!`, `<?` or `</`; the
/// end of the page if it has no end.
std::size_t end_of_comment(std::string_view page, std::size_t at);

}  // namespace gannet::corpora
