#include "index/lexicon/lexicon.hpp"

#include <array>
#include <utility>

#include "index/files/offsets.hpp"

namespace gannet::index {
namespace {

constexpr Tag kText{"TERM"};
constexpr Tag kOffsets{"TOFF"};
constexpr Tag kFrequencies{"CFRQ"};
constexpr std::array kKnown{kText, kOffsets, kFrequencies};

}  // namespace

LexiconWriter::LexiconWriter(const std::filesystem::path& path,
                             const std::filesystem::path& scratch)
    : file_(path, kLexiconFile), offsets_(scratch), frequencies_(scratch) {
  file_.begin_section(kText);
  offsets_.append_value(text_bytes_);
}

void LexiconWriter::add(std::string_view term, std::uint64_t collection_frequency) {
  if (term.empty()) throw UsageError("a term is empty");
  if (terms_ > 0 && term <= previous_) {
    throw UsageError("terms must come in strictly ascending bytewise order: '" + printable(term) +
                     "' came after '" + printable(previous_) + "'");
  }
  if (terms_ == kMaxTerms) throw UsageError("an index can have at most 4,294,967,295 terms");
  previous_ = term;
  file_.append(bytes_of(term));
  text_bytes_ += term.size();
  offsets_.append_value(text_bytes_);
  frequencies_.append_value(collection_frequency);
  ++terms_;
}

FileSummary LexiconWriter::finish() {
  file_.end_section();
  file_.write_spool(kOffsets, offsets_);
  file_.write_spool(kFrequencies, frequencies_);
  return file_.finish();
}

Lexicon::Lexicon(std::filesystem::path path, MappedFile file, std::uint64_t terms)
    : file_(std::move(path), std::move(file), kLexiconFile, kKnown) {
  const std::span<const char> text = file_.section<char>(kText);
  text_ = {text.data(), text.size()};
  offsets_ = file_.section<std::uint64_t>(kOffsets, terms + 1);
  frequencies_ = file_.section<std::uint64_t>(kFrequencies, terms);
  check_offsets(file_, kOffsets, offsets_, text_.size());
}

std::optional<TermId> Lexicon::find(std::string_view wanted) const {
  std::uint64_t first = 0;
  std::uint64_t last = terms();
  while (first < last) {
    const std::uint64_t middle = first + (last - first) / 2;
    const int order = term(static_cast<TermId>(middle)).compare(wanted);
    if (order == 0) return static_cast<TermId>(middle);
    if (order < 0) {
      first = middle + 1;
    } else {
      last = middle;
    }
  }
  return std::nullopt;
}

}  // namespace gannet::index
