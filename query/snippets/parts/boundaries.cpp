#include "query/snippets/parts/boundaries.hpp"

#include <unicode/ubrk.h>
#include <unicode/utext.h>

#include <array>
#include <string>

#include "codecs/base/error.hpp"

namespace gannet::query {
namespace {

struct CloseIterator {
  void operator()(UBreakIterator* iterator) const { ubrk_close(iterator); }
};
struct CloseText {
  void operator()(UText* text) const { utext_close(text); }
};
using Iterator = std::unique_ptr<UBreakIterator, CloseIterator>;

constexpr std::array kKinds{UBRK_CHARACTER, UBRK_LINE, UBRK_SENTENCE};

void check(UErrorCode status) {
  if (U_SUCCESS(status)) return;
  throw IoError(std::string("ICU cannot find sentences and words: ") + u_errorName(status) +
                "; is its data installed (package libicu)?");
}

/// Of no language: what is cut is in any.
Iterator open(UBreakIteratorType kind) {
  UErrorCode status = U_ZERO_ERROR;
  Iterator iterator(ubrk_open(kind, "", nullptr, 0, &status));
  check(status);
  return iterator;
}

}  // namespace

struct Boundaries::Impl {
  UBreakIterator* of(Unit unit) const { return iterators[static_cast<std::size_t>(unit)].get(); }
  bool known(std::int32_t at) const { return (at > 0 || starts_text) && (at < size || ends_text); }

  std::array<Iterator, kKinds.size()> iterators;
  std::uint64_t begin = 0;
  std::int32_t size = 0;
  bool starts_text = false;
  bool ends_text = false;
};

Boundaries::Boundaries() : impl_(std::make_unique<Impl>()) {
  for (std::size_t i = 0; i < kKinds.size(); ++i) impl_->iterators[i] = open(kKinds[i]);
}
Boundaries::~Boundaries() = default;

void Boundaries::look_at(std::string_view text, std::uint64_t begin, std::uint64_t end) {
  impl_->begin = begin;
  impl_->size = static_cast<std::int32_t>(end - begin);
  impl_->starts_text = begin == 0;
  impl_->ends_text = end == text.size();
  UErrorCode status = U_ZERO_ERROR;
  const std::unique_ptr<UText, CloseText> part(
      utext_openUTF8(nullptr, text.data() + begin, impl_->size, &status));
  check(status);
  for (const Iterator& iterator : impl_->iterators) {
    ubrk_setUText(iterator.get(), part.get(), &status);  // makes a copy
    check(status);
  }
}

std::optional<std::uint64_t> Boundaries::first(Unit unit, std::uint64_t low, std::uint64_t high) {
  UBreakIterator* const iterator = impl_->of(unit);
  auto at = static_cast<std::int32_t>(low - impl_->begin);
  const auto limit = static_cast<std::int32_t>(high - impl_->begin);
  if (ubrk_isBoundary(iterator, at) == 0) at = ubrk_following(iterator, at);
  while (at != UBRK_DONE && at <= limit && !impl_->known(at)) at = ubrk_following(iterator, at);
  if (at == UBRK_DONE || at > limit) return std::nullopt;
  return impl_->begin + static_cast<std::uint64_t>(at);
}

std::optional<std::uint64_t> Boundaries::last(Unit unit, std::uint64_t low, std::uint64_t high) {
  UBreakIterator* const iterator = impl_->of(unit);
  auto at = static_cast<std::int32_t>(high - impl_->begin);
  const auto limit = static_cast<std::int32_t>(low - impl_->begin);
  if (ubrk_isBoundary(iterator, at) == 0) at = ubrk_preceding(iterator, at);
  while (at != UBRK_DONE && at >= limit && !impl_->known(at)) at = ubrk_preceding(iterator, at);
  if (at == UBRK_DONE || at < limit) return std::nullopt;
  return impl_->begin + static_cast<std::uint64_t>(at);
}

}  // namespace gannet::query
