#include "corpora/evaluation/trec_run.hpp"

#include <fmt/compile.h>
#include <fmt/format.h>

#include <algorithm>
#include <iterator>
#include <optional>
#include <span>
#include <unordered_map>
#include <utility>

#include "codecs/error.hpp"
#include "corpora/documents/byte_output.hpp"
#include "corpora/documents/byte_stream.hpp"
#include "corpora/documents/fields.hpp"
#include "corpora/documents/text_batch.hpp"

namespace gannet::corpora {
namespace {

constexpr std::size_t kFlushBytes = std::size_t{1} << 16;

bool is_space(char c) { return c == ' ' || (c >= '\t' && c <= '\r'); }

void append_field(std::string_view field, std::string& out) {
  for (auto at = field.begin(); at != field.end();) {
    const auto space = std::find_if(at, field.end(), is_space);
    out.append(at, space);
    if (space == field.end()) return;
    fmt::format_to(std::back_inserter(out), "%{:02X}", static_cast<unsigned>(*space));
    at = space + 1;
  }
}

std::string clean_tag(std::string_view tag) {
  std::string clean;
  append_field(tag.empty() ? "gannet" : tag, clean);
  return clean;
}

}  // namespace

RunLines::RunLines(std::string_view tag) : tag_(clean_tag(tag)) {}

void RunLines::add(std::string_view query, std::string_view document, std::uint64_t rank,
                   float score) {
  append_field(query, text_);
  text_ += " Q0 ";
  append_field(document, text_);
  fmt::format_to(std::back_inserter(text_), FMT_COMPILE(" {} {} {}\n"), rank, score, tag_);
}

void RunLines::add_ranked(std::string_view query, std::string_view document, std::uint64_t rank,
                          std::uint64_t ranks) {
  append_field(query, text_);
  text_ += " Q0 ";
  append_field(document, text_);
  fmt::format_to(std::back_inserter(text_), FMT_COMPILE(" {} {} {}\n"), rank, ranks - rank + 1,
                 tag_);
}

struct RunWriter::Impl {
  explicit Impl(std::string_view tag) : pending(tag) {}

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

RunWriter::RunWriter(const std::filesystem::path& path, std::string_view tag, std::stop_token stop)
    : impl_(std::make_unique<Impl>(tag)) {
  impl_->output.emplace(path, std::move(stop));
}

RunWriter::RunWriter(Sink sink, std::string_view tag) : impl_(std::make_unique<Impl>(tag)) {
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

Run parse_run(std::string_view text, std::string_view name) {
  Run run;
  std::unordered_map<std::string, std::size_t> place;
  for_each_line(text, 1, [&](std::string_view line, std::uint64_t number) {
    const auto fields = split_fields<6>(line);
    if (!fields) fail_line(name, number, "a run has six fields: qid Q0 docid rank score tag");
    const auto rank = parse_number<std::uint64_t>((*fields)[3]);
    const auto score = parse_number<double>((*fields)[4]);
    if (!rank) fail_line(name, number, "the rank is no number: " + std::string((*fields)[3]));
    if (!score) fail_line(name, number, "the score is no number: " + std::string((*fields)[4]));
    std::string query((*fields)[0]);
    if (run.empty() || run.back().query != query) {
      const auto [known, is_new] = place.try_emplace(query, run.size());
      if (!is_new) {
        run[known->second].documents.push_back({std::string((*fields)[2]), *rank, *score});
        return;
      }
      run.push_back({std::move(query), {}});
    }
    run.back().documents.push_back({std::string((*fields)[2]), *rank, *score});
  });
  return run;
}

Run read_run(const std::filesystem::path& path) {
  return parse_run(read_whole_file(path), path.string());
}

}  // namespace gannet::corpora
