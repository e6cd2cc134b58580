#include "corpora/documents/sources/sources.hpp"
#include "corpora/documents/trec/doc_splitter.hpp"
#include "corpora/documents/trec/sgml_text.hpp"
#include "corpora/markup/markup.hpp"

namespace gannet::corpora {
namespace {

/// Ids are views into `text`, which the batch keeps; stripped texts stand in `arena`.
struct TrecBatch : index::ParsedBatch {
  std::unique_ptr<TextBatch> text;
  std::unique_ptr<char[]> arena;
};

class TrecTextSource : public TextSource {
 public:
  TrecTextSource(std::vector<std::filesystem::path> files, const ReaderOptions& options)
      : TextSource(std::move(files), make_splitter<DocSplitter<DocMark::kAnyTag>>, options) {}

  std::unique_ptr<index::ParsedBatch> parse_text(std::unique_ptr<TextBatch> raw) const override {
    auto batch = std::make_unique<TrecBatch>();
    batch->text = std::move(raw);
    // Stripping replaces at least three bytes of a tag by one, so no text grows.
    batch->arena = std::make_unique_for_overwrite<char[]>(batch->text->bytes.size());
    char* free = batch->arena.get();
    for (Piece& piece : batch->text->pieces) {
      const auto text =
          std::string_view(batch->text->bytes).substr(piece.begin, piece.end - piece.begin);
      piece.is_utf8 = is_utf8(text);
      parse_piece(piece, text, free, *batch);
    }
    return batch;
  }

 private:
  void parse_piece(const Piece& piece, std::string_view text, char*& free,
                   index::ParsedBatch& batch) const {
    LineNumbers lines(text, piece.first_line);
    for_each_document(piece, text, DocMark::kAnyTag, [&](const DocumentPlace& place) {
      throw_if_stopped(stop());
      std::string reason(place.problem);
      if (reason.empty() && !piece.is_utf8) reason = not_utf8(place.body);
      if (reason.empty()) reason = parse_body(place.body, free, batch);
      if (!reason.empty()) return complain(piece, lines, place.begin, reason, batch);
      batch.set_place(piece.path, lines.at(place.begin));
    });
  }

  // Adds the document; or returns what is wrong with it.
  static std::string parse_body(std::string_view body, char*& free, index::ParsedBatch& batch) {
    const Tag open = find_tag(body, 0, "docno", false);
    if (!open.found()) return "the document has no <DOCNO>";
    const Tag close = next_tag(body, open.end);
    if (!close.found() || !close.closing || !same_name(close.name, "docno")) {
      return "<DOCNO> without </DOCNO>";
    }
    const std::string_view id = trim(body.substr(open.end, close.begin - open.end));
    if (id.empty()) return "<DOCNO> is empty";
    const char* begin = free;
    free = sgml_text(body.substr(0, open.begin), free);
    free = sgml_text(body.substr(close.end), free);
    batch.add(id, {begin, static_cast<std::size_t>(free - begin)});
    return {};
  }

  void complain(const Piece& piece, LineNumbers& lines, std::size_t at, std::string_view reason,
                index::ParsedBatch& batch) const {
    const std::uint64_t line = bad_records().shows() ? lines.at(at) : 0;
    bad_records().handle(*piece.path, line, reason, batch);
  }
};

}  // namespace

std::unique_ptr<index::DocumentSource> open_trec_text(std::vector<std::filesystem::path> files,
                                                      const ReaderOptions& options) {
  return std::make_unique<TrecTextSource>(std::move(files), options);
}

}  // namespace gannet::corpora
