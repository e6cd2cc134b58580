// Comma-separated values as RFC 4180 has them: quoted values may hold commas, line ends, and quotes
// written twice; the first record names the columns. Strict: a quote within a value that does not
// begin with one, or anything behind a closing quote, makes the record malformed.
//
// Not libcsv, which Debian has: it takes one byte at a time through two callbacks and does not say
// where records begin. Batches are cut there, and messages name their lines, so that what it would
// do had to be done anyway.
#include <algorithm>
#include <cstring>
#include <optional>
#include <utility>

#include "corpora/documents/sources/sources.hpp"
#include "corpora/documents/tables/line_ends.hpp"
#include "corpora/documents/tables/table.hpp"

namespace gannet::corpora {
namespace {

/// Behind the record that begins at `begin`, its line end included; std::string_view::npos if it
/// does not end.
std::size_t end_of_record(std::string_view text, std::size_t begin, char line_end) {
  const char ends[] = {',', line_end};
  for (std::size_t at = begin;;) {
    if (at < text.size() && text[at] == '"') {
      // A quote that is written twice ends a quoted stretch and begins the next one.
      at = text.find('"', at + 1);
      if (at == std::string_view::npos) return std::string_view::npos;
      ++at;
      if (at < text.size() && text[at] == '"') continue;
    }
    at = text.find_first_of(std::string_view(ends, 2), at);
    if (at == std::string_view::npos) return std::string_view::npos;
    if (text[at++] == line_end) return at;
  }
}

std::string_view without_line_end(std::string_view record, char line_end) {
  if (record.ends_with(line_end)) record.remove_suffix(1);
  if (line_end == '\n' && record.ends_with('\r')) record.remove_suffix(1);
  return record;
}

/// The values of one record after the other. Views into the records, and into `arena` where quotes
/// were written twice: no value grows, so all fit where the text did.
class RecordReader {
 public:
  explicit RecordReader(char* arena) : free_(arena) {}

  /// What is wrong with the record, which has no line end; empty: nothing.
  std::string_view read(std::string_view record) {
    values_.clear();
    open_quote_.reset();
    for (std::size_t at = 0; at != std::string_view::npos;) {
      const bool quoted = at < record.size() && record[at] == '"';
      const std::string_view problem = quoted ? read_quoted(record, at) : read_plain(record, at);
      if (!problem.empty()) return problem;
    }
    return {};
  }
  std::span<const std::string_view> values() const { return values_; }
  /// Where in the record the quote of a value stands that does not end, as read() has said.
  std::optional<std::size_t> open_quote() const { return open_quote_; }

 private:
  /// Each moves `at` behind the comma that follows; std::string_view::npos at the end of the
  /// record.
  std::string_view read_plain(std::string_view record, std::size_t& at) {
    const std::size_t comma = record.find(',', at);
    values_.push_back(
        record.substr(at, comma == std::string_view::npos ? std::string_view::npos : comma - at));
    at = comma == std::string_view::npos ? std::string_view::npos : comma + 1;
    if (values_.back().find('"') == std::string_view::npos) return {};
    return "a quote within a value that does not begin with one";
  }

  std::string_view read_quoted(std::string_view record, std::size_t& at) {
    const char* const begin = free_;
    const std::size_t opened = at;
    for (++at;; ++at) {
      const std::size_t quote = record.find('"', at);
      if (quote == std::string_view::npos) {
        open_quote_ = opened;
        return "a quoted value does not end";
      }
      std::memcpy(free_, record.data() + at, quote - at);
      free_ += quote - at;
      at = quote + 1;
      if (at == record.size() || record[at] != '"') break;
      *free_++ = '"';
    }
    values_.emplace_back(begin, static_cast<std::size_t>(free_ - begin));
    if (at == record.size()) {
      at = std::string_view::npos;
    } else if (record[at++] != ',') {
      return "something stands behind the closing quote of a value";
    }
    return {};
  }

  char* free_;
  std::vector<std::string_view> values_;
  std::optional<std::size_t> open_quote_;
};

/// Cuts behind the last whole record, and reads the columns from the first if it is a header.
template <bool kHeader>
class CsvSplitter : public RecordSplitter {
 public:
  std::size_t cut(std::string_view text, bool at_end, Piece& piece) override {
    if (!line_end_) line_end_ = line_end_of(text, at_end, true);
    if (!line_end_) return 0;
    piece.line_end = *line_end_;
    if ((!kHeader || columns_ != nullptr) &&
        text.find('"') == std::string_view::npos) {  // records are lines
      piece.columns = columns_;
      return at_end ? text.size() : text.rfind(*line_end_) + 1;  // npos + 1 is 0
    }
    std::size_t whole = 0;
    for (std::size_t begin = 0; begin < text.size(); begin = whole) {
      std::size_t end = end_of_record(text, begin, *line_end_);
      if (end == std::string_view::npos && !at_end) break;
      end = std::min(end, text.size());
      if (kHeader && columns_ == nullptr)
        read_columns(without_line_end(text.substr(begin, end - begin), *line_end_), piece);
      whole = end;
    }
    piece.columns = columns_;
    return whole;
  }

 private:
  /// What is wrong with the header, its parser says again and to whom it belongs.
  void read_columns(std::string_view record, Piece& piece) {
    if (is_blank(record)) return;
    std::vector<char> arena(record.size());
    RecordReader reader(arena.data());
    reader.read(record);
    columns_ = std::make_shared<const Columns>(reader.values().begin(), reader.values().end());
    piece.has_header = true;
  }

  std::shared_ptr<const Columns> columns_;
  std::optional<char> line_end_;
};

/// Views into the raw batch and the arena, which it keeps.
struct CsvBatch : index::ParsedBatch {
  std::unique_ptr<TextBatch> text;
  std::unique_ptr<char[]> arena;
};

class CsvSource : public TextSource {
 public:
  CsvSource(std::vector<std::filesystem::path> files, const ReaderOptions& options, RecordUse use)
      : TextSource(std::move(files),
                   options.columns.empty() ? make_splitter<CsvSplitter<true>>
                                           : make_splitter<CsvSplitter<false>>,
                   options),
        table_(TableOptions::of(options, use)) {}

  std::unique_ptr<index::ParsedBatch> parse_text(std::unique_ptr<TextBatch> raw) const override {
    auto batch = std::make_unique<CsvBatch>();
    batch->text = std::move(raw);
    const std::string_view bytes = batch->text->bytes;
    batch->arena = std::make_unique_for_overwrite<char[]>(bytes.size());
    RecordReader reader(batch->arena.get());
    for (Piece& piece : batch->text->pieces) {
      if (table_.columns != nullptr) piece.columns = table_.columns;
      if (piece.columns == nullptr) continue;  // blank lines alone
      const std::string_view text = bytes.substr(piece.begin, piece.end - piece.begin);
      piece.is_utf8 = is_utf8(text);
      parse_piece(piece, text, reader, *batch);
    }
    return batch;
  }

 private:
  void parse_piece(const Piece& piece, std::string_view text, RecordReader& reader,
                   index::ParsedBatch& batch) const {
    if (piece.has_header) check_header(piece, text, reader);
    TableRows rows(piece, table_, bad_records(), batch);
    bool is_header = piece.has_header;
    std::uint64_t line = piece.first_line;
    for (std::size_t begin = 0; begin < text.size();) {
      throw_if_stopped(stop());
      const std::size_t end = std::min(end_of_record(text, begin, piece.line_end), text.size());
      const std::string_view record = text.substr(begin, end - begin);
      const std::uint64_t first_line = line;
      line += static_cast<std::uint64_t>(std::count(record.begin(), record.end(), piece.line_end));
      begin = end;
      const std::string_view values = without_line_end(record, piece.line_end);
      if (is_header) {
        is_header = is_blank(values);  // until the first that is not
        continue;
      }
      if (!rows.is_row(values)) continue;
      const std::string_view problem = reader.read(values);
      if (const auto quote = reader.open_quote()) {
        const auto opened =
            first_line + static_cast<std::uint64_t>(std::count(
                             values.begin(), values.begin() + static_cast<std::ptrdiff_t>(*quote),
                             piece.line_end));
        rows.fail(first_line, std::string(problem) + ": the quote that is opened in line " +
                                  std::to_string(opened) + " takes all up to the end of the file");
      } else if (!problem.empty()) {
        rows.fail(first_line, problem);
      } else {
        rows.add(reader.values(), first_line);
      }
    }
  }

  /// Without the names of the columns there is no way to go on.
  static void check_header(const Piece& piece, std::string_view text, RecordReader& reader) {
    std::uint64_t line = piece.first_line;
    for (std::size_t begin = 0; begin < text.size(); ++line) {
      const std::size_t end = std::min(end_of_record(text, begin, piece.line_end), text.size());
      const std::string_view names =
          without_line_end(text.substr(begin, end - begin), piece.line_end);
      begin = end;
      if (is_blank(names)) continue;
      const std::string_view problem = reader.read(names);
      if (problem.empty()) return;
      throw InputError(*piece.path + ":" + std::to_string(line) +
                       ": the names of the columns: " + std::string(problem));
    }
  }

  TableOptions table_;
};

}  // namespace

std::unique_ptr<index::DocumentSource> open_csv(std::vector<std::filesystem::path> files,
                                                const ReaderOptions& options, RecordUse use) {
  return std::make_unique<CsvSource>(std::move(files), options, use);
}

}  // namespace gannet::corpora
