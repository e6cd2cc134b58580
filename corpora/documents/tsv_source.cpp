#include <algorithm>
#include <utility>

#include "corpora/documents/sources.hpp"

namespace gannet::corpora {
namespace {

constexpr std::size_t kNone = std::string_view::npos;

using Columns = std::vector<std::string>;

/// The values between the tabs of a line.
std::vector<std::string_view> values_of(std::string_view line) {
  std::vector<std::string_view> values;
  for (std::size_t begin = 0; begin != kNone;) {
    const std::size_t tab = line.find('\t', begin);
    values.push_back(line.substr(begin, tab == kNone ? kNone : tab - begin));
    begin = tab == kNone ? kNone : tab + 1;
  }
  return values;
}

/// Cuts at line ends, and reads the columns from the first line.
class HeaderSplitter : public LineSplitter {
 public:
  std::size_t cut(std::string_view text, bool at_end, Piece& piece) override {
    const std::size_t size = LineSplitter::cut(text, at_end, piece);
    if (columns_ == nullptr) {
      for_each_line(text.substr(0, size), 1, [&](std::string_view line, std::uint64_t) {
        if (columns_ != nullptr) return;
        const std::vector<std::string_view> names = values_of(line);
        columns_ = std::make_shared<const Columns>(names.begin(), names.end());
        piece.has_header = true;
      });
    }
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
  TsvSource(std::vector<std::filesystem::path> files, const ReaderOptions& options)
      : TextSource(std::move(files),
                   options.header ? make_splitter<HeaderSplitter> : make_splitter<LineSplitter>,
                   options),
        fields_(options.fields) {
    if (!options.header && !fields_.empty()) {
      throw UsageError("TSV files have fields with names only if their first line names them");
    }
  }

  std::unique_ptr<index::ParsedBatch> parse(std::unique_ptr<index::RawBatch> raw) const override {
    auto batch = std::make_unique<TsvBatch>();
    batch->text = take_text(std::move(raw));
    const std::string_view bytes = batch->text->bytes;
    for (const Piece& piece : batch->text->pieces) {
      throw_if_stopped(stop());
      const std::string_view text = bytes.substr(piece.begin, piece.end - piece.begin);
      if (piece.columns != nullptr) {
        parse_table(piece, text, *batch);
        continue;
      }
      for_each_line(text, piece.first_line, [&](std::string_view line, std::uint64_t number) {
        parse_line(*piece.path, line, number, *batch);
      });
    }
    return batch;
  }

 private:
  /// A line `id<TAB>text`.
  void parse_line(const std::string& path, std::string_view line, std::uint64_t number,
                  index::ParsedBatch& batch) const {
    const std::size_t tab = line.find('\t');
    if (tab == kNone) {
      handle_malformed(malformed(), path, number, "no tab between id and text", batch);
    } else if (tab == 0) {
      handle_malformed(malformed(), path, number, "the id before the tab is empty", batch);
    } else {
      batch.add(line.substr(0, tab), line.substr(tab + 1));
    }
  }

  /// Lines with a value for each column; in the first piece of a file, the first is the header.
  void parse_table(const Piece& piece, std::string_view text, index::ParsedBatch& batch) const {
    const Columns& columns = *piece.columns;
    const std::size_t id = column_of_id(columns);
    const std::vector<std::size_t> wanted = wanted_columns(piece, id);
    bool is_header = piece.has_header;
    for_each_line(text, piece.first_line, [&](std::string_view line, std::uint64_t number) {
      if (std::exchange(is_header, false)) return;
      const std::vector<std::string_view> values = values_of(line);
      if (values.size() != columns.size()) {
        handle_malformed(malformed(), *piece.path, number,
                         std::to_string(values.size()) + " values, but the first line names " +
                             std::to_string(columns.size()) + " columns",
                         batch);
      } else if (values[id].empty()) {
        handle_malformed(malformed(), *piece.path, number, "the id is empty", batch);
      } else {
        batch.add(values[id]);
        for (const std::size_t i : wanted) batch.add_field(columns[i], values[i]);
      }
    });
  }

  static std::size_t column_of_id(const Columns& columns) {
    const auto id = std::find(columns.begin(), columns.end(), "id");
    return id == columns.end() ? 0 : static_cast<std::size_t>(id - columns.begin());
  }

  /// The columns to read: those chosen, in their order, or all but the id.
  std::vector<std::size_t> wanted_columns(const Piece& piece, std::size_t id) const {
    const Columns& columns = *piece.columns;
    std::vector<std::size_t> wanted;
    for (std::size_t i = 0; i < columns.size() && fields_.empty(); ++i) {
      if (i != id) wanted.push_back(i);
    }
    for (const std::string& field : fields_) {
      const auto column = std::find(columns.begin(), columns.end(), field);
      if (column == columns.end()) {
        throw InputError(*piece.path + ": the first line names no column '" + field + "'");
      }
      wanted.push_back(static_cast<std::size_t>(column - columns.begin()));
    }
    return wanted;
  }

  std::vector<std::string> fields_;
};

}  // namespace

std::unique_ptr<index::DocumentSource> open_tsv(std::vector<std::filesystem::path> files,
                                                const ReaderOptions& options) {
  return std::make_unique<TsvSource>(std::move(files), options);
}

}  // namespace gannet::corpora
