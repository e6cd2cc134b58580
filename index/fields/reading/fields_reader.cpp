#include "index/fields/reading/fields_reader.hpp"

#include <optional>
#include <utility>

#include "codecs/base/error.hpp"
#include "index/fields/reading/mapped_texts.hpp"

namespace gannet::index {
namespace {

std::vector<Tag> known_sections(std::size_t fields) {
  std::vector<Tag> known{kFieldRows};
  for (std::size_t field = 0; field < fields; ++field) {
    for (const FieldSection section : kFieldSections) known.push_back(field_tag(section, field));
  }
  return known;
}

/// Jumps beyond the next block are cheaper than reading what lies between.
class MappedReader final : public KeywordReader {
 public:
  explicit MappedReader(const FrontCoded& strings) : strings_(strings) {}

  std::string_view go_to(std::uint32_t number) override {
    if (!cursor_ || number >= next_ + 2 * FrontCoded::kBlock) {
      cursor_.emplace(strings_, number);
      next_ = number;
    }
    for (; next_ <= number; ++next_) cursor_->next();
    return cursor_->text();
  }

 private:
  const FrontCoded& strings_;
  std::optional<FrontCoded::Cursor> cursor_;
  std::uint64_t next_ = 0;  ///< the string that the cursor comes to
};

}  // namespace

std::unique_ptr<KeywordReader> MappedDictionary::reader() const {
  return std::make_unique<MappedReader>(strings_);
}

FieldsReader::FieldsReader(std::filesystem::path path, MappedFile file, const Schema& schema,
                           std::uint64_t documents)
    : file_(std::move(path), std::move(file), kFieldsFile, known_sections(schema.fields().size())),
      schema_(schema),
      documents_(documents),
      rows_(file_.section<FieldRow>(kFieldRows, schema.fields().size())),
      once_(new Once[schema.fields().size()]),
      columns_(schema.fields().size()) {}

/// All that answers may depend on before a block is decoded; codes and strings are checked block by
/// block.
void FieldsReader::check_tables(std::size_t number) const {
  file_.check(rows_.subspan(number, 1));
  for (const FieldSection section :
       {FieldSection::kPresent, FieldSection::kStarts, FieldSection::kOffsets,
        FieldSection::kBounds, FieldSection::kBitmapRows}) {
    file_.check_section(field_tag(section, number));
  }
}

const FieldColumn& FieldsReader::column(std::size_t number) const {
  if (number >= size()) {
    throw UsageError("the segment has no field " + std::to_string(number) + "; it has " +
                     std::to_string(size()));
  }
  once_[number]([&] {
    check_tables(number);
    columns_[number] = open(number);
  });
  return *columns_[number];
}

std::unique_ptr<const FieldColumn> FieldsReader::open(std::size_t number) const {
  const FieldSpec& spec = schema_.fields()[number];
  try {
    if (spec.is_stored()) {
      return std::make_unique<const MappedTexts>(file_, spec, number, rows_[number], documents_);
    }
    return std::make_unique<const MappedColumn>(file_, spec, number, rows_[number], documents_);
  } catch (const VersionError&) {
    throw;
  } catch (const DamageError&) {
    throw;
  } catch (const FormatError& error) {
    throw DamageError(error.what());  // a column file of its own would be malformed
  }
}

}  // namespace gannet::index
