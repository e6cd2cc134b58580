#include <utility>

#include "corpora/documents/sources/sources.hpp"
#include "corpora/documents/tables/line_ends.hpp"
#include "corpora/documents/tables/table.hpp"

namespace gannet::corpora {
namespace {

/// The values between the tabs of a line.
std::vector<std::string_view> values_of(std::string_view line) {
  std::vector<std::string_view> values;
  for (std::size_t begin = 0; begin != std::string_view::npos;) {
    const std::size_t tab = line.find('\t', begin);
    values.push_back(
        line.substr(begin, tab == std::string_view::npos ? std::string_view::npos : tab - begin));
    begin = tab == std::string_view::npos ? std::string_view::npos : tab + 1;
  }
  return values;
}

/// Cuts at line ends, and reads the columns from the first line.
class HeaderSplitter : public AnyLineSplitter {
 public:
  std::size_t cut(std::string_view text, bool at_end, Piece& piece) override {
    const std::size_t size = AnyLineSplitter::cut(text, at_end, piece);
    const auto take = [&](std::string_view line, std::uint64_t) {
      if (columns_ != nullptr) return;
      const std::vector<std::string_view> names = values_of(line);
      columns_ = std::make_shared<const Columns>(names.begin(), names.end());
      piece.has_header = true;
    };
    if (columns_ == nullptr) for_each_line(text.substr(0, size), 1, take, piece.line_end);
    piece.columns = columns_;
    return size;
  }

 private:
  std::shared_ptr<const Columns> columns_;
};

/// Views into the raw batch and its columns, which it keeps.
struct TsvBatch : index::ParsedBatch {
  std::unique_ptr<TextBatch> text;
};

class TsvSource : public TextSource {
 public:
  TsvSource(std::vector<std::filesystem::path> files, const ReaderOptions& options, RecordUse use)
      : TextSource(std::move(files),
                   options.header ? make_splitter<HeaderSplitter> : make_splitter<AnyLineSplitter>,
                   options),
        table_(TableOptions::of(options, use)) {
    if (options.header || !options.columns.empty()) return;
    if (!options.fields.empty()) {
      throw UsageError(
          "TSV files have fields with names only if their first line names them (--header), or "
          "--columns does");
    }
    if (!options.id_field.empty()) {
      throw UsageError(
          "--id-field: TSV files without named columns have the id before the first tab; name them "
          "(--columns, or --header)");
    }
  }

  std::unique_ptr<index::ParsedBatch> parse_text(std::unique_ptr<TextBatch> raw) const override {
    auto batch = std::make_unique<TsvBatch>();
    batch->text = std::move(raw);
    const std::string_view bytes = batch->text->bytes;
    for (Piece& piece : batch->text->pieces) {
      if (table_.columns != nullptr) piece.columns = table_.columns;
      throw_if_stopped(stop());
      const std::string_view text = bytes.substr(piece.begin, piece.end - piece.begin);
      piece.is_utf8 = is_utf8(text);
      if (piece.columns != nullptr) {
        parse_table(piece, text, *batch);
        continue;
      }
      const auto on_line = [&](std::string_view line, std::uint64_t number) {
        parse_line(piece, line, number, *batch);
      };
      for_each_line(text, piece.first_line, on_line, piece.line_end);
    }
    return batch;
  }

 private:
  /// A line `id<TAB>text`.
  void parse_line(const Piece& piece, std::string_view line, std::uint64_t number,
                  index::ParsedBatch& batch) const {
    const std::string& path = *piece.path;
    const std::size_t tab = line.find('\t');
    const std::string problem = piece.is_utf8 ? std::string() : not_utf8(line);
    if (!problem.empty()) {
      bad_records().handle(path, number, problem, batch);
    } else if (tab == std::string_view::npos) {
      bad_records().handle(path, number, "no tab between id and text", batch);
    } else if (tab == 0) {
      bad_records().handle(path, number, "the id before the tab is empty", batch);
    } else {
      batch.add(line.substr(0, tab), line.substr(tab + 1));
      batch.set_place(piece.path, number);
    }
  }

  /// Lines with a value for each column; in the first piece of a file, the first is the header.
  void parse_table(const Piece& piece, std::string_view text, index::ParsedBatch& batch) const {
    TableRows rows(piece, table_, bad_records(), batch);
    bool is_header = piece.has_header;
    const auto on_line = [&](std::string_view line, std::uint64_t number) {
      if (is_header) {
        is_header = is_blank(line);  // until the first that is not
      } else if (rows.is_row(line)) {
        rows.add(values_of(line), number);
      }
    };
    for_every_line(text, piece.first_line, on_line, piece.line_end);
  }

  TableOptions table_;
};

}  // namespace

std::unique_ptr<index::DocumentSource> open_tsv(std::vector<std::filesystem::path> files,
                                                const ReaderOptions& options, RecordUse use) {
  return std::make_unique<TsvSource>(std::move(files), options, use);
}

}  // namespace gannet::corpora
