// Articles of Wikipedia and other wikis, from the XML dumps that MediaWiki makes.
#include <algorithm>

#include "corpora/documents/sources/sources.hpp"
#include "corpora/documents/web/page.hpp"
#include "corpora/documents/wiki/page_splitter.hpp"
#include "corpora/documents/wiki/wiki_page.hpp"
#include "corpora/documents/wiki/wiki_site.hpp"
#include "corpora/markup/markup.hpp"

namespace gannet::corpora {
namespace {

/// The pages of a piece, one after the other.
class PageFinder {
 public:
  explicit PageFinder(std::string_view text)
      : text_(text), begin_(text.find(kPageBegin)), end_(text.find(kPageEnd)) {}

  bool found() const { return begin_ != std::string_view::npos; }
  std::size_t begin() const { return begin_; }
  /// Empty if the next page, or the text's end, comes before its own.
  std::string_view page() {
    next_ = text_.find(kPageBegin, begin_ + kPageBegin.size());
    if (end_ != std::string_view::npos && end_ < begin_) end_ = text_.find(kPageEnd, begin_);
    if (end_ == std::string_view::npos || end_ > next_) return {};
    return text_.substr(begin_, end_ + kPageEnd.size() - begin_);
  }
  void go_on() { begin_ = next_; }

 private:
  std::string_view text_;
  std::size_t begin_;
  std::size_t next_ = std::string_view::npos;
  std::size_t
      end_;  ///< of the page, or of one behind it; std::string_view::npos: no page ends any more
};

class WikipediaSource : public TextSource {
 public:
  WikipediaSource(std::vector<std::filesystem::path> files, const ReaderOptions& options)
      : TextSource(std::move(files), make_splitter<PageSplitter>, options),
        ids_(options.page_ids),
        namespaces_(options.namespaces),
        documents_(options) {}

  std::unique_ptr<index::ParsedBatch> parse_text(std::unique_ptr<TextBatch> text) const override {
    auto batch = std::make_unique<PageBatch>();
    for (const Piece& piece : text->pieces) {
      const std::string_view bytes = text->bytes;
      parse_piece(piece, bytes.substr(piece.begin, piece.end - piece.begin), *batch);
    }
    return batch;
  }

 private:
  void parse_piece(const Piece& piece, std::string_view text, PageBatch& batch) const {
    LineNumbers lines(text, piece.first_line);
    if (piece.without_records && !(piece.first_in_file && trim(text).empty())) {
      return complain(piece, lines, 0, "there is no <page> in this file", batch);
    }
    WikiSite site;
    const std::string problem = parse_site(*piece.head, stop(), site);
    if (!problem.empty() && piece.first_in_file) {
      complain(piece, lines, 0, "what stands before the first <page> is " + problem, batch);
    }
    for (PageFinder pages(text); pages.found(); pages.go_on()) {
      throw_if_stopped(stop());
      const std::string_view xml = pages.page();
      const std::size_t before = batch.size();
      const std::string reason = xml.empty() ? "<page> without </page>" : add(xml, site, batch);
      if (!reason.empty()) complain(piece, lines, pages.begin(), reason, batch);
      if (batch.size() > before) batch.set_place(piece.path, lines.at(pages.begin()));
    }
  }

  /// Adds the page if it is one that is wanted; or returns what is wrong with it.
  std::string add(std::string_view xml, const WikiSite& site, PageBatch& batch) const {
    WikiPage page;
    std::string problem = parse_page(xml, stop(), page);
    if (!problem.empty()) return problem;
    const int space = page.space ? *page.space : site.namespace_of(page.title);
    if (page.redirect || std::ranges::find(namespaces_, space) == namespaces_.end()) {
      ++batch.left_out;
      return {};
    }
    const std::string url = site.url_of(page.title);
    const std::string id = id_of(page, url);
    if (id.empty()) return "the dump does not say where the wiki is, so that the page has no URL";
    try {
      documents_.add({id, url, page.date, site.language, page.format, {}}, text_of(page, site),
                     batch);
    } catch (const InputError& error) {
      return error.what();
    }
    return {};
  }

  std::string id_of(const WikiPage& page, const std::string& url) const {
    if (ids_ == PageIds::kUrl) return url;
    return ids_ == PageIds::kTitle ? page_name(page.title) : page.id;
  }

  PageText text_of(const WikiPage& page, const WikiSite& site) const {
    PageText text;
    text.all = page.title;
    text.title = {0, page.title.size()};
    text.all += '\n';
    const std::size_t title = text.all.size();
    if (page.format.empty() || page.format == "text/x-wiki") {
      append_wikitext(page.text, site.names, text.all, stop());
    } else {
      text.all += page.text;  // a program, or a style sheet
    }
    if (text.all.size() == title) text.all.pop_back();
    return text;
  }

  void complain(const Piece& piece, LineNumbers& lines, std::size_t at, std::string_view reason,
                index::ParsedBatch& batch) const {
    const std::uint64_t line = bad_records().shows() ? lines.at(at) : 0;
    bad_records().handle(*piece.path, line, reason, batch);
  }

  PageIds ids_;
  std::vector<int> namespaces_;
  PageDocuments documents_;
};

}  // namespace

std::unique_ptr<index::DocumentSource> open_wikipedia(std::vector<std::filesystem::path> files,
                                                      const ReaderOptions& options) {
  return std::make_unique<WikipediaSource>(std::move(files), options);
}

}  // namespace gannet::corpora
