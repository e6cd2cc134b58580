// Documents with random values of fields, and what an index should hold of them.
#pragma once

#include <fmt/format.h>

#include <algorithm>
#include <cmath>
#include <filesystem>
#include <memory>
#include <random>
#include <string>
#include <utility>
#include <vector>

#include "index/builder.hpp"
#include "index/fields/field_column.hpp"
#include "index/index.hpp"

namespace gannet::test {

/// Values of a document: number of the field, and text.
using DocumentValues = std::vector<std::pair<std::uint32_t, std::string>>;

/// Documents d0, d1, ... with a word each and these values, some hundred at a time. `lead`: what
/// ids begin with.
class FieldSource final : public index::DocumentSource {
 public:
  explicit FieldSource(const std::vector<DocumentValues>& documents, std::size_t batch = 300,
                       std::string lead = "d")
      : documents_(documents), batch_(batch), lead_(std::move(lead)) {}

  std::unique_ptr<index::RawBatch> read() override {
    if (next_ == documents_.size()) return nullptr;
    auto raw = std::make_unique<Range>();
    raw->first = next_;
    next_ = raw->end = std::min(next_ + batch_, documents_.size());
    return raw;
  }
  std::unique_ptr<index::ParsedBatch> parse(std::unique_ptr<index::RawBatch> raw) const override {
    const auto& range = static_cast<const Range&>(*raw);
    auto parsed = std::make_unique<Batch>();
    parsed->ids.reserve(range.end - range.first);
    for (std::size_t i = range.first; i < range.end; ++i) {
      parsed->ids.push_back(lead_ + std::to_string(i));
      parsed->add(parsed->ids.back(), "word");
      for (const auto& [field, text] : documents_[i]) parsed->add_value(field, text);
    }
    return parsed;
  }
  std::uint64_t bytes_read() const override { return next_; }
  std::uint64_t bytes_total() const override { return documents_.size(); }

 private:
  struct Range : index::RawBatch {
    std::size_t first, end;
  };
  struct Batch : index::ParsedBatch {
    std::vector<std::string> ids;
  };
  const std::vector<DocumentValues>& documents_;
  std::size_t batch_;
  std::string lead_;
  std::size_t next_ = 0;
};

inline index::Schema schema_of(std::initializer_list<const char*> fields) {
  std::vector<index::FieldSpec> specs;
  for (const char* field : fields) specs.push_back(index::parse_field(field));
  return index::Schema(std::move(specs));
}

inline index::BuildReport build_fields(const std::filesystem::path& directory,
                                       const index::Schema& schema,
                                       const std::vector<DocumentValues>& documents,
                                       index::BuildOptions options = {}) {
  FieldSource source(documents);
  options.write.schema = schema;
  options.write.overwrite = true;
  return index::build_index(source, directory, options);
}

/// A text that the field takes. `variety`: how many different ones there are, about.
inline std::string random_value(const index::FieldSpec& field, std::mt19937_64& random,
                                std::uint64_t variety) {
  const std::uint64_t pick = random() % variety;
  const auto small = static_cast<std::int64_t>(pick);
  switch (field.type) {
    case index::FieldType::kInteger: {
      const std::uint64_t most = ~std::uint64_t{0} >> (64 - field.bits);
      if (!field.is_signed) return std::to_string(pick * 3 % most);
      const std::int64_t half = static_cast<std::int64_t>(most / 2);
      return std::to_string(small * 3 % half - std::min<std::int64_t>(half, small) / 2);
    }
    case index::FieldType::kDecimal:
      return index::value_text(field, (std::uint64_t{1} << 63) + pick * 25);
    case index::FieldType::kFloat32:
      return fmt::format("{}", static_cast<float>(small) / 7.0f - 10);
    case index::FieldType::kFloat64:
      return fmt::format(
          "{}", std::exp(static_cast<double>(small % 600) - 300) * (pick % 2 == 0 ? 1 : -1));
    case index::FieldType::kDate:
      return index::value_text(field, (std::uint64_t{1} << 63) + pick % 2'000'000);
    case index::FieldType::kTime:
      return index::value_text(field, (std::uint64_t{1} << 63) + pick * 1000);
    case index::FieldType::kBoolean:
      return pick % 2 == 0 ? "true" : "false";
    case index::FieldType::kStored:
      // Some longer than a block of a column.
      return std::string(pick % 50 == 7 ? 70'000 + pick : pick % 300,
                         static_cast<char>(pick * 31 % 256));
    case index::FieldType::kKeyword:
    case index::FieldType::kText:
      break;
    default: {  // any other type of numbers
      const index::KeySpan limits =
          index::with_field_type(field.type, [&]<class T>() { return T::limits(field); });
      return index::value_text(field,
                               limits.first + pick * 2654435761u % (limits.last - limits.first));
    }
  }
  return pick == 0 ? "" : "key " + std::to_string(pick * 2654435761u % 1'000'003);
}

/// How a field is filled: which share of the documents has it, and how many values there are.
struct Filling {
  double share = 1;
  std::uint64_t variety = 100;
  std::uint64_t most = 5;  ///< values of a document, where there may be several
};

inline std::vector<DocumentValues> random_values(const index::Schema& schema, std::size_t documents,
                                                 const std::vector<Filling>& fillings,
                                                 std::uint64_t seed) {
  std::mt19937_64 random(seed);
  std::vector<DocumentValues> all(documents);
  for (DocumentValues& values : all) {
    for (std::uint32_t f = 0; f < schema.fields().size(); ++f) {
      const index::FieldSpec& field = schema.fields()[f];
      const Filling& filling = fillings[f % fillings.size()];
      if (static_cast<double>(random() % 1'000'000) >= filling.share * 1e6) continue;
      const std::uint64_t count = field.multi ? 1 + random() % filling.most : 1;
      for (std::uint64_t i = 0; i < count; ++i) {
        values.emplace_back(f, random_value(field, random, filling.variety));
      }
    }
    std::shuffle(values.begin(), values.end(), random);
  }
  return all;
}

/// All codes of a column, as the interface gives them.
inline std::vector<std::uint64_t> codes_in(const index::FieldColumn& column) {
  std::vector<std::uint64_t> codes(column.codes());
  for (std::size_t b = 0; b < column.blocks().size(); ++b) {
    column.decode(b, codes.data() + column.blocks()[b].first);
  }
  return codes;
}

/// The value that a code of a column stands for, as text.
inline std::string text_of_code(const index::FieldColumn& column, std::uint64_t code) {
  if (column.dictionary() != nullptr) {
    return column.dictionary()->text(static_cast<std::uint32_t>(code));
  }
  return index::value_text(column.spec(), column.keys().key(code));
}

/// The values of all documents of a column, in the order of their codes.
inline std::vector<std::vector<std::string>> values_in(const index::FieldColumn& column) {
  const std::vector<std::uint64_t> codes = codes_in(column);
  std::vector<std::vector<std::string>> all(column.documents());
  for (std::uint32_t d = 0; d < column.documents(); ++d) {
    if (!column.has(d)) continue;
    if (column.texts() != nullptr) {
      all[d].push_back(column.texts()->text(d).value());
      continue;
    }
    const std::size_t first = column.multi() ? column.starts()[d] : d;
    const std::size_t end = column.multi() ? column.starts()[d + 1] : d + 1;
    for (std::size_t i = first; i < end; ++i) all[d].push_back(text_of_code(column, codes[i]));
  }
  return all;
}

/// What values_in() should give, from the documents alone: values ascending, equal ones once.
inline std::vector<std::vector<std::string>> expected_values(
    const index::FieldSpec& field, std::uint32_t number,
    const std::vector<DocumentValues>& documents) {
  std::vector<std::vector<std::string>> all;
  for (const DocumentValues& values : documents) {
    std::vector<std::pair<std::uint64_t, std::string>> own;
    for (const auto& [f, text] : values) {
      if (f != number) continue;
      if (field.type == index::FieldType::kKeyword || field.type == index::FieldType::kStored) {
        own.emplace_back(0, text);
      } else {
        const std::uint64_t key = *index::key_of(field, text);
        own.emplace_back(key, index::value_text(field, key));
      }
    }
    std::sort(own.begin(), own.end());
    own.erase(std::unique(own.begin(), own.end()), own.end());
    std::vector<std::string> texts;
    for (auto& [key, text] : own) texts.push_back(std::move(text));
    all.push_back(std::move(texts));
  }
  return all;
}

}  // namespace gannet::test
