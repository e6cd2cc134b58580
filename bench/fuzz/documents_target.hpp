// What the target `documents` tries: bytes as a file of any format give the same documents, or are
// refused, however the file is cut into batches; and so are the rows of tables.
#pragma once

#include <cstddef>
#include <cstdint>
#include <optional>
#include <span>

#include "bench/fuzz/disagreement.hpp"
#include "bench/fuzz/parts/file_input.hpp"
#include "bench/fuzz/parts/joined_rows.hpp"
#include "codecs/base/error.hpp"
#include "corpora/documents/documents.hpp"
#include "corpora/documents/sources/format_guess.hpp"
#include "tests/support/corpora/documents.hpp"

namespace gannet::fuzz {

/// All documents, or nothing if the file is refused.
inline std::optional<test::Documents> documents_in(corpora::DocumentFormat format,
                                                   const std::filesystem::path& path,
                                                   const corpora::ReaderOptions& options) {
  try {
    return test::read_all(format, {path}, options);
  } catch (const InputError&) {
  } catch (const FormatError&) {
    // Compressed data that is damaged.
  }
  return std::nullopt;
}

inline index::Schema fields_to_read() {
  return index::Schema({index::parse_field("n:i32"), index::parse_field("t:time:path=a.t"),
                        index::parse_field("k:keyword:multi:path=a.k"),
                        index::parse_field("c:keyword:path=contents")});
}

/// Archives of the web, and dumps of Wikipedia.
constexpr std::size_t kWebFormats = 4;

/// A file of one of them. Skipping changes nothing of one without a mistake.
inline void try_web(std::size_t kind, std::span<const std::uint8_t> input) {
  constexpr corpora::DocumentFormat kFormats[kWebFormats] = {
      corpora::DocumentFormat::kWarc, corpora::DocumentFormat::kArc,
      corpora::DocumentFormat::kTrecWeb, corpora::DocumentFormat::kWikipedia};
  const corpora::DocumentFormat format = kFormats[kind];
  const auto path = file_with("archive", text_of(input.subspan(1)));
  corpora::ReaderOptions options;
  options.max_record_bytes = 1 << 16;
  options.fields = {"title", "body"};
  options.schema =
      index::Schema({index::parse_field("date:time"), index::parse_field("host:keyword"),
                     index::parse_field("language:keyword:multi")});
  options.malformed = input[0] % 2 == 0 ? corpora::Malformed::kStop : corpora::Malformed::kSkip;
  const auto whole = documents_in(format, path, options);
  options.batch_bytes = std::size_t{1} << 3 * (input[0] / 2 % 4);
  const auto pieces = documents_in(format, path, options);
  need(whole.has_value() == pieces.has_value(), "batches decide whether an archive is refused");
  need(whole == pieces, "batches decide what the pages are");
  if (!whole) return;
  // A sound archive is one with either policy.
  options.malformed = corpora::Malformed::kSkip;
  const auto skipped = documents_in(format, path, options);
  need(skipped == whole, "an archive without a mistake is read otherwise where they are skipped");
}

/// What any bytes are guessed to be is a format that there is.
inline void try_guess(std::string_view begin) {
  for (const std::string& format : corpora::formats_by_content(begin)) {
    if (format != "ciff") corpora::document_format(format);  // throws for no name of one
  }
}

/// Input: a byte for the format, or the kind of a table of rows (times 8) and, in its lowest bits,
/// the policy and the size of batches; then the file, which may be compressed.
inline void try_documents(std::span<const std::uint8_t> input) {
  if (input.empty()) return;
  try_guess(text_of(input.subspan(1)));
  constexpr corpora::DocumentFormat kFormats[] = {
      corpora::DocumentFormat::kJsonl,       corpora::DocumentFormat::kTsv,
      corpora::DocumentFormat::kTrecText,    corpora::DocumentFormat::kDirectory,
      corpora::DocumentFormat::kJsonVectors, corpora::DocumentFormat::kCsv};
  const std::size_t batch_bytes = std::size_t{1} << 3 * (input[0] / 2 % 4);
  const std::size_t kind = input[0] / 8 % (std::size(kFormats) + 3 + kWebFormats);
  if (kind >= std::size(kFormats) + 3) return try_web(kind - std::size(kFormats) - 3, input);
  if (kind >= std::size(kFormats)) {
    return try_rows(kind - std::size(kFormats), batch_bytes, text_of(input.subspan(1)));
  }
  const corpora::DocumentFormat format = kFormats[kind];
  const auto path = file_with(format == corpora::DocumentFormat::kDirectory ? "page.html" : "input",
                              text_of(input.subspan(1)));
  corpora::ReaderOptions options;
  options.max_record_bytes = 1 << 16;
  if (format == corpora::DocumentFormat::kJsonl) options.schema = fields_to_read();
  options.malformed = input[0] % 2 == 0 ? corpora::Malformed::kStop : corpora::Malformed::kSkip;
  const auto whole = documents_in(format, path, options);
  options.batch_bytes = batch_bytes;
  const auto pieces = documents_in(format, path, options);
  need(whole.has_value() == pieces.has_value(), "batches decide whether a file is refused");
  need(whole == pieces, "batches decide what the documents are");
}

}  // namespace gannet::fuzz
