#include "index/text/words/dictionary_words.hpp"

#include <unicode/ubrk.h>
#include <unicode/utext.h>

#include <cstdint>
#include <memory>
#include <string>

#include "codecs/base/error.hpp"

namespace gannet::index {
namespace {

struct CloseIterator {
  void operator()(UBreakIterator* iterator) const { ubrk_close(iterator); }
};
struct CloseText {
  void operator()(UText* text) const { utext_close(text); }
};

void check(UErrorCode status) {
  if (U_SUCCESS(status)) return;
  throw IoError(std::string("ICU cannot find words: ") + u_errorName(status) +
                "; is its data installed (package libicu)?");
}

/// The engines go by script, not by language: one iterator serves all of them.
UBreakIterator* iterator_of_thread() {
  thread_local std::unique_ptr<UBreakIterator, CloseIterator> iterator;
  if (!iterator) {
    UErrorCode status = U_ZERO_ERROR;
    iterator.reset(ubrk_open(UBRK_WORD, "", nullptr, 0, &status));
    check(status);
  }
  return iterator.get();
}

}  // namespace

std::vector<std::size_t> sizes_of_dictionary_words(std::string_view run) {
  UBreakIterator* const iterator = iterator_of_thread();
  UErrorCode status = U_ZERO_ERROR;
  const std::unique_ptr<UText, CloseText> text(
      utext_openUTF8(nullptr, run.data(), static_cast<std::int64_t>(run.size()), &status));
  check(status);
  ubrk_setUText(iterator, text.get(), &status);
  check(status);
  std::vector<std::size_t> sizes;
  std::int32_t begin = ubrk_first(iterator);
  for (std::int32_t end = ubrk_next(iterator); end != UBRK_DONE; end = ubrk_next(iterator)) {
    sizes.push_back(static_cast<std::size_t>(end - begin));
    begin = end;
  }
  return sizes;
}

}  // namespace gannet::index
