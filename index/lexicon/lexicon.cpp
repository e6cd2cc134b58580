#include "index/lexicon/lexicon.hpp"

#include <array>
#include <utility>

namespace gannet::index {
namespace {

constexpr Tag kText{"TERM"};
constexpr Tag kOffsets{"TBLK"};
constexpr std::array kLexiconSections{kText, kOffsets};

/// The least string that is greater than all that start with `prefix`; nothing if there is none.
std::optional<std::string> after_prefix(std::string_view prefix) {
  const std::size_t last = prefix.find_last_not_of('\xff');
  if (last == std::string_view::npos) return std::nullopt;
  std::string after(prefix.substr(0, last + 1));
  after.back() = static_cast<char>(static_cast<unsigned char>(after.back()) + 1);
  return after;
}

class LexiconWalk final : public TermWalk {
 public:
  explicit LexiconWalk(const FrontCoded& terms) : terms_(terms) { cursor_.emplace(terms, 0); }

  bool next() override { return cursor_->next(); }
  bool seek(std::string_view key) override {
    cursor_.emplace(terms_, terms_.lower_bound(key));
    return cursor_->next();
  }
  std::string_view key() const override { return cursor_->text(); }
  std::uint32_t id() const override { return static_cast<std::uint32_t>(cursor_->number()); }

 private:
  const FrontCoded& terms_;
  std::optional<FrontCoded::Cursor> cursor_;
};

}  // namespace

LexiconWriter::LexiconWriter(const std::filesystem::path& path,
                             const std::filesystem::path& scratch)
    : file_(path, kLexiconFile), terms_(scratch) {
  file_.begin_section(kText);
}

void LexiconWriter::add(std::string_view term) {
  if (term.empty()) throw UsageError("a term is empty");
  if (terms() > 0 && term <= previous_) {
    throw UsageError("terms must come in strictly ascending bytewise order: '" + printable(term) +
                     "' came after '" + printable(previous_) + "'");
  }
  if (terms() == kMaxTerms) {
    throw UsageError("an index can have at most " + std::to_string(kMaxTerms) + " terms");
  }
  previous_ = term;
  terms_.add(file_, term);
}

FileSummary LexiconWriter::finish() {
  terms_.finish(file_, kOffsets);
  return file_.finish();
}

Lexicon::Lexicon(std::filesystem::path path, MappedFile file, std::uint64_t terms)
    : file_(std::move(path), std::move(file), kLexiconFile, kLexiconSections),
      terms_(file_, kText, kOffsets, terms) {}

std::optional<TermId> Lexicon::find(std::string_view term) const {
  const auto number = terms_.find(term);
  if (!number) return std::nullopt;
  return static_cast<TermId>(*number);
}

std::unique_ptr<TermWalk> Lexicon::walk() const { return std::make_unique<LexiconWalk>(terms_); }

TermRange Lexicon::with_prefix(std::string_view prefix) const {
  const auto after = after_prefix(prefix);
  return {terms_.lower_bound(prefix), after ? terms_.lower_bound(*after) : terms()};
}

}  // namespace gannet::index
