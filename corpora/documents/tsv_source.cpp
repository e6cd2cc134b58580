#include "corpora/documents/sources.hpp"

namespace gannet::corpora {
namespace {

/// Views into the raw batch, which it keeps.
struct TsvBatch : index::ParsedBatch {
  std::unique_ptr<TextBatch> text;
};

class TsvSource : public TextSource {
 public:
  TsvSource(std::vector<std::filesystem::path> files, const ReaderOptions& options)
      : TextSource(std::move(files), make_splitter<LineSplitter>, options) {}

  std::unique_ptr<index::ParsedBatch> parse(std::unique_ptr<index::RawBatch> raw) const override {
    auto batch = std::make_unique<TsvBatch>();
    batch->text = take_text(std::move(raw));
    const std::string_view bytes = batch->text->bytes;
    for (const Piece& piece : batch->text->pieces) {
      for_each_line(bytes.substr(piece.begin, piece.end - piece.begin), piece.first_line,
                    [&](std::string_view line, std::uint64_t number) {
                      parse_line(*piece.path, line, number, *batch);
                    });
    }
    return batch;
  }

 private:
  void parse_line(const std::string& path, std::string_view line, std::uint64_t number,
                  index::ParsedBatch& batch) const {
    const std::size_t tab = line.find('\t');
    if (tab == std::string_view::npos) {
      handle_malformed(malformed(), path, number, "no tab between id and text", batch);
    } else if (tab == 0) {
      handle_malformed(malformed(), path, number, "the id before the tab is empty", batch);
    } else {
      batch.documents.push_back({line.substr(0, tab), line.substr(tab + 1)});
    }
  }
};

}  // namespace

std::unique_ptr<index::DocumentSource> open_tsv(std::vector<std::filesystem::path> files,
                                                const ReaderOptions& options) {
  return std::make_unique<TsvSource>(std::move(files), options);
}

}  // namespace gannet::corpora
