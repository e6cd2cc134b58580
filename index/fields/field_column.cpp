#include "index/fields/field_column.hpp"

#include <algorithm>
#include <bit>

namespace gannet::index {
namespace {

/// Of dictionaries that look strings up as quickly.
class LookUpReader final : public KeywordReader {
 public:
  explicit LookUpReader(const KeywordDictionary& dictionary) : dictionary_(dictionary) {}
  std::string_view go_to(std::uint32_t number) override { return text_ = dictionary_.text(number); }

 private:
  const KeywordDictionary& dictionary_;
  std::string text_;
};

}  // namespace

std::unique_ptr<KeywordReader> KeywordDictionary::reader() const {
  return std::make_unique<LookUpReader>(*this);
}

CodeRange codes_of(const FieldColumn& column, std::uint64_t least, std::uint64_t greatest) {
  const std::uint64_t limit = column.code_limit();
  const auto [base, unit] = column.keys();
  if (limit == 0 || greatest < base || greatest < least) return {};
  const std::uint64_t below = least <= base ? 0 : least - base;
  const std::uint64_t first = below / unit + (below % unit == 0 ? 0 : 1);
  const std::uint64_t last = std::min((greatest - base) / unit, limit - 1);
  return first > last ? CodeRange{} : CodeRange{first, last + 1};
}

std::uint64_t documents_with(const FieldColumn& column) {
  if (column.present().empty()) return column.code_limit() == 0 ? 0 : column.documents();
  std::atomic<std::uint64_t>& known = column.counted_.documents;
  std::uint64_t count = known.load(std::memory_order_relaxed);
  if (count != FieldColumn::kNotCounted) return count;
  count = 0;
  for (const std::uint64_t word : column.present()) {
    count += static_cast<std::uint64_t>(std::popcount(word));
  }
  known.store(count, std::memory_order_relaxed);
  return count;
}

}  // namespace gannet::index
