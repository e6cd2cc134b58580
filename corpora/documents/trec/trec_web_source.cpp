// TREC's collections of pages: WT2g, WT10g, .GOV, GOV2.
#include "corpora/documents/sources/sources.hpp"
#include "corpora/documents/trec/doc_splitter.hpp"
#include "corpora/documents/web/http.hpp"
#include "corpora/documents/web/page.hpp"
#include "corpora/markup/markup.hpp"

namespace gannet::corpora {
namespace {

/// The text between <name> and </name>, and where what follows begins. Pages have tags of any kind,
/// so it must be the first tag of all.
struct Element {
  std::string_view text = {};
  std::size_t end = std::string_view::npos;
};

Element leading_element(std::string_view text, std::size_t from, std::string_view name) {
  const Tag open = next_tag(text, from);
  if (!open.found() || open.closing || !same_name(open.name, name)) return {};
  const Tag close = find_tag(text, open.end, name, true);
  if (!close.found()) return {};
  return {text.substr(open.end, close.begin - open.end), close.end};
}

class TrecWebSource : public TextSource {
 public:
  TrecWebSource(std::vector<std::filesystem::path> files, const ReaderOptions& options)
      : TextSource(std::move(files), make_splitter<DocSplitter<DocMark::kDocno>>, options),
        ids_(options.page_ids),
        documents_(options) {}

  std::unique_ptr<index::ParsedBatch> parse_text(std::unique_ptr<TextBatch> text) const override {
    auto batch = std::make_unique<PageBatch>();
    for (const Piece& piece : text->pieces) {
      const auto bytes = std::string_view(text->bytes);
      parse_piece(piece, bytes.substr(piece.begin, piece.end - piece.begin), *batch);
    }
    return batch;
  }

 private:
  void parse_piece(const Piece& piece, std::string_view text, PageBatch& batch) const {
    LineNumbers lines(text, piece.first_line);
    for_each_document(piece, text, DocMark::kDocno, [&](const DocumentPlace& place) {
      throw_if_stopped(stop());
      try {
        if (!place.problem.empty()) throw InputError(std::string(place.problem));
        const std::size_t before = batch.size();
        add(place.body, batch);
        if (batch.size() > before) batch.set_place(piece.path, lines.at(place.begin));
      } catch (const InputError& error) {
        complain(piece, lines, place.begin, error.what(), batch);
      }
    });
  }

  void add(std::string_view document, PageBatch& batch) const {
    const Element docno = leading_element(document, 0, "docno");
    if (docno.end == std::string_view::npos)
      throw InputError("the document does not begin with <DOCNO>");
    Page page;
    page.id = trim(docno.text);
    if (page.id.empty()) throw InputError("<DOCNO> is empty");
    std::size_t begin = docno.end;
    // WT10g has <DOCOLDNO> in between.
    const Element old = leading_element(document, begin, "docoldno");
    if (old.end != std::string_view::npos) begin = old.end;
    const Element header = leading_element(document, begin, "dochdr");
    if (header.end == std::string_view::npos)
      throw InputError("<DOCNO> is not followed by <DOCHDR>");
    page.bytes = document.substr(header.end);
    take_header(header.text, page);
    if (ids_ == PageIds::kUrl) {
      if (page.url.empty()) throw InputError("<DOCHDR> has no URL");
      page.id = page.url;
    }
    // The collections have text alone, whatever the server called it: PDF, too, became text.
    const PageKind kind = kind_of_page(page.content_type, page.bytes);
    if (kind != PageKind::kHtml && (kind == PageKind::kOther || !says_type(page.content_type))) {
      page.content_type = "text/html";
    }
    documents_.add(page, batch);
  }

  /// A line that begins with the URL (WT10g: and has more), then the server's header.
  static void take_header(std::string_view header, Page& page) {
    const std::size_t begin = header.find_first_not_of(" \t\r\n");
    if (begin == std::string_view::npos) return;
    header.remove_prefix(begin);
    page.url = header.substr(0, header.find_first_of(" \t\r\n"));
    page.content_type = header_value(header, "content-type");
  }

  void complain(const Piece& piece, LineNumbers& lines, std::size_t at, std::string_view reason,
                index::ParsedBatch& batch) const {
    const std::uint64_t line = bad_records().shows() ? lines.at(at) : 0;
    bad_records().handle(*piece.path, line, reason, batch);
  }

  PageIds ids_;
  PageDocuments documents_;
};

}  // namespace

std::unique_ptr<index::DocumentSource> open_trec_web(std::vector<std::filesystem::path> files,
                                                     const ReaderOptions& options) {
  return std::make_unique<TrecWebSource>(std::move(files), options);
}

}  // namespace gannet::corpora
