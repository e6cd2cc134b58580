// Bytes as a table to be joined by row: no record is lost, whatever is wrong with it.
#pragma once

#include <algorithm>
#include <array>
#include <cstddef>
#include <cstdint>
#include <optional>
#include <string_view>

#include "bench/fuzz/disagreement.hpp"
#include "bench/fuzz/parts/file_input.hpp"
#include "codecs/base/error.hpp"
#include "corpora/documents/rows.hpp"
#include "tests/support/corpora/documents.hpp"

namespace gannet::fuzz {

/// All rows, or nothing if the table is refused.
inline std::optional<test::Documents> rows_in(const std::filesystem::path& path,
                                              const corpora::ReaderOptions& options) {
  try {
    return test::read_all(*corpora::open_rows({path}, options));
  } catch (const InputError&) {
  } catch (const FormatError&) {
    // Compressed data that is damaged.
  }
  return std::nullopt;
}

/// The rows of a plain TSV file, counted by another way than the reader's.
inline std::size_t rows_of_tsv(std::string_view text) {
  std::size_t rows = 0;
  bool header = true, one_column = true;
  while (!text.empty()) {
    std::string_view line = text.substr(0, text.find('\n'));
    text.remove_prefix(std::min(line.size() + 1, text.size()));
    if (line.ends_with('\r')) line.remove_suffix(1);
    if (!header) {
      rows += line.empty() && !one_column ? 0 : 1;
    } else if (line.find_first_not_of(" \t") != std::string_view::npos) {
      header = false;
      one_column = line.find('\t') == std::string_view::npos;
    }
  }
  return rows;
}

/// `kind`: 0 to 2, for CSV, TSV and JSONL.
inline void try_rows(std::size_t kind, std::size_t batch_bytes, std::string_view bytes) {
  constexpr std::array kNames{"rows.csv", "rows.tsv", "rows.jsonl"};
  const auto path = file_with(kNames[kind], bytes);
  corpora::ReaderOptions options;
  options.schema =
      index::Schema({index::parse_field("n:i32"), index::parse_field("k:keyword:multi")});
  options.max_record_bytes = 1 << 16;
  const auto strict = rows_in(path, options);
  options.malformed = corpora::Malformed::kSkip;
  const auto whole = rows_in(path, options);
  options.batch_bytes = batch_bytes;
  const auto pieces = rows_in(path, options);
  need(whole == pieces, "batches decide what the rows are");
  need(!strict || strict == whole, "what is well-formed depends on the policy");
  need(strict || !whole || whole->skipped > 0, "a table was refused in which nothing is wrong");
  const bool plain =
      bytes.empty() || (bytes[0] != '\x1f' && bytes[0] != '\x28' && bytes[0] != '\xef');
  if (kind == 1 && plain && whole) {
    need(whole->all.size() == rows_of_tsv(bytes), "a row was lost, or made");
  }
}

}  // namespace gannet::fuzz
