#include "corpora/evaluation/trec_run.hpp"

#include <fmt/compile.h>
#include <fmt/format.h>
#include <locale.h>  // NOLINT(modernize-deprecated-headers): newlocale()
#include <stdlib.h>  // NOLINT(modernize-deprecated-headers): strtod_l()

#include <algorithm>
#include <charconv>
#include <cmath>
#include <iterator>
#include <optional>
#include <span>
#include <system_error>
#include <unordered_map>
#include <utility>

#include "codecs/base/error.hpp"
#include "corpora/documents/bytes/byte_output.hpp"
#include "corpora/documents/bytes/byte_stream.hpp"
#include "corpora/documents/sources/fields.hpp"
#include "corpora/documents/sources/text_batch.hpp"

namespace gannet::corpora {
namespace {

constexpr std::size_t kFlushBytes = std::size_t{1} << 16;

/// White space, which separates fields, and control characters, which a terminal obeys.
bool is_escaped(char c) { return (c >= 0 && c <= ' ') || c == '\x7f'; }

/// The text begins with what stands for an escaped character or for a percent sign: "%20", "%25",
/// "%0a".
bool is_escape(std::string_view text) {
  unsigned code = 0;
  if (text.size() < 3 || text[0] != '%') return false;
  const auto [end, error] = std::from_chars(text.data() + 1, text.data() + 3, code, 16);
  return error == std::errc() && end == text.data() + 3 &&
         (code == '%' || (code < 0x80 && is_escaped(static_cast<char>(code))));
}

/// White space ends a field, so it is escaped, as control characters are, and so is a percent sign
/// where it would be read as an escape: no two ids are written alike.
void append_field(std::string_view field, std::string& out) {
  const auto may_be_escaped = [](char c) { return is_escaped(c) || c == '%'; };
  while (!field.empty()) {
    const auto plain = static_cast<std::size_t>(
        std::find_if(field.begin(), field.end(), may_be_escaped) - field.begin());
    out += field.substr(0, plain);
    field.remove_prefix(plain);
    if (field.empty()) return;
    if (field[0] != '%' || is_escape(field)) {
      fmt::format_to(std::back_inserter(out), "%{:02X}", static_cast<unsigned>(field[0]));
    } else {
      out += '%';
    }
    field.remove_prefix(1);
  }
}

std::string clean_tag(std::string_view tag) {
  std::string clean;
  append_field(tag.empty() ? "gannet" : tag, clean);
  return clean;
}

}  // namespace

RunLines::RunLines(std::string_view tag, RunLayout layout)
    : tag_(clean_tag(tag)), layout_(layout) {}

void RunLines::add(std::string_view query, std::string_view document, std::uint64_t rank,
                   float score) {
  if (add_without_score(query, document, rank)) return;
  append_field(query, text_);
  text_ += " Q0 ";
  append_field(document, text_);
  fmt::format_to(std::back_inserter(text_), FMT_COMPILE(" {} {} {}\n"), rank, score, tag_);
}

void RunLines::add_ranked(std::string_view query, std::string_view document, std::uint64_t rank,
                          std::uint64_t ranks) {
  if (add_without_score(query, document, rank)) return;
  append_field(query, text_);
  text_ += " Q0 ";
  append_field(document, text_);
  fmt::format_to(std::back_inserter(text_), FMT_COMPILE(" {} {} {}\n"), rank, ranks - rank + 1,
                 tag_);
}

bool RunLines::add_without_score(std::string_view query, std::string_view document,
                                 std::uint64_t rank) {
  if (layout_ != RunLayout::kMsMarco) return false;
  append_field(query, text_);
  text_ += '\t';
  append_field(document, text_);
  fmt::format_to(std::back_inserter(text_), FMT_COMPILE("\t{}\n"), rank);
  return true;
}

struct RunWriter::Impl {
  Impl(std::string_view tag, RunLayout layout) : pending(tag, layout) {}

  // One of the two is written.
  std::optional<ByteOutput> output;
  Sink sink;
  RunLines pending;

  void write(std::string_view lines) {
    if (sink) {
      sink(lines);
    } else {
      output->write(std::as_bytes(std::span(lines)));
    }
  }

  void flush() {
    write(pending.text());
    pending.clear();
  }
};

RunWriter::RunWriter(const std::filesystem::path& path, std::string_view tag, std::stop_token stop,
                     RunLayout layout, index::Existing existing)
    : impl_(std::make_unique<Impl>(tag, layout)) {
  impl_->output.emplace(path, std::move(stop), existing);
}

RunWriter::RunWriter(Sink sink, std::string_view tag, RunLayout layout)
    : impl_(std::make_unique<Impl>(tag, layout)) {
  impl_->sink = std::move(sink);
}

RunWriter::~RunWriter() = default;

void RunWriter::add(std::string_view query, std::string_view document, std::uint64_t rank,
                    float score) {
  impl_->pending.add(query, document, rank, score);
  if (impl_->pending.text().size() >= kFlushBytes) impl_->flush();
}

void RunWriter::append(std::string_view lines) {
  if (!impl_->pending.text().empty()) impl_->flush();
  impl_->write(lines);
}

void RunWriter::close() {
  impl_->flush();
  if (impl_->output) impl_->output->finish();
}

namespace {

/// A line of a run, as views.
struct RunLine {
  std::string_view query, document, rank, score;
};

RunLine split_trec(std::string_view line, std::string_view name, std::uint64_t number) {
  const auto leading = split_leading_fields<6>(line);
  if (!leading) {
    fail_line(
        name, number,
        "a run has six fields: qid Q0 docid rank score tag (or three in every line: qid docid "
        "rank)");
  }
  const auto& fields = leading->fields;
  if (leading->more && !parse_number<std::uint64_t>(fields[3])) {
    fail_line(name, number,
              "more than six fields, and the fourth, the rank, is no number: '" +
                  std::string(fields[3]) + "'; ids may have no white space");
  }
  return {fields[0], fields[2], fields[3], fields[4]};
}

RunLine split_msmarco(std::string_view line, std::string_view name, std::uint64_t number) {
  const auto fields = split_fields<3>(line);
  if (!fields) fail_line(name, number, "the lines before have three fields: qid docid rank");
  return {(*fields)[0], (*fields)[1], (*fields)[2], {}};
}

/// What strtod() takes, as trec_eval does: also infinities, hexadecimal numbers, and those beyond a
/// double's range. NaN is none: it has no place in an order.
std::optional<double> score_number(std::string_view text) {
  if (const auto number = parse_number<double>(text)) return number;
  static const locale_t c = ::newlocale(LC_ALL_MASK, "C", nullptr);
  const std::string copy(text);
  char* end = nullptr;
  const double number = ::strtod_l(copy.c_str(), &end, c);
  if (end != copy.c_str() + copy.size() || std::isnan(number)) return std::nullopt;
  return number;
}

/// Without a score, one that orders documents by their ranks.
double score_of(const RunLine& line, std::optional<std::uint64_t> rank, std::string_view name,
                std::uint64_t number) {
  if (line.score.empty()) {
    if (!rank) fail_line(name, number, "the rank is no number: " + std::string(line.rank));
    if (*rank == 0) fail_line(name, number, "ranks count from 1");
    return 1.0 / static_cast<double>(*rank);
  }
  const auto score = score_number(line.score);
  if (!score) fail_line(name, number, "the score is no number: " + std::string(line.score));
  return *score;
}

}  // namespace

Run parse_run(std::string_view text, std::string_view name) {
  Run run;
  std::unordered_map<std::string, std::size_t> place;
  std::optional<bool> msmarco;
  for_each_line(text, 1, [&](std::string_view line, std::uint64_t number) {
    if (!msmarco) msmarco = split_fields<3>(line).has_value();
    const RunLine parts =
        *msmarco ? split_msmarco(line, name, number) : split_trec(line, name, number);
    const auto rank = parse_number<std::uint64_t>(parts.rank);
    const double score = score_of(parts, rank, name, number);
    std::string query(parts.query);
    if (run.empty() || run.back().query != query) {
      const auto [known, is_new] = place.try_emplace(query, run.size());
      if (!is_new) {
        run[known->second].documents.push_back({std::string(parts.document), rank, score});
        return;
      }
      run.push_back({std::move(query), {}});
    }
    run.back().documents.push_back({std::string(parts.document), rank, score});
  });
  return run;
}

Run read_run(const std::filesystem::path& path) {
  return parse_run(read_whole_file(path), path.string());
}

}  // namespace gannet::corpora
