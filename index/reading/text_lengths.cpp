#include "index/reading/text_lengths.hpp"

#include <algorithm>
#include <limits>
#include <string>

#include "codecs/base/error.hpp"

namespace gannet::index {

bool lengths_fit(const FieldColumn& column) {
  constexpr std::uint64_t kMax = std::numeric_limits<std::uint32_t>::max();
  const KeyMap& keys = column.keys();
  const std::uint64_t limit = column.code_limit();
  return keys.base <= kMax && (limit == 0 || limit - 1 <= (kMax - keys.base) / keys.unit);
}

SegmentTexts::SegmentTexts(const Schema& schema, const Lexicon& lexicon, const FieldsReader& fields,
                           std::uint64_t documents)
    : fields_(fields), documents_(documents) {
  for (std::uint32_t i = 0; i < schema.fields().size(); ++i) {
    if (!schema.fields()[i].is_text()) continue;
    auto text = std::make_unique<Text>();
    text->field = i;
    text->terms = lexicon.with_prefix(text_key_prefix(i));
    texts_.push_back(std::move(text));
  }
  main_begin_ = lexicon.with_prefix(std::string_view("\0", 1)).end;
}

std::uint32_t SegmentTexts::text_of(TermId term) const {
  if (term >= main_begin_) return kMainText;
  for (const auto& text : texts_) {
    if (term >= text->terms.first && term < text->terms.end) return text->field;
  }
  return kMainText;  // `verify` reports a term that begins like those of a field, and is none
}

std::vector<std::uint32_t> SegmentTexts::fields() const {
  std::vector<std::uint32_t> fields;
  for (const auto& text : texts_) fields.push_back(text->field);
  return fields;
}

std::span<const std::uint32_t> SegmentTexts::lengths(std::uint32_t field) const {
  const auto found = std::ranges::find_if(texts_, [&](const auto& t) { return t->field == field; });
  if (found == texts_.end()) {
    throw UsageError("the segment has no text field " + std::to_string(field));
  }
  Text& text = **found;
  text.once([&] { read(text); });
  return text.lengths;
}

void SegmentTexts::read(Text& text) const {
  const FieldColumn& column = fields_.column(text.field);
  if (!lengths_fit(column)) {
    fields_.file().fail("field '" + column.spec().name + "': a length is beyond 32 bits");
  }
  std::vector<std::uint32_t> lengths(documents_);
  for (std::size_t block = 0; block < column.blocks().size(); ++block) {
    column.decode(block, lengths.data() + column.blocks()[block].first);
  }
  for (std::uint32_t d = 0; d < documents_; ++d) {
    lengths[d] = column.has(d) && column.code_limit() != 0
                     ? static_cast<std::uint32_t>(column.keys().key(lengths[d]))
                     : 0;
  }
  text.lengths = std::move(lengths);
}

}  // namespace gannet::index
